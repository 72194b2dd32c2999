// Access tokens for a resource: JWTs (RFC 9068), minted and verified without the store.
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
import { type Client, subjectOf } from "../clients/client.ts";
import { signJws, signJwsAsync } from "../keys/jws.ts";
import type { Keyring, MacKeyring } from "../keys/keyring.ts";
import type { PublicJwk } from "../keys/signing-key.ts";
import { type Cache, createCache } from "../lib/cache.ts";
import { sha256 } from "../lib/random.ts";
import { acrOf } from "../sessions/acr.ts";
import type { GrantForTokens } from "../store/grant-row.ts";
import { ACCESS_TOKEN_LIFETIME_S } from "../store/shared-values.ts";
import type { Deps } from "./deps.ts";
import { type GrantResource, ownerInRow } from "./grant-resources.ts";
import { PURPOSE_OF } from "./id-token.ts";

const TYPE = "at+jwt";
const PURPOSE = "domain-signin access token id v1";
const ID_OCTETS = 16;
const NONCE_OCTETS = 12;
const TAG_OCTETS = 16;
const JTI_OCTETS = 1 + NONCE_OCTETS + ID_OCTETS + 4 + TAG_OCTETS;
/** A token has about 1 KB. */
const MAX_CHARS = 8192;
/** A key seals the ids of the tokens that expire in the same hour: fewer than the 2^32 that random nonces allow. */
const KEY_PERIOD_S = 3600;

export interface ResourceTokenInput {
  readonly grant: GrantForTokens;
  readonly client: Client;
  readonly resource: GrantResource;
  /** Of the token; those of the service are not among its claims. */
  readonly scopes: readonly string[];
  readonly scopeMask: number;
  readonly now: number;
}

/** With `openid`, the token is also for this service: for userinfo alone. */
export async function mintResourceToken(
  { grant, client, resource, scopes, scopeMask, now }: ResourceTokenInput,
  { issuer, keyring, random, registeredResources }: MintDeps,
): Promise<string> {
  const { domain, createdAt } = ownerInRow(grant);
  const exp = now + ACCESS_TOKEN_LIFETIME_S;
  const { uri } = resource;
  const registered = resource.registered ? await registeredResources.findByUri(uri) : null;
  const key = keyring.signingKeyAt(PURPOSE_OF[registered?.signing_alg ?? "ES256"], now);
  const granted = resource.scope.split(" ");
  const sealed = Buffer.alloc(ID_OCTETS + 4);
  sealed.write(grant.id, "hex");
  sealed.writeUInt32BE(scopeMask, ID_OCTETS);
  const claims = {
    iss: issuer,
    sub: subjectOf(client, { id: grant.accountId, domain }),
    aud: scopes.includes("openid") ? [uri, issuer] : uri,
    client_id: grant.clientId,
    scope: scopes.filter((name) => granted.includes(name)).join(" "),
    domain,
    domain_since: createdAt,
    iat: now,
    exp,
    auth_time: grant.authTime,
    acr: acrOf(grant.amr),
    amr: grant.amr.split(" "),
    jti: seal(keyring.currentAt("grant-token", now), random(NONCE_OCTETS), { uri, exp }, sealed),
  };
  const sign = key.alg === "RS256" ? signJwsAsync : signJws;
  return sign(key, { typ: TYPE }, claims);
}

type MintDeps = Pick<Deps, "issuer" | "keyring" | "random" | "registeredResources">;

export interface ResourceToken {
  readonly grantId: string;
  readonly scopeMask: number;
  /** Epoch seconds, like `issuedAt`. */
  readonly expiresAt: number;
  readonly issuedAt: number;
  readonly resource: string;
  /** Whether it is also for userinfo. */
  readonly isForUserinfo: boolean;
}

/** Whether a text has the form of a JWT. An opaque token contains no dot. */
export function isJwt(token: string): boolean {
  return token.includes(".");
}

type ReadDeps = Pick<Deps, "issuer" | "keyring" | "clock">;

/** A token that this service has issued, and the keys by which it did. */
interface Verified {
  readonly token: ResourceToken;
  readonly kid: string;
  readonly macKeyId: number;
}

const MAX_VERIFIED = 5000;

