// The service's public keys as a JWK set (RFC 7517 §5).

import type { HttpResponse } from "../http/message.ts";
import { json } from "../http/responses.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";

/**
 * An hour: a key is published a day before it signs and a day after, so that no copy of this age lacks
 * a key that it needs, and an app asks for it seldom.
 */
const CACHED = "public, max-age=3600";

type Deps = { readonly keyring: Keyring; readonly clock: Clock };

export function createJwksEndpoint(deps: Deps) {
  return { jwksEndpoint: () => jwksEndpoint(deps) };
}

/** GET /.well-known/jwks.json */
function jwksEndpoint({ keyring, clock }: Deps): HttpResponse {
  return json(200, { keys: keyring.publicKeys(clock.seconds()) }, { "cache-control": CACHED });
}
