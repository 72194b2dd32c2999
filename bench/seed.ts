// Fills a database for a benchmark.

import { systemClock } from "../packages/server/src/lib/clock.ts";
import {
  REDIRECT_URI,
  seedGrants,
  VERIFIER,
} from "../packages/server/test/support/seeded-grants.ts";

/** `database` and `secret` as in the settings of the service; `alg` is that of ID tokens. */
export async function seed(options: {
  database: string;
  secret: string;
  grants: number;
  scope: string;
  alg: "ES256" | "RS256";
}) {
  const { grants: count, scope, alg: id_token_signed_response_alg, ...where } = options;
  const now = systemClock.seconds();
  const seeded = await seedGrants({
    ...{ ...where, count, ofAccount: 20, durable: false },
    client: { type: "confidential", scope, id_token_signed_response_alg, validation_data: false },
    grant: { scope, sid: "s".repeat(22), expiresAt: now + 365 * 86_400 },
  });
  return { ...seeded, redirectUri: REDIRECT_URI, verifier: VERIFIER };
}
