// Tests of canonical order, signatures and NSEC chains against the examples of the RFCs.

import { createPrivateKey } from "node:crypto";
import { encodeName } from "domain-signin-verify/dns/name";
import { describe, expect, it } from "vitest";
import { zoneKey } from "./zone-keys.ts";
import { compareNames, nsecAtOrBefore, nsecChain, rrset, signSet } from "./zone-signing.ts";

const a = 1;
const mx = 15;
const address = Uint8Array.of(127, 0, 0, 1);

describe("names", () => {
  it("are put in the order of RFC 4034 §6.1", () => {
    const ordered = [
      "example",
      "a.example",
      "yljkjljk.a.example",
      "z.a.example",
      "zabc.a.example",
      "z.example",
      "\\001.z.example",
      "*.z.example",
      "\\200.z.example",
    ];
    expect([...ordered].reverse().sort(compareNames)).toEqual(ordered);
    expect(["a", ""].sort(compareNames)).toEqual(["", "a"]);
  });
});

describe("a signature", () => {
  const jwk = {
    kty: "OKP",
    crv: "Ed25519",
    d: "ODIyNjAzODQ2MjgwODAxMjI2NDUxOTAyMDQxNDIyNjI",
    x: "l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4",
  };
  const key = zoneKey(15, 257, createPrivateKey({ key: jwk, format: "jwk" }));
  const validity = { inception: 1438207200, expiration: 1440021600 };

  it("is the one of RFC 8080 §6.1", () => {
    const mail = Buffer.concat([Uint8Array.of(0, 10), encodeName("mail.example.com")]);
    const rdata = signSet(rrset("example.com", mx, 3600, [mail]), "example.com", key, validity);
    const head = Buffer.from([
      ...[0, mx, 15, 2, 0, 0, 0x0e, 0x10],
      ...[0x55, 0xd4, 0xfc, 0x60, 0x55, 0xb9, 0x4c, 0xe0, 0x0e, 0x1d],
      ...encodeName("example.com"),
    ]);
    const signature =
      "oL9krJun7xfBOIWcGHi7mag5/hdZrKWw15jPGrHpjQeRAvTdszaPD+QLs3fx8A4M3e23mRZ9VrbpMngwcrqNAg==";
    expect(Buffer.from(rdata)).toEqual(Buffer.concat([head, Buffer.from(signature, "base64")]));
  });

  it.each([
    ["*.example.com", 2],
    ["www.*.example.com", 4],
    ["_x.example.com", 3],
    ["", 0],
  ])("of %j counts %i labels (RFC 4034 §3.1.3)", (name, labels) => {
    expect(signSet(rrset(name, a, 60, [address]), "", key, validity)[3]).toBe(labels);
  });

  it("does not depend on the order in which records were typed (RFC 4034 §6.3)", () => {
    const rdatas = [Uint8Array.of(9), Uint8Array.of(1, 2), Uint8Array.of(1)];
    const one = signSet(rrset("x", a, 60, rdatas), "", key, validity);
    expect(signSet(rrset("x", a, 60, [...rdatas].reverse()), "", key, validity)).toEqual(one);
    expect(rrset("x", a, 60, rdatas).rdatas).toEqual([
      Uint8Array.of(1),
      Uint8Array.of(1, 2),
      Uint8Array.of(9),
    ]);
  });
});

describe("an NSEC chain", () => {
  const sets = ["b.test", "test", "a.b.test", "B.a.test"].map((name) =>
    rrset(name.toLowerCase(), a, 60, [address]),
  );
  const chain = nsecChain("test", [...sets, rrset("b.test", mx, 60, [address])], 30);

  it("leads from name to name and back to the apex, with the types of each (RFC 4034 §4)", () => {
    const onlyA = [0, 6, 0x40, 0, 0, 0, 0, 3];
    // The bitmap of A MX RRSIG NSEC, as in the example of RFC 4034 §4.3.
    const aMx = [0, 6, 0x40, 1, 0, 0, 0, 3];
    expect(chain.map(({ name, rdatas }) => [name, ...rdatas.map((rdata) => [...rdata])])).toEqual([
      ["test", [...encodeName("b.a.test"), ...onlyA]],
      ["b.a.test", [...encodeName("b.test"), ...onlyA]],
      ["b.test", [...encodeName("a.b.test"), ...aMx]],
      ["a.b.test", [...encodeName("test"), ...onlyA]],
    ]);
    expect(chain.every(({ type, ttl }) => type === 47 && ttl === 30)).toBe(true);
  });

  it.each([
    ["test", "test"],
    ["a.test", "test"],
    ["z.b.a.test", "b.a.test"],
    ["b.test", "b.test"],
    ["z.test", "a.b.test"],
  ])("has for %s the record at %s", (name, owner) => {
    expect(nsecAtOrBefore(chain, name).map((set) => set.name)).toEqual([owner]);
  });
});
