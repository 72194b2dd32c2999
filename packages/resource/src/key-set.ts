// The keys of the issuer, fetched when they are needed and kept for ten minutes.

import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from "jose";
import { AccessTokenError } from "./errors.ts";

const FETCH_TIMEOUT_MS = 5_000;
const MAX_AGE_MS = 600_000;
/** How often a token with an unknown key may cause another fetch. */
const REFETCH_MS = 60_000;
/** How long an issuer that did not answer is left alone. */
const BACKOFF_MS = 5_000;

/**
 * Finds the key for a token. Rejects with an error of jose if the token is at fault, and with
 * `temporarily_unavailable` if the key set is: then nobody knows whether the token is valid.
 *
 * Concurrent callers share one fetch.
 */
export function remoteKeySet(issuer: string): JWTVerifyGetKey {
  const url = new URL(`${issuer}/.well-known/jwks.json`);
  let failure: { readonly error: unknown; readonly until: number } | undefined;

  const keys = createRemoteJWKSet(url, {
    cacheMaxAge: MAX_AGE_MS,
    cooldownDuration: REFETCH_MS,
    timeoutDuration: FETCH_TIMEOUT_MS,
    async [customFetch](...request) {
      if (failure && Date.now() < failure.until) throw failure.error;
      return fetch(...request);
    },
  });

  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (isOfToken(error)) throw error;
      if (error !== failure?.error) failure = { error, until: Date.now() + BACKOFF_MS };
      const reason = error instanceof Error ? error.message : String(error);
      const description = `The key set at ${url} is not available: ${reason}`;
      throw new AccessTokenError("temporarily_unavailable", description, { cause: error });
    }
  };
}

function isOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}
