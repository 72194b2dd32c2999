// The work with external SPs, as a sign-in needs it: getting ready to ask one, and redeeming its answer.

import { unlessAborted } from "../lib/unless-aborted.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import type { Asked, ExternalState } from "./authorization-request.ts";
import { UnknownClientError } from "./client-authentication.ts";
import { type CodeToRedeem, redeemCode } from "./code-exchange.ts";
import type { IdTokenClaims } from "./id-token.ts";
import { type CheckedOwnerProof, checkOwnerProof, type OwnerProofContext } from "./owner-proof.ts";
import {
  asymmetricAlgs,
  createProviders,
  type Provider,
  requirementsOf,
  unmetOf,
} from "./provider.ts";
import { createSpClients, type SpClientDeps } from "./sp-client.ts";
import { createSpKeys } from "./sp-keys.ts";
import { orProblem, SpFailure, type SpProblem } from "./sp-problem.ts";

type Problem = { readonly outcome: "problem"; readonly problem: SpProblem };

export type Prepared = {
  readonly outcome: "ready";
  readonly asked: Asked;
  readonly authorizationEndpoint: string;
};

/** The answer of the SP, and what it must be the answer to. */
type AnsweredCode = Omit<CodeToRedeem, "sp" | "asked" | "secret">;

/** "renewed": the SP had forgotten us, and we are its client anew: the person has to be sent again. */
export type Redeemed =
  | { readonly outcome: "claims"; readonly claims: IdTokenClaims }
  | { readonly outcome: "renewed" };

/** Each takes at most 5 s. Rejects with `TooManyRequestsError` for an SP that is asked too often. */
export interface Broker {
  /** Makes sure that the SP is fit and knows us. */
  prepare(sp: string): Promise<Prepared | Problem>;
  /** Redeems the code of an answer at the endpoint that stood when it was asked for. */
  redeem(
    state: ExternalState & { readonly asked: Asked },
    code: AnsweredCode,
  ): Promise<Redeemed | Problem>;
  /** Checks the claim `owner_proof`; a bad one is left out, and fails nobody's sign-in. */
  ownerProof(claim: unknown, context: OwnerProofContext): Promise<CheckedOwnerProof>;
}

/** Milliseconds that one request of a person has for all that it asks of SPs. */
const PATIENCE = 5000;

export interface BrokerDeps extends SpClientDeps {
  /** The same, for what is counted already, or is asked again of an SP that was good before. */
  readonly fetchAgain?: GuardedFetch;
}

export function createBroker(deps: BrokerDeps): Broker {
  const { clock, allowLoopback, fetch, fetchAgain = fetch } = deps;
  const providers = createProviders(deps);
  const clients = createSpClients(deps);
  // For a code alone, and that was counted.
  const keys = createSpKeys({ fetch: fetchAgain, clock });

  /** The SP, if it is what it must be. */
  async function provider(sp: string, signal: AbortSignal): Promise<Provider> {
    // Others may wait for the same finding, so it goes on when this request has no time left.
    const finding = unlessAborted(signal, providers.find(sp)).catch((error: unknown) => {
      throw signal.aborted ? new SpFailure("unreachable", "it did not answer in time") : error;
    });
    const [found, allow] = await Promise.all([finding, clients.allowedAt(sp)]);
    if (found.outcome === "problem") throw new SpFailure(found.problem.kind, found.problem.detail);
    const { metadata } = found.provider;
    const unmet = unmetOf(requirementsOf(sp, metadata, { allow, allowLoopback }));
    if (unmet !== null) throw new SpFailure("unmet_requirements", unmet);
    return found.provider;
  }

  async function prepare(sp: string, signal: AbortSignal): Promise<Prepared> {
    const { metadata } = await provider(sp, signal);
    const asked: Asked = {
      at: clock.seconds(),
      token_endpoint: metadata.token_endpoint,
      jwks_uri: metadata.jwks_uri,
      iss: metadata.authorization_response_iss_parameter_supported === true,
      algs: asymmetricAlgs(metadata),
      domain_aware: metadata.domain_signin_version === 1,
      client: await clients.become(metadata, signal),
    };
    return { outcome: "ready", asked, authorizationEndpoint: metadata.authorization_endpoint };
  }

  async function redeem(
    { sp, asked }: ExternalState & { readonly asked: Asked },
    code: AnsweredCode,
    signal: AbortSignal,
  ): Promise<Redeemed> {
    try {
      const secret = await clients.secretOf(sp, asked.client);
      const claims = await redeemCode(
        { ...code, sp, asked, secret },
        { ...deps, fetch: fetchAgain, keys },
        signal,
      );
      clients.worked(sp, asked.client);
      return { outcome: "claims", claims };
    } catch (error) {
      if (!(error instanceof UnknownClientError)) throw error;
      const { metadata } = await provider(sp, signal);
      const isRenewed = await clients.renew(metadata, asked.client, signal);
      if (isRenewed) return { outcome: "renewed" };
      throw new SpFailure("no_client", error.message);
    }
  }

  return {
    prepare: (sp) => orProblem(sp, prepare(sp, AbortSignal.timeout(PATIENCE))),
    redeem: (state, code) =>
      orProblem(state.sp, redeem(state, code, AbortSignal.timeout(PATIENCE))),
    ownerProof: (claim, context) => checkOwnerProof(claim, context, deps.issuer),
  };
}
