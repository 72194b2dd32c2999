// Recovery codes: ten per account, derived for the page, stored as hashes only.

import { createHmac } from "node:crypto";
import { sha256 } from "../lib/random.ts";

const COUNT = 10;
/** No i, l, o, u: nothing to misread, no words. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * The codes of a pending set-up. They are a function of the browser's device secret and the
 * set-up's salt, so that a reload shows the same ones though nobody stores them.
 */
export function recoveryCodesOf(deviceSecret: string, salt: string): string[] {
  return Array.from({ length: COUNT }, (_, index) =>
    spell(createHmac("sha256", deviceSecret).update(`recovery code ${index} ${salt}`).digest()),
  );
}

/**
 * What the store keeps of a code. Case, spaces and hyphens do not matter, and letters that were
 * left out because they look like digits are read as those.
 */
export function recoveryCodeHash(typed: string): string {
  const letters = typed.toLowerCase().replace(/[^0-9a-z]/g, "");
  return sha256(letters.replaceAll("o", "0").replace(/[il]/g, "1"));
}

/** 128 bits as 26 characters, in groups of five or six that can be read and typed. */
function spell(mac: Buffer): string {
  let bits = mac.readBigUInt64BE(0) * 2n ** 64n + mac.readBigUInt64BE(8);
  let text = "";
  for (let index = 0; index < 26; index++) {
    text = ALPHABET.charAt(Number(bits % 32n)) + text;
    bits /= 32n;
  }
  return (text.match(/.{5}(?=.{5})|.+/g) ?? []).join("-");
}
