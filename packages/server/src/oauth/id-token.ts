// ID tokens (OIDC Core §2).

import type { OwnerProofPart } from "domain-signin-verify";
import { signJwsAside } from "../keys/jws.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { SigningAlg } from "../keys/signing-key.ts";
import type { Clock } from "../lib/clock.ts";
import type { Grant } from "../store/grants.ts";
import type { Store } from "../store/store.ts";
import { accessTokenHash } from "./at-hash.ts";
import { type Client, subjectOf } from "./client.ts";
import type { ControlEvidence } from "./evidence.ts";

/** The claims about the owner. `acct` is the account in the domain's record. */
export type Owner = Pick<ControlEvidence, "domain" | "domain_since" | "acct">;

export interface IdTokenInput {
  readonly owner: Owner;
  readonly grant: Grant;
  readonly client: Client;
  /** The access token of the same response. */
  readonly accessToken: string;
  /** Only for a service that forwards it to one of its apps. */
  readonly ownerProof?: OwnerProofPart | null;
}

const ID_TOKEN_LIFETIME_S = 600;

const PURPOSE_OF = {
  ES256: "es256",
  RS256: "rs256",
  EdDSA: "eddsa",
} as const satisfies Record<SigningAlg, string>;

/** Returns a compact JWS, signed with the current key for the client's algorithm. */
export async function mintIdToken(
  { owner, grant, client, accessToken, ownerProof }: IdTokenInput,
  {
    issuer,
    keyring,
    clock,
  }: { readonly issuer: string; readonly keyring: Keyring; readonly clock: Clock },
): Promise<string> {
  const now = clock.seconds();
  const alg = client.id_token_signed_response_alg;
  const { domain, domain_since, acct } = owner;
  return signJwsAside(
    keyring.signingKeyAt(PURPOSE_OF[alg], now),
    { typ: "JWT" },
    {
      iss: issuer,
      sub: subjectOf(client, { id: grant.accountId, domain }),
      aud: grant.clientId,
      exp: now + ID_TOKEN_LIFETIME_S,
      iat: now,
      auth_time: grant.authTime,
      ...(grant.nonce !== null && { nonce: grant.nonce }),
      at_hash: accessTokenHash(accessToken, alg),
      amr: grant.amr.split(" "),
      domain,
      domain_since,
      acct,
      ...(ownerProof && { owner_proof: ownerProof }),
    },
  );
}

/** The owner of a grant whose code was issued without evidence. Null if there is no such grant. */
export async function ownerOf(
  store: Pick<Store, "readGrant">,
  grantId: string,
): Promise<Owner | null> {
  const found = await store.readGrant(grantId);
  if (found === null) return null;
  const { domain, createdAt, acct } = found.account;
  return { domain, domain_since: createdAt, acct };
}
