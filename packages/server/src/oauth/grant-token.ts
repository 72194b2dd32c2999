// Codes, refresh tokens and opaque access tokens, minted and verified without the store.
//
// A token is a prefix and the base64url encoding of: key id (1 octet), grant id (16), the generation
// (4) or for an access token its expiry (4), scope mask (4) and salt (8), and HMAC-SHA-256 (32) over
// the prefix and the preceding octets.

import { timingSafeEqual } from "node:crypto";
import type { MacKey, MacKeyring } from "../keys/keyring.ts";
import { MAC_OCTETS, macWith } from "../lib/hmac.ts";
import type { Random } from "../lib/random.ts";

const ID_OCTETS = 16;
const PREFIX_OCTETS = 4;
/** The prefix and the key id. */
const HEAD_OCTETS = PREFIX_OCTETS + 1;

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
 * `scopeMask` selects scopes of the grant (bit 0 is the first). The salt is random and not stored: without it, two
 * refreshes of a grant within a second would return the same token, but each must replace the access token.
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
export function readGrantToken(
  keyring: MacKeyring,
  kind: "code" | "refresh_token",
  token: string,
): GrantToken | null | Promise<GrantToken | null> {
  const read = readToken(keyring, kind, token);
  return read instanceof Promise ? read.then(toGrantToken) : toGrantToken(read);
}

interface GrantToken {
  readonly grantId: string;
  readonly generation: number;
}

function toGrantToken(read: Read | null): GrantToken | null {
  return read && { grantId: read.grantId, generation: read.integers[0] ?? 0 };
}

/** An expiry has 32 bits of its seconds, as the times of DNSSEC signatures (RFC 4034 §3.1.5). */
const EXPIRY_RANGE_S = 2 ** 32;

/** Null if this service did not issue the token. Does not check its expiry, which is read as the time next to `now`. */
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
  const { prefix } = KINDS[kind];
  const bodyEnd = HEAD_OCTETS + ID_OCTETS + 4 * integers.length;
  const octets = Buffer.allocUnsafe(bodyEnd + MAC_OCTETS);
  octets.write(prefix, "latin1");
  octets[PREFIX_OCTETS] = key.id;
  if (octets.write(grantId, HEAD_OCTETS, "hex") !== ID_OCTETS) throw new Error("no grant id");
  let place = HEAD_OCTETS + ID_OCTETS;
  for (const integer of integers) place = octets.writeUInt32BE(integer % EXPIRY_RANGE_S, place);
  macWith(key.key)(octets, bodyEnd).copy(octets, bodyEnd);
  return prefix + octets.toString("base64url", PREFIX_OCTETS);
}

interface Read {
  readonly grantId: string;
  readonly integers: readonly number[];
}

/** A promise only if the key must be read from the store. */
function readToken(
  keyring: MacKeyring,
  kind: Kind,
  token: string,
): Read | null | Promise<Read | null> {
  const octets = decoded(kind, token);
  if (octets === null) return null;
  const key = keyring.find("grant-token", octets[PREFIX_OCTETS] ?? 0);
  return key instanceof Promise
    ? key.then((found) => verified(octets, found))
    : verified(octets, key);
}

/** The octets of a token with its prefix; null if it is not one of this kind in its canonical encoding. */
function decoded(kind: Kind, token: string): Buffer | null {
  const { prefix, integers } = KINDS[kind];
  const length = HEAD_OCTETS + ID_OCTETS + 4 * integers + MAC_OCTETS;
  const chars = PREFIX_OCTETS + Math.ceil(((length - PREFIX_OCTETS) * 4) / 3);
  if (token.length !== chars || !token.startsWith(prefix)) return null;
  const octets = Buffer.allocUnsafe(length);
  octets.write(prefix, "latin1");
  const text = token.slice(PREFIX_OCTETS);
  octets.write(text, PREFIX_OCTETS, "base64url");
  // The decoder ignores invalid characters, which no encoding contains, and trailing bits.
  return octets.toString("base64url", PREFIX_OCTETS) === text ? octets : null;
}

function verified(octets: Buffer, key: MacKey | null): Read | null {
  if (key === null) return null;
  const bodyEnd = octets.length - MAC_OCTETS;
  const mac = macWith(key.key)(octets, bodyEnd);
  if (!timingSafeEqual(octets.subarray(bodyEnd), mac)) return null;
  const integers: number[] = [];
  for (let place = HEAD_OCTETS + ID_OCTETS; place < bodyEnd; place += 4) {
    integers.push(octets.readUInt32BE(place));
  }
  return { grantId: octets.toString("hex", HEAD_OCTETS, HEAD_OCTETS + ID_OCTETS), integers };
}
