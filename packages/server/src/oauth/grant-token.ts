// Codes, refresh tokens and opaque access tokens, minted and verified without the store.
//
// A token is a prefix and the base64url encoding of: key id (1 octet), grant id (16), the generation
// (4) or for an access token its expiry (4), scope mask (4) and salt (8), and HMAC-SHA-256 (32) over
// the prefix and the preceding octets.

import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import type { MacKey, MacKeyring } from "../keys/keyring.ts";
import type { Random } from "../lib/random.ts";

const ID_OCTETS = 16;
const MAC_OCTETS = 32;

/** The prefix and the number of 32-bit integers of each kind. */
const KINDS = {
  code: { prefix: "dsc_", integers: 1 },
  refresh_token: { prefix: "dsr_", integers: 1 },
  access_token: { prefix: "dsa_", integers: 4 },
} as const;

type Kind = keyof typeof KINDS;

/** The code of a grant. `issuedAt` selects the key, so that the same code can be minted again. */
export function mintCode(keyring: MacKeyring, grantId: string, issuedAt: number): string {
  return mint("code", keyring.currentAt("grant-token", issuedAt), grantId, [0]);
}

/** `rotatedAt` selects the key, so that a retry gets the same token. */
export function mintRefreshToken(
  keyring: MacKeyring,
  grantId: string,
  generation: number,
  rotatedAt: number,
): string {
  return mint("refresh_token", keyring.currentAt("grant-token", rotatedAt), grantId, [generation]);
}

/**
 * An access token for the scopes of the grant that `scopeMask` selects (bit 0 is the first). The salt
 * makes two access tokens of the same second different.
 */
export function mintAccessToken(
  keyring: MacKeyring,
  grantId: string,
  access: { expiresAt: number; scopeMask: number; now: number; random: Random },
): string {
  const key = keyring.currentAt("grant-token", access.now);
  const salt = access.random(8);
  const integers = [access.expiresAt, access.scopeMask, salt.readUInt32BE(0), salt.readUInt32BE(4)];
  return mint("access_token", key, grantId, integers);
}

/** Parses a code or refresh token. Null if this service did not issue it. */
export async function readGrantToken(
  keyring: MacKeyring,
  kind: "code" | "refresh_token",
  token: string,
): Promise<{ grantId: string; generation: number } | null> {
  const read = await readToken(keyring, kind, token);
  return read && { grantId: read.grantId, generation: read.integers[0] ?? 0 };
}

/** An expiry has 32 bits of its seconds, as the times of DNSSEC signatures (RFC 4034 §3.1.5). */
const EXPIRY_RANGE_S = 2 ** 32;

/**
 * Parses an access token. Null if this service did not issue it. Does not check its expiry, which is read as the
 * time next to `now`.
 */
export async function readAccessToken(
  keyring: MacKeyring,
  token: string,
  now: number,
): Promise<{ grantId: string; expiresAt: number; scopeMask: number } | null> {
  const read = await readToken(keyring, "access_token", token);
  if (read === null) return null;
  const [expiry = 0, scopeMask = 0] = read.integers;
  const rounds = Math.round((now - expiry) / EXPIRY_RANGE_S);
  const expiresAt = expiry + rounds * EXPIRY_RANGE_S;
  return { grantId: read.grantId, expiresAt, scopeMask };
}

function mint(kind: Kind, key: MacKey, grantId: string, integers: readonly number[]): string {
  const body = Buffer.alloc(1 + ID_OCTETS + 4 * integers.length);
  body.writeUInt8(key.id, 0);
  body.write(grantId, 1, "hex");
  for (const [index, integer] of integers.entries()) {
    body.writeUInt32BE(integer % EXPIRY_RANGE_S, 1 + ID_OCTETS + 4 * index);
  }
  const { prefix } = KINDS[kind];
  return prefix + Buffer.concat([body, macOf(prefix, body, key.key)]).toString("base64url");
}

async function readToken(
  keyring: MacKeyring,
  kind: Kind,
  token: string,
): Promise<{ grantId: string; integers: number[] } | null> {
  const { prefix, integers: count } = KINDS[kind];
  const bodyOctets = 1 + ID_OCTETS + 4 * count;
  if (!token.startsWith(prefix)) return null;
  const text = token.slice(prefix.length);
  if (text.length !== Math.ceil(((bodyOctets + MAC_OCTETS) * 4) / 3)) return null;
  const octets = Buffer.from(text, "base64url");
  // The decoder ignores invalid characters and trailing bits. Accept only the canonical encoding.
  if (octets.length !== bodyOctets + MAC_OCTETS) return null;
  if (octets.toString("base64url") !== text) return null;
  const body = octets.subarray(0, bodyOctets);
  const key = await keyring.find("grant-token", body.readUInt8(0));
  if (key === null) return null;
  if (!timingSafeEqual(octets.subarray(bodyOctets), macOf(prefix, body, key.key))) return null;
  const integerAt = (_: unknown, index: number) => body.readUInt32BE(1 + ID_OCTETS + 4 * index);
  const integers = Array.from({ length: count }, integerAt);
  return { grantId: body.toString("hex", 1, 1 + ID_OCTETS), integers };
}

/** By the octets of each key: to prepare a key takes as long as to use it. */
const prepared = new WeakMap<Buffer, KeyObject>();

function macOf(prefix: string, body: Buffer, octets: Buffer): Buffer {
  let key = prepared.get(octets);
  if (key === undefined) {
    key = createSecretKey(octets);
    prepared.set(octets, key);
  }
  return createHmac("sha256", key).update(prefix).update(body).digest();
}
