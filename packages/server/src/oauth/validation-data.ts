// validation_data: proof of domain control, in token responses and at its own endpoint.

import type { DnssecPart, ValidationData } from "domain-signin-verify";
import { spRecordName } from "../dns/sp-record.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { json } from "../http/responses.ts";
import { signJws } from "../keys/jws.ts";
import { randomText } from "../lib/random.ts";
import type { Grant } from "../store/grants.ts";
import { liveAccess } from "./bearer.ts";
import { type Client, subjectOf } from "./client.ts";
import type { Deps, SigningDeps } from "./deps.ts";
import { type ControlEvidence, readEvidence } from "./evidence.ts";
import { accessTokenHash } from "./id-token.ts";

/** The evidence of a grant, its client, and an access token of the same response. */
export interface AttestationInput {
  readonly evidence: ControlEvidence;
  readonly grant: Grant;
  readonly client: Client;
  readonly accessToken: string;
}

/** Returns the member with a new attestation. */
export function validationData(input: AttestationInput, deps: SigningDeps): ValidationData {
  const { evidence } = input;
  const dnssec = dnssecPart(evidence, deps.clock.seconds());
  return {
    v: 1,
    domain: evidence.domain,
    attestation: attest(input, deps),
    ...(dnssec && { dnssec }),
    ...(evidence.owner_proof && { owner_proof: evidence.owner_proof }),
  };
}

/** Null if the zone is not signed or its signatures have expired. */
function dnssecPart({ domain, dnssec }: ControlEvidence, now: number): DnssecPart | null {
  if (dnssec === undefined || dnssec.not_after <= now) return null;
  return { name: `${spRecordName(domain)}.`, type: "TXT", ...dnssec };
}

const ATTESTATION_LIFETIME_S = 600;

/**
 * The result of our checks of a domain, signed for one request of one client. `cch` and `nonce` bind it to the request; verifiers refuse an attestation
 * without both.
 */
function attest(
  { evidence, grant, client, accessToken }: AttestationInput,
  { issuer, keyring, clock, random }: SigningDeps,
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

export function createValidationDataEndpoint(
  deps: SigningDeps & Pick<Deps, "grants" | "evidences" | "clients">,
) {
  return { validationDataEndpoint };

  /**
   * GET /oauth/validation_data, for client libraries that drop unknown members of a token response.
   * No scope is required, because the token response contains the same data.
   */
  async function validationDataEndpoint(http: HttpRequest): Promise<HttpResponse> {
    const { accessToken, grant, client } = await liveAccess(http, deps);
    const evidence = client.validation_data
      ? await readEvidence(deps.evidences, grant.id, deps.clock.seconds())
      : null;
    if (evidence === null) {
      const description = "validation_data is not available for this grant or has expired";
      return json(404, { error: "not_found", error_description: description });
    }
    return json(200, validationData({ evidence, grant, client, accessToken }, deps));
  }
}
