// Tests of HMAC-SHA-256: what it returns is what `node:crypto` does.

import { createHmac, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { hmacSha256 } from "./hmac.ts";

const expected = (key: Buffer, message: Buffer) =>
  createHmac("sha256", key).update(message).digest("hex");

test("the MAC of a known message (RFC 4231 §4.2)", () => {
  const mac = hmacSha256(Buffer.alloc(20, 0x0b))(Buffer.from("Hi There, and more"), 8);
  expect(mac.toString("hex")).toBe(
    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
  );
});

test("each length of a message, and some of keys, as `node:crypto`", () => {
  for (const keyOctets of [1, 31, 32, 63, 64]) {
    const key = randomBytes(keyOctets);
    const mac = hmacSha256(key);
    // Not only longer ones: nothing of the message before may stay.
    for (let length = 300; length >= 0; length--) {
      const message = randomBytes(length);
      expect(mac(message, length).toString("hex")).toBe(expected(key, message));
    }
  }
});

test.each([0, 65])("a key of %d octets is refused", (octets) => {
  expect(() => hmacSha256(Buffer.alloc(octets))).toThrow(RangeError);
});
