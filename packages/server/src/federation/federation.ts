// The door to the work with external SPs: counts who asks for it, and loads it with the first of them.

import { addressKey } from "../http/client-address.ts";
import { limitKeys } from "../http/rate-limit.ts";
import type { Broker, BrokerDeps } from "./broker.ts";

export interface Federation extends Omit<Broker, "redeem"> {
  /** Counts a request that may have us ask an SP. Rejects with `TooManyRequestsError`. */
  count(clientAddress: string): Promise<void>;
  /** `accountId` is that of the account which the record names, or null if nobody signed in to it yet. */
  redeem(
    ...asked: [...Parameters<Broker["redeem"]>, accountId: string | null]
  ): ReturnType<Broker["redeem"]>;
}

/**
 * What one address may have us ask for in a minute, what one SP is asked, and for each account that it
 * has signed in before after that: strangers cannot use up what its own people need. Never for the
 * account first: anybody can type its domain.
 */
const BY_ADDRESS = 120;
const BY_HOST = 600;
const BY_ACCOUNT = 30;

export function createFederation(deps: BrokerDeps): Federation {
  const byAddress = limitKeys(BY_ADDRESS, deps.clock);
  const byHost = limitKeys(BY_HOST, deps.clock);
  const byAccount = limitKeys(BY_ACCOUNT, deps.clock);
  const counted: BrokerDeps = {
    ...deps,
    fetchAgain: deps.fetchAgain ?? deps.fetch,
    async fetch(url, init) {
      byHost.take(limitKeyOf(url));
      return deps.fetch(url, init);
    },
  };
  let loading: Promise<Broker> | null = null;
  const broker = () => {
    // Most services start, and some live, without an external SP.
    loading ??= import("./broker.ts").then(({ createBroker }) => createBroker(counted));
    return loading;
  };
  return {
    async count(clientAddress) {
      const key = addressKey(clientAddress);
      if (key !== null) byAddress.take(key);
    },
    prepare: async (sp) => (await broker()).prepare(sp),
    ownerProof: async (claim, context) => (await broker()).ownerProof(claim, context),
    async redeem(state, code, accountId) {
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

/**
 * By host, and its metadata apart: whoever makes up issuers at a host leaves those be who were sent to
 * one of its own.
 */
function limitKeyOf(url: string): string {
  const { host, pathname } = new URL(url);
  return METADATA.test(pathname) ? `${host} metadata` : host;
}

const METADATA = /\/\.well-known\/(?:openid-configuration|oauth-authorization-server)/;
