// Fills a database for a benchmark.

import { systemClock } from "../packages/server/src/lib/clock.ts";
import type { ControlEvidence } from "../packages/server/src/oauth/control-evidence.ts";
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
  /** Whether the evidence of each grant is stored, which ID tokens are made from. */
  hasEvidence: boolean;
}) {
  const {
    grants: count,
    scope,
    alg: id_token_signed_response_alg,
    hasEvidence,
    ...where
  } = options;
  const now = systemClock.seconds();
  const seeded = await seedGrants({
    ...{ ...where, count, ofAccount: 20, durable: false },
    client: { type: "confidential", scope, id_token_signed_response_alg, validation_data: false },
    grant: { scope, resources: null, expiresAt: now + 365 * 86_400 },
    ...(hasEvidence && { evidence: evidenceAt(now) }),
  });
  return { ...seeded, redirectUri: REDIRECT_URI, verifier: VERIFIER };
}

function evidenceAt(now: number): ControlEvidence {
  return {
    ...{ v: 2, domain: "alice.test", domain_since: now, sp: "http://localhost:8080" },
    ...{ acct: "a".repeat(22), sid: "s".repeat(22), redirect_uri: REDIRECT_URI, nonce: null },
    dns: { status: "corroborated", checked_at: now, resolvers: 3 },
  };
}
