// Recovery codes: ten per account, derived for the page and stored only as hashes.

import { createHmac } from "node:crypto";
import { sha256 } from "../lib/random.ts";

const CODE_COUNT = 10;
/** Without i, l, o and u, which are easily misread or form words. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * The codes of a pending set-up. They are derived from the device secret and the salt of the set-up, so
 * that a reload shows the same codes although they are not stored.
 */
export function recoveryCodesOf(deviceSecret: string, salt: string): string[] {
  return Array.from({ length: CODE_COUNT }, (_, index) =>
    spell(createHmac("sha256", deviceSecret).update(`recovery code ${index} ${salt}`).digest()),
  );
}

/**
 * The hash that is stored. Ignores case, spaces and hyphens, and reads i, l and o as the digits that they
 * look like.
 */
export function recoveryCodeHash(typed: string): string {
  const letters = typed.toLowerCase().replace(/[^0-9a-z]/g, "");
  return sha256(letters.replaceAll("o", "0").replace(/[il]/g, "1"));
}

/** 128 bits as 26 characters, in groups of five or six. */
function spell(mac: Buffer): string {
  let bits = mac.readBigUInt64BE(0) * 2n ** 64n + mac.readBigUInt64BE(8);
  let text = "";
  for (let index = 0; index < 26; index++) {
    text = ALPHABET.charAt(Number(bits % 32n)) + text;
    bits /= 32n;
  }
  return (text.match(/.{5}(?=.{5})|.+/g) ?? []).join("-");
}
