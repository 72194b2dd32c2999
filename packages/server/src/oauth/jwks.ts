// The service's public keys as a JWK set (RFC 7517 §5).

import type { Handler } from "../http/channels.ts";
import { json } from "../http/headers.ts";
import type { OAuthParts } from "./parts.ts";

/**
 * An hour: a key is published a day before it signs and a day after, so that no copy of this age lacks
 * a key that it needs, and an app asks for it seldom.
 */
const CACHED = "public, max-age=3600";

/** GET /.well-known/jwks.json */
export function jwksEndpoint({ keyring, clock }: Pick<OAuthParts, "keyring" | "clock">): Handler {
  return () =>
    json(200, { keys: keyring.publicKeys(clock.seconds()) }, { "cache-control": CACHED });
}
