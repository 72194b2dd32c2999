// validation_data: proof of domain control, as in token responses.

import type { ValidationData } from "domain-signin-verify";
import { spRecordName } from "../dns/sp-record.ts";
import { signJws } from "../keys/jws.ts";
import { randomText } from "../lib/random.ts";
import type { SigningDeps } from "./deps.ts";
import type { ControlEvidence } from "./evidence.ts";
import { type Issued, sharedClaims } from "./id-token.ts";

export interface AttestationInput extends Issued {
  readonly evidence: ControlEvidence;
}

/** Returns the member with a new attestation. */
export function validationData(input: AttestationInput, deps: SigningDeps): ValidationData {
  const { domain, dnssec, owner_proof } = input.evidence;
  // Absent if the zone is not signed or its signatures have expired.
  const isSigned = dnssec !== undefined && dnssec.not_after > deps.clock.seconds();
  return {
    v: 1,
    domain,
    attestation: attest(input, deps),
    ...(isSigned && { dnssec: { name: `${spRecordName(domain)}.`, type: "TXT", ...dnssec } }),
    ...(owner_proof && { owner_proof }),
  };
}

/**
 * The result of our checks of a domain, signed for one request of one client. `cch` and `nonce` bind it
 * to the request; verifiers refuse an attestation without both.
 */
function attest({ evidence, ...issued }: AttestationInput, deps: SigningDeps): string {
  const { codeChallenge } = issued.grant;
  const shared = sharedClaims(evidence, issued, "ES256", deps);
  return signJws(
    deps.keyring.signingKeyAt("es256", shared.iat),
    { typ: "domain-attestation+jwt" },
    {
      ...shared,
      jti: randomText(deps.random, 16),
      method: methodOf(shared.amr),
      sp: evidence.sp,
      redirect_uri: evidence.redirect_uri,
      ...(codeChallenge !== null && { cch: codeChallenge }),
      dns: evidence.dns,
    },
  );
}

/** `other` is for `amr` values that a later version has stored. */
function methodOf(amr: readonly string[]): "dns" | "external" | "other" {
  if (amr.includes("dns")) return "dns";
  return amr.includes("external") ? "external" : "other";
}
