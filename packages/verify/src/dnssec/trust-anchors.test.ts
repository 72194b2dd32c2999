// Tests of trust anchors.

import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../test/support/world.ts";
import { decodeDnskey, keyTagOf } from "../dns/dnssec-records.ts";
import { keysThatDsMean } from "./delegation.ts";
import { parseTrustAnchor, rootTrustAnchors } from "./trust-anchors.ts";

const digest = "E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D";

/** The public keys that IANA publishes beside the digests. */
const rootKeys = [
  [
    20326,
    "AwEAAaz/tAm8yTn4Mfeh5eyI96WSVexTBAvkMgJzkKTOiW1vkIbzxeF3+/4RgWOq7HrxRixHlFlExOLAJr5emLvN7SWXgnLh4+B5xQlNVz8Og8kvArMtNROxVQuCaSnIDdD5LKyWbRd2n9WGe2R8PzgCmr3EgVLrjyBxWezF0jLHwVN8efS3rCj/EWgvIWgb9tarpVUDK/b58Da+sqqls3eNbuv7pr+eoZG+SrDK6nWeL3c6H5Apxz7LjVc1uTIdsIXxuOLYA4/ilBmSVIzuDWfdRUfhHdY6+cn8HFRm+2hM8AnXGXws9555KrUB5qihylGa8subX2Nn6UwNR1AkUTV74bU=",
  ],
  [
    38696,
    "AwEAAa96jeuknZlaeSrvyAJj6ZHv28hhOKkx3rLGXVaC6rXTsDc449/cidltpkyGwCJNnOAlFNKF2jBosZBU5eeHspaQWOmOElZsjICMQMC3aeHbGiShvZsx4wMYSjH8e7Vrhbu6irwCzVBApESjbUdpWWmEnhathWu1jo+siFUiRAAxm9qyJNg/wOZqqzL/dL/q8PkcRU5oUKEpUge71M3ej2/7CPqpdVwuMoTvoB+ZOT4YeGyxMvHmbrxlFzGOHOijtzN+u1TQNatX2XBuzZNQ1K+s2CXkPIZo7s6JgZyvaBevYtxPvYLw4z9mR7K2vaF18UYH9Z9GNUUeayffKC73PYc=",
  ],
] as const;

describe("the anchors of the root", () => {
  it.each(rootKeys)("mean the key %i that IANA publishes", async (keyTag, publicKey) => {
    const rdata = Uint8Array.from([1, 1, 3, 8, ...Buffer.from(publicKey, "base64")]);
    const key = decodeDnskey(rdata);
    expect(keyTagOf(rdata)).toBe(keyTag);
    expect(await keysThatDsMean(rootTrustAnchors, "", [key])).toEqual([key]);
    expect(await keysThatDsMean(rootTrustAnchors, "com", [key])).toEqual([]);
  });
});

describe("DS records and the key that they mean", () => {
  const [, publicKey] = rootKeys[0];
  const key = decodeDnskey(Uint8Array.from([1, 1, 3, 8, ...Buffer.from(publicKey, "base64")]));
  const good = parseTrustAnchor(`. IN DS 20326 8 2 ${digest}`);
  const stale = { ...good, digest: new Uint8Array(32) };

  it("may stand beside others of the same kind, in any order", async () => {
    expect(await keysThatDsMean([stale, good], "", [key])).toEqual([key]);
    expect(await keysThatDsMean([good, stale], "", [key])).toEqual([key]);
    expect(await keysThatDsMean([stale], "", [key])).toEqual([]);
  });

  it("must name the algorithm of the key", async () => {
    expect(await keysThatDsMean([{ ...good, algorithm: 10 }], "", [key])).toEqual([]);
  });
});

describe("the text form", () => {
  it("is a DS record of the root; TTL and class may be left out, the digest may be in groups", () => {
    const anchor = {
      ...{ keyTag: 20326, algorithm: 8, digestType: 2 },
      digest: new Uint8Array(Buffer.from(digest, "hex")),
    };
    expect(rootTrustAnchors[0]).toEqual(anchor);
    for (const text of [
      `. 3600 IN DS 20326 8 2 ${digest}`,
      `.\tDS 20326 8 2 ${digest.toLowerCase()}\n`,
      `. in ds 20326 8 2 ${digest.slice(0, 32)} ${digest.slice(32)}`,
      ` \n. IN DS 20326 8 2 ${digest.slice(0, 2)}  ${digest.slice(2)} `,
    ]) {
      expect(parseTrustAnchor(text)).toEqual(anchor);
    }
    expect(parseTrustAnchor(`. DS 1 13 4 ${"0f".repeat(48)}`).digest).toHaveLength(48);
    expect(parseTrustAnchor(`. IN DS 65535 8 2 ${digest}`).keyTag).toBe(65_535);
  });

  it.each([
    "",
    `test. IN DS 20326 8 2 ${digest}`,
    `. IN DNSKEY 257 3 8 AwEAAQ==`,
    `. IN DS 65536 8 2 ${digest}`,
    `. IN DS 20326 5 2 ${digest}`,
    `. IN DS 20326 8 1 ${digest.slice(0, 40)}`,
    `. IN DS 20326 8 3 ${digest}`,
    `. IN DS 20326 8 4 ${digest}`,
    `. IN DS 20326 8 2 ${digest.slice(1)}`,
    `. IN DS 20326 8 2 ${digest}00`,
    `. IN DS 20326 8 2 ${digest.slice(1)}G`,
    `. IN DS 20326 8 2 ${digest} ; comment`,
    `. IN DS 20326 8 2 ${digest}\n. IN DS 20326 8 2 ${digest}`,
    ...[5, null, undefined, {}, [`. IN DS 20326 8 2 ${digest}`]],
  ])("is refused: %j", async (text) => {
    const parsing = async () => parseTrustAnchor(text as string);
    expect(await outcomeOf(parsing().then(() => Promise.reject(new Error("was read"))))).toBe(
      "malformed_trust_anchor",
    );
  });
});
