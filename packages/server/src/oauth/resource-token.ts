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
import type { RegisteredResources } from "../clients/registered-clients.ts";
import { signJws, signJwsAsync } from "../keys/jws.ts";
import type { Keyring, MacKey } from "../keys/keyring.ts";
import type { PublicJwk } from "../keys/signing-key.ts";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { type Random, sha256 } from "../lib/random.ts";
import { acrOf } from "../sessions/acr.ts";
import type { GrantForTokens } from "../store/grant-row.ts";
import { ACCESS_TOKEN_LIFETIME_S } from "../store/shared-values.ts";
import { type GrantResource, ownerInRow } from "./grant-resources.ts";
import { PURPOSE_OF } from "./statements.ts";

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
const MAX_VERIFIED = 5000;

export interface ResourceTokenInput {
  readonly grant: GrantForTokens;
  readonly client: Client;
  readonly resource: GrantResource;
  /** Of the token; those of the service are not among its claims. */
  readonly scopes: readonly string[];
  readonly scopeMask: number;
  readonly now: number;
}

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

/** A token that this service has issued, and the keys by which it did. */
interface Verified {
  readonly token: ResourceToken;
  readonly kid: string;
  readonly macKeyId: number;
}

/** What the associated data of `jti` holds. */
interface Bound {
  readonly uri: string;
  readonly exp: number;
}

interface Deps {
  readonly issuer: string;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly random: Random;
  readonly registeredResources: RegisteredResources;
}

export type ResourceTokens = ReturnType<typeof createResourceTokens>;

export function createResourceTokens({
  issuer,
  keyring,
  clock,
  random,
  registeredResources,
}: Deps) {
  /** By the hash of the token: an API asks for the same token again and again. */
  const known = createCache<Verified>({ clock, maxEntries: MAX_VERIFIED });
  return { mint, read };

  /** With `openid`, the token is also for this service: for userinfo alone. */
  async function mint(input: ResourceTokenInput): Promise<string> {
    const { grant, client, resource, scopes, scopeMask, now } = input;
    const { domain, createdAt } = ownerInRow(grant.resources);
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

  /** Parses an access token for a resource. Null if this service did not issue it. Does not check its expiry. */
  async function read(token: string): Promise<ResourceToken | null> {
    if (token.length > MAX_CHARS) return null;
    const hash = sha256(token);
    const verified = known.get(hash) ?? (await verifyToken(token));
    if (verified === null) return null;
    // The keys may have been withdrawn or ended since.
    const published = keyring.publicKeys(clock.seconds());
    if (!published.some(({ kid }) => kid === verified.kid)) return null;
    if ((await keyring.find("grant-token", verified.macKeyId)) === null) return null;
    known.set(hash, verified);
    return verified.token;
  }

  async function verifyToken(token: string): Promise<Verified | null> {
    const [head = "", body = "", signature = "", ...rest] = token.split(".");
    if (rest.length > 0) return null;
    const header = parsed(head);
    // Other tokens are signed with the same keys: ID tokens and attestations.
    if (header?.typ !== TYPE) return null;
    const jwk = keyring.publicKeys(clock.seconds()).find(({ kid }) => kid === header.kid);
    if (jwk === undefined || jwk.alg !== header.alg) return null;
    if (!isSigned(`${head}.${body}`, signature, jwk)) return null;
    // From here on, the claims are those that this service wrote.
    const { iss, aud, exp, iat, jti } = parsed(body) ?? {};
    if (iss !== issuer || typeof exp !== "number" || typeof iat !== "number") return null;
    const [uri, service] = [aud ?? []].flat();
    if (typeof uri !== "string" || typeof jti !== "string") return null;
    const opened = await open(jti, { uri, exp });
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

  async function open(jti: string, bound: Bound) {
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
}

/** Whether a text has the form of a JWT. An opaque token contains no dot. */
export function isJwt(token: string): boolean {
  return token.includes(".");
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

function seal(mac: MacKey, nonce: Buffer, bound: Bound, plain: Buffer): string {
  const cipher = createCipheriv("aes-256-gcm", keyFor(mac.key, bound.exp), nonce);
  cipher.setAAD(boundOctets(bound));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  const octets = [Buffer.of(mac.id), nonce, sealed, cipher.getAuthTag()];
  return Buffer.concat(octets).toString("base64url");
}

function keyFor(mac: Buffer, exp: number): Buffer {
  const period = Math.floor(exp / KEY_PERIOD_S);
  return createHmac("sha256", mac).update(`${PURPOSE} ${period}`).digest();
}

function boundOctets({ uri, exp }: Bound): Buffer {
  return Buffer.from(`${exp} ${uri}`);
}
