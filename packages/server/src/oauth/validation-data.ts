// validation_data: proof of domain control, in token responses and at its own endpoint.

import type { DnssecPart, ValidationData } from "domain-signin-verify";
import { spRecordName } from "../dns/sp-record.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { json } from "../http/responses.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { EvidenceStore } from "../store/evidence.ts";
import type { GrantStore } from "../store/grants.ts";
import { type AttestationDeps, type AttestationInput, attest } from "./attestation.ts";
import { liveAccess } from "./bearer.ts";
import type { Clients } from "./client.ts";
import { type ControlEvidence, readEvidence } from "./evidence.ts";

/** Returns the member with a new attestation. */
export function validationData(input: AttestationInput, deps: AttestationDeps): ValidationData {
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

interface Deps {
  readonly issuer: string;
  readonly store: GrantStore & EvidenceStore;
  readonly clients: Clients;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly random: Random;
}

export function createValidationDataEndpoint(deps: Deps) {
  return {
    validationDataEndpoint: (context: HttpRequest) => validationDataEndpoint(context, deps),
  };
}

/**
 * GET /oauth/validation_data, for client libraries that drop unknown members of a token response. No
 * scope is required, because the token response contains the same data.
 */
async function validationDataEndpoint(http: HttpRequest, deps: Deps): Promise<HttpResponse> {
  const { accessToken, grant, client } = await liveAccess(http, deps);
  const evidence = client.validation_data
    ? await readEvidence(deps.store, grant.id, deps.clock.seconds())
    : null;
  if (evidence === null) {
    const description = "validation_data is not available for this grant or has expired";
    return json(404, { error: "not_found", error_description: description });
  }
  return json(200, validationData({ evidence, grant, client, accessToken }, deps));
}
