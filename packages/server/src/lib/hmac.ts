// HMAC-SHA-256 (RFC 2104) from one-shot hashes, which cost a quarter of what an `Hmac` object does.

import * as crypto from "node:crypto";

const BLOCK_OCTETS = 64;
export const MAC_OCTETS = 32;
/** Longer messages are rare, and get an `Hmac` object. */
const MAX_OCTETS = 256;

/** The MAC of a message. Its octets are valid until the next call. */
export type Mac = (message: Buffer) => Buffer;

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
  return (message) => {
    const { length } = message;
    // Some runtimes do not have it.
    if (crypto.hash === undefined || length > MAX_OCTETS) {
      crypto.createHmac("sha256", key).update(message).digest().copy(mac);
      return mac;
    }
    message.copy(inner, BLOCK_OCTETS);
    // As text of one character per octet: to make a buffer for the hash takes longer than the hash.
    const digest = crypto.hash("sha256", inner.subarray(0, BLOCK_OCTETS + length), "binary");
    outer.write(digest, BLOCK_OCTETS, "latin1");
    mac.write(crypto.hash("sha256", outer, "binary"), "latin1");
    return mac;
  };
}
