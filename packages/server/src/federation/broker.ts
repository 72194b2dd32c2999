// Sign-in at external SPs: prepares the authorization request, and redeems the code.

import { spellingMistakes } from "domain-signin-verify/record";
import { describeProblem } from "domain-signin-verify/record-problems";
import type { Requester } from "../lib/fair-queue.ts";
import type { Random } from "../lib/random.ts";
import { unlessAborted } from "../lib/within.ts";
import { createAcctCheck } from "./acct-hash.ts";
import {
  asymmetricAlgs,
  createProviders,
  createSpKeys,
  type ProviderMetadata,
  requirementsOf,
  type SpCall,
  unmetOf,
} from "./provider.ts";
import type { ExternalState, SentRequest } from "./sp-authorization.ts";
import { createSpClients, type SpClientDeps } from "./sp-client.ts";
import { createIdTokenJudge } from "./sp-id-token.ts";
import { failureOf, SpFailure, type SpProblem, UnknownClientError } from "./sp-problem.ts";
import { type CodeToRedeem, createTokenEndpoint } from "./token-endpoint.ts";

export type SentState = ExternalState & { readonly asked: SentRequest };

/** The authorization response, and what it is checked against. */
export type AnsweredCode = Omit<CodeToRedeem, "sp" | "asked" | "secret">;

/** Each call takes at most 5 s. */
export type Broker = ReturnType<typeof createBroker>;

/** The time for all requests to an SP during one request of a user. */
const SP_TIMEOUT_MS = 5000;

export interface BrokerDeps extends SpClientDeps {
  readonly random: Random;
}

export function createBroker(deps: BrokerDeps) {
  const { clock, allowLoopback } = deps;
  const providers = createProviders(deps.fetch, clock);
  const clients = createSpClients(deps);
  const tokenEndpoint = createTokenEndpoint(deps);
  const judge = createIdTokenJudge({
    keys: createSpKeys(deps.fetch, clock),
    accts: createAcctCheck(deps),
    clock,
    allowLoopback,
  });

  /** Throws `SpFailure` if the SP does not meet the requirements. */
  async function metadataOf(sp: string, call: SpCall): Promise<ProviderMetadata> {
    const { signal, from } = call;
    const [misspelt] = spellingMistakes(sp, deps.issuer);
    if (misspelt) throw new SpFailure("own_issuer", describeProblem(misspelt));
    // Other requests may share this call, so it continues after this request times out.
    const finding = unlessAborted(signal, providers.find(sp, from)).catch((error: unknown) => {
      throw signal.aborted ? new SpFailure("unreachable", "the SP did not respond in time") : error;
    });
    const [metadata, allow] = await Promise.all([finding, clients.allowancesOf(sp)]);
    const unmet = unmetOf(requirementsOf(sp, metadata, { allow, allowLoopback }));
    if (unmet !== null) throw new SpFailure("unmet_requirements", unmet);
    return metadata;
  }

  async function prepare(sp: string, call: SpCall) {
    const metadata = await metadataOf(sp, call);
    const asked: SentRequest = {
      at: clock.seconds(),
      token_endpoint: metadata.token_endpoint,
      jwks_uri: metadata.jwks_uri,
      iss: metadata.authorization_response_iss_parameter_supported === true,
      algs: asymmetricAlgs(metadata),
      domain_aware: metadata.domain_signin_version === 1,
      client: await clients.clientFor(metadata, call),
    };
    const authorizationEndpoint = metadata.authorization_endpoint;
    return { outcome: "ready", asked, authorizationEndpoint } as const;
  }

  async function redeem({ sp, asked }: SentState, code: AnsweredCode, call: SpCall) {
    try {
      const secret = await clients.secretOf(sp, asked.client);
      const sent = { ...code, sp, asked, secret };
      const claims = await tokenEndpoint.redeemCode(sent, judge, call);
      await clients.noteSuccess(sp, asked.client);
      return { outcome: "claims", claims } as const;
    } catch (error) {
      if (!(error instanceof UnknownClientError)) throw error;
      const metadata = await metadataOf(sp, call);
      const isRenewed = await clients.renew(metadata, asked.client, call);
      if (isRenewed) return { outcome: "renewed" } as const;
      throw new SpFailure("no_client", error.message);
    }
  }

  return {
    /** Checks the requirements for the SP, and registers there if necessary. */
    prepare: (sp: string, from: Requester) => orProblem(sp, prepare(sp, callFor(from))),
    /** "renewed": the SP no longer knew our client, which was registered again. Send the user there again. */
    redeem: (state: SentState, code: AnsweredCode, from: Requester) =>
      orProblem(state.sp, redeem(state, code, callFor(from))),
  };
}

function callFor(from: Requester): SpCall {
  return { signal: AbortSignal.timeout(SP_TIMEOUT_MS), from };
}

/** Resolves to a problem of the SP, and rejects with any other error. */
function orProblem<T>(sp: string, work: Promise<T>) {
  return work.catch((error: unknown) => {
    const { kind, message: detail } = failureOf(error);
    const problem: SpProblem = { kind, sp, detail };
    return { outcome: "problem", problem } as const;
  });
}
