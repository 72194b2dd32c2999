// Rate limits for requests to external SPs, and lazy loading of the broker.

import { addressKey } from "../http/client-address.ts";
import { limitKeys } from "../http/rate-limit.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import type { AnsweredCode, Broker, BrokerDeps, SentState } from "./broker.ts";
import type { ProofClaims, ProofContext } from "./proofs.ts";

export type Federation = ReturnType<typeof createFederation>;

/**
 * Limits per minute. When the limit of a host is reached, each account that has signed in there before
 * still has a limit of its own, so that others cannot lock its owner out. The host's limit comes first,
 * because anybody can enter the domain of an account.
 */
const MAX_PER_ADDRESS = 120;
const MAX_PER_HOST = 600;
const MAX_PER_ACCOUNT = 30;

export function createFederation(deps: Omit<BrokerDeps, "fetchAgain">) {
  const byAddress = limitKeys(MAX_PER_ADDRESS, deps.clock);
  const byHost = limitKeys(MAX_PER_HOST, deps.clock);
  const byAccount = limitKeys(MAX_PER_ACCOUNT, deps.clock);
  const fetchAgain = deps.fetch;
  const fetch: GuardedFetch = async (url, init) => {
    byHost.take(limitKeyOf(url));
    return fetchAgain(url, init);
  };
  let loading: Promise<Broker> | null = null;
  /** Loaded on first use: most services start without using an external SP. */
  function broker(): Promise<Broker> {
    loading ??= import("./broker.ts").then(({ createBroker }) =>
      createBroker({ ...deps, fetch, fetchAgain }),
    );
    return loading;
  }
  return {
    /** Counts a request that can cause requests to an SP. Rejects with `TooManyRequestsError`. */
    async count(clientAddress: string): Promise<void> {
      byAddress.take(addressKey(clientAddress));
    },
    prepare: async (sp: string) => (await broker()).prepare(sp),
    /** Drops an invalid proof, and the sign-in continues. `svc` is the service whose app the proofs are for. */
    async checkProofs(claims: ProofClaims, context: ProofContext, svc: string) {
      const { checkProofs } = await import("./proofs.ts");
      return checkProofs(claims, context, svc);
    },
    /** `accountId` is the account that the record names, or null before its first sign-in. */
    async redeem(state: SentState, code: AnsweredCode, accountId: string | null) {
      try {
        byHost.take(limitKeyOf(state.asked.token_endpoint));
      } catch (full) {
        if (accountId === null) throw full;
        byAccount.take(accountId);
      }
      return (await broker()).redeem(state, code);
    },
  };
}

/** The host. Metadata has its own limit, so that made-up issuers at a host do not block sign-ins there. */
function limitKeyOf(url: string): string {
  const { host, pathname } = new URL(url);
  return /\/\.well-known\/(?:openid-configuration|oauth-authorization-server)/.test(pathname)
    ? `${host} metadata`
    : host;
}
