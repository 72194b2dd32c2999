// ID tokens (OIDC Core §2), and the claims that they share with attestations.

import { createHash } from "node:crypto";
import { type Client, subjectOf } from "../clients/client.ts";
import { profileClaims } from "../clients/scopes.ts";
import { signJwsAsync } from "../keys/jws.ts";
import type { SigningAlg } from "../keys/signing-key.ts";
import { acrOf } from "../sessions/acr.ts";
import type { Grant } from "../store/grant-row.ts";
import type { GrantStore } from "../store/grants.ts";
import type { ControlEvidence, PassedOn } from "./control-evidence.ts";
import type { Deps } from "./deps.ts";

/** The claims about the owner. `acct` is the account in the domain's record. */
export type Owner = Pick<ControlEvidence, "domain" | "domain_since" | "acct"> &
  Partial<Pick<ControlEvidence, "sid" | "claims">>;

/** A grant, its client, and an access token of the same response. */
export interface Issued {
  readonly grant: Pick<
    Grant,
    "clientId" | "accountId" | "authTime" | "amr" | "nonce" | "codeChallenge"
  >;
  readonly client: Client;
  readonly accessToken: string;
}

export interface IdTokenInput extends Issued {
  readonly owner: Owner;
  /** Only for a service that forwards them to one of its apps. */
  readonly proofs?: PassedOn;
}

const LIFETIME_S = 600;

/** The purpose of the keys of each algorithm. */
export const PURPOSE_OF = {
  ES256: "es256",
  RS256: "rs256",
  EdDSA: "eddsa",
} as const satisfies Record<SigningAlg, string>;

/** Returns a compact JWS, signed with the current key for the client's algorithm. */
export async function mintIdToken(
  { owner, proofs, ...issued }: IdTokenInput,
  deps: Pick<Deps, "issuer" | "keyring" | "clock">,
): Promise<string> {
  const alg = issued.client.id_token_signed_response_alg;
  const claims = sharedClaims(owner, issued, alg, deps);
  const ofIdToken = { acr: acrOf(issued.grant.amr), sid: owner.sid };
  Object.assign(claims, ofIdToken, requestedClaims(owner), proofs);
  const key = deps.keyring.signingKeyAt(PURPOSE_OF[alg], claims.iat);
  return signJwsAsync(key, { typ: "JWT" }, claims);
}

/** The claims about the owner and the request of the client. */
export function sharedClaims(
  { domain, domain_since, acct }: Owner,
  { grant, client, accessToken }: Issued,
  alg: SigningAlg,
  { issuer, clock }: Pick<Deps, "issuer" | "clock">,
) {
  const iat = clock.seconds();
  return {
    iss: issuer,
    sub: subjectOf(client, { id: grant.accountId, domain }),
    aud: grant.clientId,
    exp: iat + LIFETIME_S,
    iat,
    auth_time: grant.authTime,
    nonce: grant.nonce ?? undefined,
    at_hash: accessTokenHash(accessToken, alg),
    amr: grant.amr.split(" "),
    domain,
    domain_since,
    acct,
  };
}

function requestedClaims({ domain, claims = [] }: Owner) {
  const all = profileClaims(domain);
  return Object.fromEntries(claims.map((name) => [name, all[name]]));
}

/** The owner of a grant whose code was issued without evidence. Null if there is no such grant. */
export async function ownerOf(grants: GrantStore, grantId: string): Promise<Owner | null> {
  const found = await grants.readGrant(grantId);
  if (found === null) return null;
  const { domain, createdAt, acct } = found.account;
  return { domain, domain_since: createdAt, acct };
}

/**
 * The claim `at_hash`, which binds a signed token to an access token (OIDC Core §3.1.3.6): the left
 * half of the hash of the algorithm, in base64url. Ed25519 uses SHA-512.
 */
export function accessTokenHash(accessToken: string, alg: SigningAlg): string {
  const hash = createHash(alg === "EdDSA" ? "sha512" : "sha256");
  const octets = hash.update(accessToken, "ascii").digest();
  return octets.subarray(0, octets.length / 2).toString("base64url");
}
