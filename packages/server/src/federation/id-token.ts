// The one judge of an SP's ID token: its signature, its claims, and the account that it names.
//
// Checked in this order: `iss`, `aud`, `nonce`, `exp` and the algorithm (by the library, in
// `code-exchange`), the signature, the other claims, and last whether the record names that account.

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

/** Seconds that clocks may differ. */
export const SKEW_S = 60;

/** What the ID token must fit to. Times in epoch seconds. */
export interface Expected {
  readonly clientId: string;
  /** When the person was sent to the SP. */
  readonly askedAt: number;
  /** Seconds that the authentication might be old when the person was sent. */
  readonly maxAge: number | undefined;
  /** Whether the person was to sign in anew, whatever session there was. */
  readonly isAnew: boolean;
  readonly now: number;
  readonly record: NamedAccount;
}

/** The account that the SP record names. */
export interface NamedAccount {
  readonly sp: string;
  readonly domain: string;
  readonly acct: string;
  /** Whether the SP proves domains and accounts itself. */
  readonly isAware: boolean;
}

/**
 * The claims of the token response, once signature and claims are found to be good. `isOurs` tells
 * errors that are not about the token. Throws `SpFailure`.
 */
export async function judgeIdToken(
  received: { readonly tokens: TokenEndpointResponse; readonly response: Response },
  by: {
    readonly as: AuthorizationServer;
    readonly keys: SpKeys;
    readonly allowLoopback: boolean;
    readonly signal: AbortSignal;
    readonly isOurs: (error: unknown) => boolean;
  },
  expected: Expected,
): Promise<IdTokenClaims> {
  const { as, keys, allowLoopback, signal, isOurs } = by;
  const verify = async (isAgain: boolean) => {
    const text = await keys.read(as.jwks_uri ?? "", { isAgain, signal });
    const headers = { "content-type": "application/json" };
    await validateApplicationLevelSignature({ ...as }, received.response, {
      [allowInsecureRequests]: allowLoopback,
      [customFetch]: async () => new Response(text, { headers }),
    });
  };
  // A key that is not among the remembered ones may be among those of today.
  await verify(false).catch((error) => {
    if (isOurs(error)) throw error;
    return verify(true);
  });
  const claims = getValidatedIdTokenClaims(received.tokens);
  if (claims === undefined) throw new SpFailure("bad_answer", "its answer holds no ID token");
  checkClaims(claims, expected);
  const problem = bindingProblem(claims, expected.record);
  if (problem !== null) throw new SpFailure(problem.kind, problem.detail);
  return claims;
}

/** The claims that the library leaves unchecked. Throws `SpFailure`. */
function checkClaims({ iat, exp, sub, azp, auth_time }: IdTokenClaims, to: Expected): void {
  const insist = (isGood: boolean, what: string) => {
    if (!isGood) throw new SpFailure("bad_answer", `its ID token ${what}`);
  };
  insist(sub !== "", "has an empty sub");
  insist(azp === undefined || azp === to.clientId, "is for another azp");
  insist(iat <= to.now + SKEW_S, "is of the future");
  insist(exp > iat, "ends before it begins");
  insist(auth_time === undefined || auth_time <= to.now + SKEW_S, "has an auth_time of the future");
  // It need not say when, but it must not say that it was before.
  const isOfNow = auth_time === undefined || auth_time >= to.askedAt - SKEW_S;
  insist(
    !to.isAnew || isOfNow,
    "is of an authentication before, though prompt=login was asked for",
  );
  if (to.maxAge === undefined) return;
  insist(auth_time !== undefined, "has no auth_time, though max_age was asked for");
  const isFresh = (auth_time ?? 0) + to.maxAge >= to.askedAt - SKEW_S;
  insist(isFresh, "is of an authentication that is older than max_age");
}

/** Null if the claims are about the account of the record, or what does not fit. A pure function. */
export function bindingProblem(
  claims: { readonly sub: string; readonly domain?: unknown; readonly acct?: unknown },
  record: NamedAccount,
): Pick<SpProblem, "kind" | "detail"> | null {
  const { sp, domain, acct } = record;
  if (record.isAware) {
    if (typeof claims.domain !== "string" || typeof claims.acct !== "string") {
      return { kind: "bad_answer", detail: "its ID token lacks domain or acct" };
    }
    if (claims.domain !== domain) {
      return { kind: "other_domain", detail: `its ID token is not for ${domain}` };
    }
    if (claims.acct === acct) return null;
    return { kind: "other_account", detail: "its ID token names another acct than the record" };
  }
  const found = acctOf(sp, claims.sub, domain);
  if (found === acct) return null;
  return { kind: "other_account", detail: `the account that signed in there is acct=${found}` };
}
