// The attestation: the result of our checks of a domain, signed for one request of one client.

import { signJws } from "../keys/jws.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { randomText } from "../lib/random.ts";
import type { Grant } from "../store/grants.ts";
import { accessTokenHash } from "./at-hash.ts";
import { type Client, subjectOf } from "./client.ts";
import type { ControlEvidence } from "./evidence.ts";

/** The evidence of a grant, its client, and an access token of the same response. */
export interface AttestationInput {
  readonly evidence: ControlEvidence;
  readonly grant: Grant;
  readonly client: Client;
  readonly accessToken: string;
}

export interface AttestationDeps {
  readonly issuer: string;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly random: Random;
}

const ATTESTATION_LIFETIME_S = 600;

/**
 * Returns a compact JWS. `cch` and `nonce` bind it to the request; verifiers refuse an attestation
 * without both.
 */
export function attest(
  { evidence, grant, client, accessToken }: AttestationInput,
  { issuer, keyring, clock, random }: AttestationDeps,
): string {
  const now = clock.seconds();
  const amr = grant.amr.split(" ");
  return signJws(
    keyring.signingKeyAt("es256", now),
    { typ: "domain-attestation+jwt" },
    {
      iss: issuer,
      aud: grant.clientId,
      sub: subjectOf(client, { id: grant.accountId, domain: evidence.domain }),
      domain: evidence.domain,
      domain_since: evidence.domain_since,
      iat: now,
      exp: now + ATTESTATION_LIFETIME_S,
      jti: randomText(random, 16),
      auth_time: grant.authTime,
      amr,
      method: methodOf(amr),
      sp: evidence.sp,
      acct: evidence.acct,
      redirect_uri: evidence.redirect_uri,
      ...(grant.nonce !== null && { nonce: grant.nonce }),
      ...(grant.codeChallenge !== null && { cch: grant.codeChallenge }),
      at_hash: accessTokenHash(accessToken, "ES256"),
      dns: evidence.dns,
    },
  );
}

/** `other` is for `amr` values that a later version has stored. */
function methodOf(amr: readonly string[]): "dns" | "external" | "other" {
  if (amr.includes("dns")) return "dns";
  return amr.includes("external") ? "external" : "other";
}
