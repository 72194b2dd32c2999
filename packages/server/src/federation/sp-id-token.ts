// Judges the ID token of an SP, and whether it is for the account (`acct`) that a record names.

import { formatSpRecord } from "domain-signin-verify/record";
import {
  type AuthorizationServer,
  allowInsecureRequests,
  type Client,
  customFetch,
  getValidatedIdTokenClaims,
  type IDToken,
  processAuthorizationCodeResponse,
  validateApplicationLevelSignature,
} from "oauth4webapi";
import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import { type AccountAt, type AcctCheck, newAcct } from "./acct-hash.ts";
import { issuerMistake, type SpCall, type SpKeys } from "./provider.ts";
import type { SentRequest } from "./sp-authorization.ts";
import { isReported, SpFailure } from "./sp-problem.ts";

/** Allowed clock difference. */
export const SKEW_S = 60;

interface RecordedAccount {
  readonly sp: string;
  readonly domain: string;
  readonly acct: string;
  readonly asked: { readonly domain_aware: boolean };
}

export interface Expected extends RecordedAccount {
  readonly asked: SentRequest;
  /** `max_age` of the request, in seconds. */
  readonly maxAge: number | undefined;
  /** Whether the request had `prompt=login`. */
  readonly forceLogin: boolean;
}

interface ReceivedTokens {
  readonly as: AuthorizationServer & { readonly jwks_uri: string };
  readonly client: Client;
  readonly response: Response;
  readonly nonce: string;
}

interface Deps {
  readonly keys: SpKeys;
  readonly accts: AcctCheck;
  readonly clock: Clock;
  readonly allowLoopback: boolean;
}

export type IdTokenJudge = ReturnType<typeof createIdTokenJudge>;

/**
 * Judges the ID token of a token response, in this order: `iss`, `aud`, `nonce`, `exp` and the algorithm
 * (by the library), the signature, the other claims, and whether the record names the account. Returns
 * the claims. Throws `SpFailure`, or an error of the library.
 */
export function createIdTokenJudge({ keys, accts, clock, allowLoopback }: Deps) {
  async function verifySignature(
    { as, response }: ReceivedTokens,
    call: SpCall,
    forceRefresh: boolean,
  ): Promise<void> {
    const keySet = await keys.read(as.jwks_uri, call, { forceRefresh });
    const headers = { "content-type": "application/json" };
    await validateApplicationLevelSignature({ ...as }, response, {
      [allowInsecureRequests]: allowLoopback,
      [customFetch]: async () => new Response(JSON.stringify(keySet), { headers }),
    });
  }

  return async (received: ReceivedTokens, expected: Expected, call: SpCall) => {
    const { as, client, response, nonce } = received;
    const tokens = await processAuthorizationCodeResponse(as, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    // The cached key set may be older than the key.
    await verifySignature(received, call, false).catch((error) => {
      if (isReported(error)) throw error;
      return verifySignature(received, call, true);
    });
    const claims = getValidatedIdTokenClaims(tokens);
    if (claims === undefined) {
      throw new SpFailure("bad_answer", "the token response contains no ID token");
    }
    checkClaims(claims, expected, clock.seconds());
    // Last, because it can be expensive.
    const problem = await bindingProblem(claims, expected, accts, call);
    if (problem !== null) throw problem;
    return claims;
  };
}

/** Checks the claims that the library does not check. `now` is in epoch seconds. Throws `SpFailure`. */
export function checkClaims(claims: IDToken, expected: Expected, now: number): void {
  const { iat, exp, sub, azp, auth_time } = claims;
  const { asked, maxAge, forceLogin } = expected;
  const insist = (isGood: boolean, problem: string) => {
    if (!isGood) throw new SpFailure("bad_answer", `the ID token ${problem}`);
  };
  insist(sub !== "", "has an empty sub");
  insist(azp === undefined || azp === asked.client.id, "has a different azp");
  insist(iat <= now + SKEW_S, "has an iat in the future");
  insist(exp > iat, "has an exp that is not after iat");
  insist(auth_time === undefined || auth_time <= now + SKEW_S, "has an auth_time in the future");
  // With prompt=login alone auth_time is optional, but it must not be before the request.
  const isNewLogin = auth_time === undefined || auth_time >= asked.at - SKEW_S;
  insist(
    !forceLogin || isNewLogin,
    "has an auth_time before the request, although prompt=login was requested",
  );
  if (maxAge !== undefined) {
    insist(auth_time !== undefined, "has no auth_time, although max_age was requested");
    const isFresh = (auth_time ?? 0) + maxAge >= asked.at - SKEW_S;
    insist(isFresh, "has an auth_time that is older than max_age");
  }
}

/** Null if the claims are about the account that the record names, else the problem. */
export async function bindingProblem(
  claims: { readonly sub: string; readonly domain?: unknown; readonly acct?: unknown },
  { sp, domain, acct, asked }: RecordedAccount,
  accts: AcctCheck,
  call: SpCall,
): Promise<SpFailure | null> {
  if (asked.domain_aware) {
    if (typeof claims.domain !== "string" || typeof claims.acct !== "string") {
      return new SpFailure("bad_answer", "the ID token has no domain or acct claim");
    }
    if (claims.domain !== domain) {
      return new SpFailure("other_domain", `the domain claim of the ID token is not ${domain}`);
    }
    if (claims.acct === acct) return null;
    const detail = "the acct claim of the ID token is not the acct of the record";
    return new SpFailure("other_account", detail);
  }
  const actual = await accts.mismatch({ issuer: sp, sub: claims.sub, domain }, acct, call);
  if (actual === null) return null;
  const detail = `the account that signed in has acct=${actual}, which is not the acct of the record`;
  return new SpFailure("other_account", detail);
}

/** The record to publish; each call has a salt of its own. Rejects with an `OperatorError` that lists every mistake. */
export async function accountRecord({ issuer, sub, domain }: AccountAt, random: Random) {
  const mistakes = [
    issuerMistake(issuer, { allowLoopbackIssuer: true, allowIssuerPort: true }),
    // OpenID Connect Core §2.
    !/^[\x20-\x7e]{1,255}$/.test(sub) &&
      "sub (--sub) must be 1 to 255 ASCII characters, exactly as the provider issues it",
  ].filter((mistake) => typeof mistake === "string");
  if (mistakes.length > 0) throw new OperatorError(mistakes.join("\n"));
  const acct = await newAcct({ issuer, sub, domain }, random);
  return { acct, value: formatSpRecord({ sp: issuer, acct }) };
}
