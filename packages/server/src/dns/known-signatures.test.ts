// Tests of signatures that are remembered.

import { decodeDnskey } from "domain-signin-verify/dns/dnssec-records";
import { isSignatureBy } from "domain-signin-verify/dnssec/signature";
import { beforeEach, describe, expect, test } from "vitest";
import { join, makeKey, octets } from "../../../verify/test/support/signer.ts";
import { clockFrom } from "../lib/clock.ts";
import { createKnownSignatures } from "./validator.ts";

const data = octets(1, 2, 3);
const made = await makeKey(13);
const key = decodeDnskey(made.rdata);
const signature = await made.sign(data);

describe("a signature", () => {
  let checks = 0;
  let isGood: typeof isSignatureBy;
  beforeEach(() => {
    checks = 0;
    const counted: typeof isSignatureBy = (...parts) => {
      checks++;
      return isSignatureBy(...parts);
    };
    isGood = createKnownSignatures(
      clockFrom(() => 0),
      counted,
    );
  });

  test("that is good is checked once, also if two ask at the same time", async () => {
    const both = [isGood(key, data, signature), isGood(key, data, signature)];
    const later = await isGood(key, data, signature);
    expect([...(await Promise.all(both)), later]).toEqual([true, true, true]);
    expect(checks).toBe(1);
  });

  test("of other octets, by another key, or with a changed bit is another one", async () => {
    await isGood(key, data, signature);
    const other = decodeDnskey((await makeKey(13)).rdata);
    const changed = signature.with(0, (signature[0] ?? 0) ^ 1);
    expect(await isGood(key, octets(1, 2, 4), signature)).toBe(false);
    expect(await isGood(other, data, signature)).toBe(false);
    expect(await isGood(key, data, new Uint8Array(changed))).toBe(false);
    // The octets of both parts together are the same.
    expect(await isGood(key, data.slice(1), join(signature, data.slice(0, 1)))).toBe(false);
    expect(checks).toBe(5);
  });

  test("that is bad, or cannot be checked, is not remembered", async () => {
    for (let time = 0; time < 2; time++) {
      expect(await isGood(key, octets(9), signature)).toBe(false);
      const unknown = { ...key, algorithm: 5 };
      const checked = isGood(unknown, octets(9), signature);
      await expect(checked).rejects.toMatchObject({ code: "unsupported_algorithm" });
    }
    expect(checks).toBe(4);
  });
});
