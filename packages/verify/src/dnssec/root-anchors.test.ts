// Tests of the reader of IANA's file of root anchors: what is valid at a time, and what is no such file.

import { describe, expect, it, test } from "vitest";
import { codeOf } from "../../test/support/world.ts";
import { VerificationError } from "../errors.ts";
import { parseRootAnchors } from "./root-anchors.ts";
import { rootTrustAnchors } from "./trust-anchors.ts";

const at = (date: string) => Date.parse(`${date}T12:00:00Z`) / 1000;

interface Anchor {
  readonly attributes?: string;
  readonly tag?: string;
  readonly algorithm?: string;
  readonly digestType?: string;
  readonly digest?: string;
  readonly more?: string;
}

function digestOf({
  attributes,
  tag,
  algorithm = "8",
  digestType = "2",
  digest,
  more = "",
}: Anchor) {
  return `<KeyDigest id="K1" ${attributes}>
    <KeyTag>${tag}</KeyTag>
    <Algorithm>${algorithm}</Algorithm>
    <DigestType>${digestType}</DigestType>
    <Digest>${digest}</Digest>${more}
  </KeyDigest>`;
}

const KSK_2010: Anchor = {
  attributes: 'validFrom="2010-07-15T00:00:00+00:00" validUntil="2019-01-11T00:00:00+00:00"',
  tag: "19036",
  digest: "49AAC11D7B6F6446702E54A1607371607A1A41855200FD2CE1CDDE32F24E8FB5",
};
const KSK_2017: Anchor = {
  attributes: 'validFrom="2017-02-02T00:00:00+00:00"',
  tag: "20326",
  digest: "E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D",
  more: "<PublicKey>AwEAAaz/tAm8</PublicKey><Flags>257</Flags>",
};
const KSK_2024: Anchor = {
  attributes: 'validFrom="2024-07-18T00:00:00+00:00"',
  tag: "38696",
  digest: "683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16",
};

const fileOf = (...anchors: readonly Anchor[]) => `<?xml version="1.0" encoding="UTF-8"?>
<TrustAnchor id="A" source="an address">
<Zone>.</Zone>
${anchors.map(digestOf).join("\n")}
</TrustAnchor>
`;
const IANA = fileOf(KSK_2010, KSK_2017, KSK_2024);
const tagsOf = (xml: string, date: string) =>
  parseRootAnchors(xml, at(date)).map(({ keyTag }) => keyTag);

test("the file of today gives the anchors that this version knows", () => {
  expect(parseRootAnchors(IANA, at("2026-11-28"))).toEqual(rootTrustAnchors);
  expect(parseRootAnchors(IANA)).toEqual(rootTrustAnchors);
});

test.each([
  ["2016-01-01", [19036]],
  ["2018-01-01", [19036, 20326]],
  ["2020-01-01", [20326]],
  ["2024-07-17", [20326]],
  ["2024-07-18", [20326, 38696]],
])("at %s the valid ones are %j", (date, tags) => {
  expect(tagsOf(IANA, date)).toEqual(tags);
});

test("what is not supported here is left out", () => {
  const sha1 = { ...KSK_2017, digestType: "1", digest: "A".repeat(40) };
  const unknown = { ...KSK_2017, algorithm: "200" };
  expect(tagsOf(fileOf(sha1, unknown, KSK_2024), "2026-01-01")).toEqual([38696]);
});

test("white space, comments and the order of attributes do not matter", () => {
  const spaced = IANA.replaceAll("<KeyTag>", "<!-- a > key --><KeyTag>\n  ").replaceAll(
    /id="K1" (.*?)>/g,
    "$1 id='K1'>",
  );
  expect(parseRootAnchors(spaced, at("2026-11-28"))).toEqual(rootTrustAnchors);
});

describe("no such file:", () => {
  const swap = (from: string | RegExp, to: string) => IANA.replace(from, to);
  it.each([
    ["nothing", ""],
    ["a page", "<!DOCTYPE html><html><body>404</body></html>"],
    ["a document type", swap("<TrustAnchor", "<!DOCTYPE x [<!ENTITY a 'b'>]><TrustAnchor")],
    ["hidden elements", swap("<Zone>", "<![CDATA[<Zone>]]><Zone>")],
    ["another zone", swap("<Zone>.</Zone>", "<Zone>example.com</Zone>")],
    ["no zone", swap("<Zone>.</Zone>", "")],
    ["half of it", IANA.slice(0, IANA.length / 2)],
    ["an anchor without a tag", swap(/<KeyTag>20326<\/KeyTag>/, "")],
    ["an anchor without a digest", swap(/<Digest>E06.*<\/Digest>/, "")],
    ["an anchor without a beginning", swap('validFrom="2017-02-02T00:00:00+00:00"', "")],
    ["a beginning that is no time", swap("2017-02-02T00:00:00+00:00", "soon")],
    ["an algorithm that is no number", fileOf({ ...KSK_2017, algorithm: "RSA" }, KSK_2024)],
    ["a digest type that is no number", fileOf({ ...KSK_2017, digestType: "2.5" }, KSK_2024)],
    ["a digest that is too short", fileOf({ ...KSK_2017, digest: "E06D44" }, KSK_2024)],
    ["a digest that is no digest", fileOf({ ...KSK_2017, digest: "Z".repeat(64) }, KSK_2024)],
    ["a tag that is too large", fileOf({ ...KSK_2017, tag: "65536" }, KSK_2024)],
    ["no anchors", fileOf()],
    ["anchors that are over", fileOf(KSK_2010)],
    ["too many anchors", fileOf(...Array.from({ length: 51 }, () => KSK_2017))],
    ["too long a text", `${IANA}${" ".repeat(70_000)}`],
    ["octets", Buffer.from(IANA) as unknown as string],
  ])("%s", (_, xml) => {
    try {
      parseRootAnchors(xml, at("2026-11-28"));
    } catch (error) {
      expect(error).toBeInstanceOf(VerificationError);
      return expect(codeOf(error as VerificationError)).toBe("malformed_trust_anchor");
    }
    expect.unreachable();
  });
});
