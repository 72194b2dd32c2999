// Validates the ID token of an SP: signature, claims, and the account that it names.
//
// Order of the checks: `iss`, `aud`, `nonce`, `exp` and the algorithm (by the library, in
// `code-exchange`), the signature, the other claims, and whether the record names the account.

import {
  type AuthorizationServer,
  allowInsecureRequests,
  customFetch,
  getValidatedIdTokenClaims,
  type IDToken,
  type TokenEndpointResponse,
  validateApplicationLevelSignature,
} from "oauth4webapi";
import { acctOf } from "./account.ts";
import type { SpKeys } from "./sp-keys.ts";
import { SpFailure, type SpProblem } from "./sp-problem.ts";

export type IdTokenClaims = IDToken;

/** Allowed clock difference. */
export const SKEW_S = 60;

/** What the ID token is checked against. Times are in epoch seconds. */
export interface Expected {
  readonly clientId: string;
  /** When the authorization request was sent. */
  readonly requestedAt: number;
  /** `max_age` of the request, in seconds. */
  readonly maxAge: number | undefined;
  /** Whether the request had `prompt=login`. */
  readonly forceLogin: boolean;
  readonly now: number;
  readonly record: NamedAccount;
}

/** The account that the SP record names. */
export interface NamedAccount {
  readonly sp: string;
  readonly domain: string;
  readonly acct: string;
  /** Whether ID tokens of the SP contain `domain` and `acct`. */
  readonly isDomainAware: boolean;
}

/**
 * Returns the claims of the ID token in the token response. `isReported` recognizes errors that are
 * passed on unchanged. Throws `SpFailure`.
 */
export async function validateIdToken(
  received: { readonly tokens: TokenEndpointResponse; readonly response: Response },
  context: {
    readonly as: AuthorizationServer;
    readonly keys: SpKeys;
    readonly allowLoopback: boolean;
    readonly signal: AbortSignal;
    readonly isReported: (error: unknown) => boolean;
  },
  expected: Expected,
): Promise<IdTokenClaims> {
  const { as, keys, allowLoopback, signal, isReported } = context;
  const verify = async (forceRefresh: boolean) => {
    const text = await keys.read(as.jwks_uri ?? "", { forceRefresh, signal });
    const headers = { "content-type": "application/json" };
    await validateApplicationLevelSignature({ ...as }, received.response, {
      [allowInsecureRequests]: allowLoopback,
      [customFetch]: async () => new Response(text, { headers }),
    });
  };
  // The cached key set may be older than the key.
  await verify(false).catch((error) => {
    if (isReported(error)) throw error;
    return verify(true);
  });
  const claims = getValidatedIdTokenClaims(received.tokens);
  if (claims === undefined)
    throw new SpFailure("bad_answer", "the token response contains no ID token");
  checkClaims(claims, expected);
  const problem = bindingProblem(claims, expected.record);
  if (problem !== null) throw new SpFailure(problem.kind, problem.detail);
  return claims;
}

/** Checks the claims that the library does not check. Throws `SpFailure`. */
function checkClaims(claims: IdTokenClaims, expected: Expected): void {
  const { iat, exp, sub, azp, auth_time } = claims;
  const { clientId, requestedAt, maxAge, forceLogin, now } = expected;
  const insist = (isGood: boolean, problem: string) => {
    if (!isGood) throw new SpFailure("bad_answer", `the ID token ${problem}`);
  };
  insist(sub !== "", "has an empty sub");
  insist(azp === undefined || azp === clientId, "has a different azp");
  insist(iat <= now + SKEW_S, "has an iat in the future");
  insist(exp > iat, "has an exp that is not after iat");
  insist(auth_time === undefined || auth_time <= now + SKEW_S, "has an auth_time in the future");
  // With prompt=login alone auth_time is optional, but it must not be before the request.
  const isNewLogin = auth_time === undefined || auth_time >= requestedAt - SKEW_S;
  insist(
    !forceLogin || isNewLogin,
    "has an auth_time before the request, although prompt=login was requested",
  );
  if (maxAge === undefined) return;
  insist(auth_time !== undefined, "has no auth_time, although max_age was requested");
  const isFresh = (auth_time ?? 0) + maxAge >= requestedAt - SKEW_S;
  insist(isFresh, "has an auth_time that is older than max_age");
}

/** Null if the claims are about the account that the record names, else the problem. A pure function. */
export function bindingProblem(
  claims: { readonly sub: string; readonly domain?: unknown; readonly acct?: unknown },
  record: NamedAccount,
): Pick<SpProblem, "kind" | "detail"> | null {
  const { sp, domain, acct } = record;
  if (record.isDomainAware) {
    if (typeof claims.domain !== "string" || typeof claims.acct !== "string") {
      return { kind: "bad_answer", detail: "the ID token has no domain or acct claim" };
    }
    if (claims.domain !== domain) {
      return { kind: "other_domain", detail: `the domain claim of the ID token is not ${domain}` };
    }
    if (claims.acct === acct) return null;
    return {
      kind: "other_account",
      detail: "the acct claim of the ID token is not the acct of the record",
    };
  }
  const found = acctOf(sp, claims.sub, domain);
  if (found === acct) return null;
  return {
    kind: "other_account",
    detail: `the account that signed in has acct=${found}, which is not the acct of the record`,
  };
}
