// HMAC-SHA-256 (RFC 2104) from one-shot hashes, which cost a quarter of what an `Hmac` object does.

import * as crypto from "node:crypto";

const BLOCK_OCTETS = 64;
export const MAC_OCTETS = 32;
/** Longer messages are rare, and get an `Hmac` object. */
const MAX_OCTETS = 256;

/** The MAC of the first octets of a buffer. The result is valid until the next call. */
export type Mac = (octets: Buffer, length: number) => Buffer;

const prepared = new WeakMap<Buffer, Mac>();

/** The same function for each use of one buffer, so that a key is prepared once. */
export function macWith(key: Buffer): Mac {
  const mac = prepared.get(key) ?? hmacSha256(key);
  prepared.set(key, mac);
  return mac;
}

/** `key` has 1 to 64 octets. */
export function hmacSha256(key: Buffer): Mac {
  if (key.length === 0 || key.length > BLOCK_OCTETS) throw new RangeError("a key of this length");
  const inner = Buffer.alloc(BLOCK_OCTETS + MAX_OCTETS, 0x36);
  const outer = Buffer.alloc(BLOCK_OCTETS + MAC_OCTETS, 0x5c);
  for (const [index, octet] of key.entries()) {
    inner[index] = octet ^ 0x36;
    outer[index] = octet ^ 0x5c;
  }
  const mac = Buffer.alloc(MAC_OCTETS);
  /** What is hashed, by the length of the message: there are few. */
  const views = new Map<number, Buffer>();
  return (octets, length) => {
    // Some runtimes do not have it.
    if (crypto.hash === undefined || length > MAX_OCTETS) {
      crypto.createHmac("sha256", key).update(octets.subarray(0, length)).digest().copy(mac);
      return mac;
    }
    const view = views.get(length) ?? inner.subarray(0, BLOCK_OCTETS + length);
    views.set(length, view);
    octets.copy(inner, BLOCK_OCTETS, 0, length);
    // As text of one character per octet: to make a buffer for the hash takes longer than the hash.
    outer.write(crypto.hash("sha256", view, "binary"), BLOCK_OCTETS, "latin1");
    mac.write(crypto.hash("sha256", outer, "binary"), "latin1");
    return mac;
  };
}
