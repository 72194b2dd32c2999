// Access tokens for a resource: JWTs (RFC 9068). How one is verified, and how its `jti` holds the grant.
//
// The octets of `jti`: key id (1), nonce (12), then sealed with AES-256-GCM: grant id (16) and scope mask (4), and
// the tag (16). The audience and the expiry are its associated data. See
// docs/decisions/0032-access-tokens-for-resources.md.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  type KeyObject,
  verify,
} from "node:crypto";
import type { Keyring, MacKey } from "../keys/keyring.ts";
import type { PublicJwk } from "../keys/signing-key.ts";

export const RESOURCE_TOKEN_TYPE = "at+jwt";
const PURPOSE = "domain-signin access token id v1";
const ID_OCTETS = 16;
export const NONCE_OCTETS = 12;
const TAG_OCTETS = 16;
const JTI_OCTETS = 1 + NONCE_OCTETS + ID_OCTETS + 4 + TAG_OCTETS;
/** A key seals the ids of the tokens that expire in the same hour: fewer than the 2^32 that random nonces allow. */
const KEY_PERIOD_S = 3600;

export interface ParsedToken {
  readonly grantId: string;
  readonly scopeMask: number;
  /** Epoch seconds, like `issuedAt`. */
  readonly expiresAt: number;
  readonly issuedAt: number;
  /** The URI of the resource; null for an opaque token. */
  readonly resource: string | null;
  readonly isForUserinfo: boolean;
}

/** A token that this service has issued, and the keys by which it did. */
export interface VerifiedToken {
  readonly token: ParsedToken;
  readonly kid: string;
  readonly macKeyId: number;
}

/** What the associated data of `jti` holds. */
interface Bound {
  readonly uri: string;
  readonly exp: number;
}

/** Null if this service did not issue the token. Does not check its expiry. */
export async function verifyResourceToken(
  token: string,
  { issuer, keyring, now }: { issuer: string; keyring: Keyring; now: number },
): Promise<VerifiedToken | null> {
  const [head = "", body = "", signature = "", ...rest] = token.split(".");
  if (rest.length > 0) return null;
  const header = readJwtPart(head);
  // Other tokens are signed with the same keys: ID tokens and attestations.
  if (header?.typ !== RESOURCE_TOKEN_TYPE) return null;
  const jwk = keyring.publicKeys(now).find(({ kid }) => kid === header.kid);
  if (jwk === undefined || jwk.alg !== header.alg) return null;
  if (!isSigned(`${head}.${body}`, signature, jwk)) return null;
  // From here on, this service is known to have written the claims.
  const { iss, aud, exp, iat, jti } = readJwtPart(body) ?? {};
  if (iss !== issuer || typeof exp !== "number" || typeof iat !== "number") return null;
  const [uri, service] = [aud ?? []].flat();
  if (typeof uri !== "string" || typeof jti !== "string") return null;
  const octets = Buffer.from(jti, "base64url");
  if (octets.length !== JTI_OCTETS) return null;
  const macKeyId = octets.readUInt8(0);
  // The key may have been ended since the token was issued.
  const mac = await keyring.find("grant-token", macKeyId);
  const plain = mac && open(mac, octets, { uri, exp });
  if (plain === null) return null;
  const times = { issuedAt: iat, expiresAt: exp };
  const grantId = plain.toString("hex", 0, ID_OCTETS);
  const scopeMask = plain.readUInt32BE(ID_OCTETS);
  const isForUserinfo = service === issuer;
  const read = { grantId, scopeMask, ...times, resource: uri, isForUserinfo };
  return { token: read, kid: jwk.kid, macKeyId };
}

/** The members of the header or the payload of a JWT; null if it has none. */
export function readJwtPart(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

const keyObjects = new WeakMap<PublicJwk, KeyObject>();

function isSigned(text: string, signature: string, jwk: PublicJwk): boolean {
  const key = keyObjects.get(jwk) ?? createPublicKey({ key: { ...jwk }, format: "jwk" });
  keyObjects.set(jwk, key);
  const octets = Buffer.from(signature, "base64url");
  // The decoder ignores invalid characters and trailing bits. Accept only the canonical encoding.
  if (octets.toString("base64url") !== signature) return false;
  const digest = jwk.alg === "EdDSA" ? null : "sha256";
  return verify(digest, Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }, octets);
}

/** The `jti` of a token for these scopes of the grant. `nonce` are 12 random octets. */
export function sealJti(
  mac: MacKey,
  nonce: Buffer,
  content: { readonly grantId: string; readonly scopeMask: number },
  bound: Bound,
): string {
  const plain = Buffer.alloc(ID_OCTETS + 4);
  plain.write(content.grantId, "hex");
  plain.writeUInt32BE(content.scopeMask, ID_OCTETS);
  const cipher = createCipheriv("aes-256-gcm", keyFor(mac.key, bound.exp), nonce);
  cipher.setAAD(boundOctets(bound));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  const octets = [Buffer.of(mac.id), nonce, sealed, cipher.getAuthTag()];
  return Buffer.concat(octets).toString("base64url");
}

function open(mac: MacKey, octets: Buffer, bound: Bound): Buffer | null {
  const nonce = octets.subarray(1, 1 + NONCE_OCTETS);
  const decipher = createDecipheriv("aes-256-gcm", keyFor(mac.key, bound.exp), nonce);
  decipher.setAAD(boundOctets(bound));
  decipher.setAuthTag(octets.subarray(JTI_OCTETS - TAG_OCTETS));
  try {
    const sealed = octets.subarray(1 + NONCE_OCTETS, JTI_OCTETS - TAG_OCTETS);
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  } catch {
    return null;
  }
}

function keyFor(mac: Buffer, exp: number): Buffer {
  const period = Math.floor(exp / KEY_PERIOD_S);
  return createHmac("sha256", mac).update(`${PURPOSE} ${period}`).digest();
}

function boundOctets({ uri, exp }: Bound): Buffer {
  return Buffer.from(`${exp} ${uri}`);
}
