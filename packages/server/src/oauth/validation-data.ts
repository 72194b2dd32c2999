// validation_data: proof of domain control, as in token responses.

import type { ValidationData } from "domain-signin-verify";
import { spRecordName } from "../dns/sp-record.ts";
import { signJws } from "../keys/jws.ts";
import { randomText } from "../lib/random.ts";
import type { ControlEvidence } from "./control-evidence.ts";
import type { SigningDeps } from "./deps.ts";
import { type Issued, sharedClaims } from "./id-token.ts";
import { providerProof } from "./provider-statement.ts";

export interface AttestationInput extends Issued {
  readonly evidence: ControlEvidence;
}

/** Returns the member with a new attestation, and for an account of ours a new provider proof. */
export function validationData(input: AttestationInput, deps: SigningDeps): ValidationData {
  const { domain, dnssec } = input.evidence;
  const attested = { v: 1, domain, attestation: attest(input, deps) } as const;
  // Without the chain, which is absent if the zone is not signed or its signatures have expired, no other
  // part proves anything.
  if (dnssec === undefined || dnssec.not_after <= deps.clock.seconds()) return attested;
  const { provider_proof = ownProof(input, deps), owner_proof, statement_for } = input.evidence;
  // A service that sent the user for its app gets the owner proof for that app in the ID token.
  const isForApp = statement_for !== undefined && input.evidence.sp === deps.issuer;
  return {
    ...attested,
    dnssec: { name: `${spRecordName(domain)}.`, type: "TXT", ...dnssec },
    ...(provider_proof && { provider_proof }),
    ...(owner_proof && !isForApp && { owner_proof }),
  };
}

/** None for a service that got one for its app: one statement for each code is enough. */
function ownProof({ evidence, grant }: AttestationInput, deps: SigningDeps) {
  if (evidence.statement_for) return null;
  const { codeChallenge: cch, nonce, clientId: aud } = grant;
  const request = { aud, redirect_uri: evidence.redirect_uri, ...(cch && { cch }) };
  return providerProof(evidence, { ...request, ...(nonce && { nonce }) }, deps.issuer, deps);
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
function methodOf(amr: readonly string[]): "passkey" | "dns" | "external" | "other" {
  if (amr.includes("pop")) return "passkey";
  if (amr.includes("dns")) return "dns";
  return amr.includes("external") ? "external" : "other";
}