/** By the hash of the token, for each keyring: an API asks for the same token again and again. */
const verified = new WeakMap<Keyring, Cache<Verified>>();

/** Parses an access token for a resource. Null if this service did not issue it. Does not check its expiry. */
export async function readResourceToken(
  token: string,
  deps: ReadDeps,
): Promise<ResourceToken | null> {
  if (token.length > MAX_CHARS) return null;
  const { keyring, clock } = deps;
  let known = verified.get(keyring);
  if (known === undefined) {
    known = createCache({ clock, maxEntries: MAX_VERIFIED });
    verified.set(keyring, known);
  }
  const hash = sha256(token);
  const found = known.get(hash) ?? (await verifyToken(token, deps));
  if (found === null) return null;
  // The keys may have been withdrawn or ended since.
  const published = keyring.publicKeys(clock.seconds());
  if (!published.some(({ kid }) => kid === found.kid)) return null;
  if ((await keyring.find("grant-token", found.macKeyId)) === null) return null;
  known.set(hash, found);
  return found.token;
}

async function verifyToken(
  token: string,
  { issuer, keyring, clock }: ReadDeps,
): Promise<Verified | null> {
  const [head = "", body = "", signature = "", ...rest] = token.split(".");
  if (rest.length > 0) return null;
  const header = parsed(head);
  // Other tokens are signed with the same keys: ID tokens and attestations.
  if (header?.typ !== TYPE) return null;
  const jwk = keyring.publicKeys(clock.seconds()).find(({ kid }) => kid === header.kid);
  if (jwk === undefined || jwk.alg !== header.alg) return null;
  if (!isSigned(`${head}.${body}`, signature, jwk)) return null;
  const claims = parsed(body);
  const { iss, aud, exp, iat, jti } = claims ?? {};
  // From here on, the claims are those that this service wrote.
  if (iss !== issuer || typeof exp !== "number" || typeof iat !== "number") return null;
  const [uri, service] = [aud ?? []].flat();
  if (typeof uri !== "string" || typeof jti !== "string") return null;
  const opened = await open(keyring, jti, { uri, exp });
  if (opened === null) return null;
  const { macKeyId, plain } = opened;
  const read = {
    grantId: plain.toString("hex", 0, ID_OCTETS),
    scopeMask: plain.readUInt32BE(ID_OCTETS),
    expiresAt: exp,
    issuedAt: iat,
    resource: uri,
    isForUserinfo: service === issuer,
  };
  return { token: read, kid: jwk.kid, macKeyId };
}

function parsed(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Key objects of the JWKs that the keyring holds. */
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

interface Bound {
  readonly uri: string;
  readonly exp: number;
}

type MacKey = ReturnType<Keyring["currentAt"]>;

function seal(mac: MacKey, nonce: Buffer, bound: Bound, plain: Buffer): string {
  const cipher = createCipheriv("aes-256-gcm", keyFor(mac.key, bound.exp), nonce);
  cipher.setAAD(boundOctets(bound));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  const octets = [Buffer.of(mac.id), nonce, sealed, cipher.getAuthTag()];
  return Buffer.concat(octets).toString("base64url");
}

async function open(
  keyring: MacKeyring,
  jti: string,
  bound: Bound,
): Promise<{ macKeyId: number; plain: Buffer } | null> {
  const octets = Buffer.from(jti, "base64url");
  if (octets.length !== JTI_OCTETS) return null;
  const macKeyId = octets.readUInt8(0);
  // Its key may have been ended since.
  const mac = await keyring.find("grant-token", macKeyId);
  if (mac === null) return null;
  const nonce = octets.subarray(1, 1 + NONCE_OCTETS);
  const decipher = createDecipheriv("aes-256-gcm", keyFor(mac.key, bound.exp), nonce);
  decipher.setAAD(boundOctets(bound));
  decipher.setAuthTag(octets.subarray(JTI_OCTETS - TAG_OCTETS));
  try {
    const sealed = octets.subarray(1 + NONCE_OCTETS, JTI_OCTETS - TAG_OCTETS);
    return { macKeyId, plain: Buffer.concat([decipher.update(sealed), decipher.final()]) };
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
