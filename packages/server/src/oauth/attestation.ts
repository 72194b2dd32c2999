// The attestation: what we checked of a domain, signed for one client and one request of it.

import { signJws } from "../keys/jws.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { randomText } from "../lib/random.ts";
import type { Grant } from "../store/grants.ts";
import { accessTokenHash } from "./at-hash.ts";
import { type Client, subjectOf } from "./client.ts";
import type { ControlEvidence } from "./evidence.ts";

/** What is attested: the evidence of a grant, to its client, beside an access token of it. */
export interface Attested {
  readonly evidence: ControlEvidence;
  readonly grant: Grant;
  readonly client: Client;
  readonly accessToken: string;
}

export type AttestationParts = {
  readonly issuer: string;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly random: Random;
};

/** Seconds that it may be presented. */
const LIFETIME = 600;

/**
 * A compact JWS. A request without PKCE has no `cch`, one without nonce no `nonce`; with neither the
 * attestation is bound to no request, and a verifier refuses it.
 */
export function attest(
  { evidence, grant, client, accessToken }: Attested,
  { issuer, keyring, clock, random }: AttestationParts,
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
      exp: now + LIFETIME,
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

/** How the owner was authenticated, in a word; a later version may have written an `amr` that is new to us. */
function methodOf(amr: readonly string[]): "dns" | "external" | "other" {
  if (amr.includes("dns")) return "dns";
  return amr.includes("external") ? "external" : "other";
}
