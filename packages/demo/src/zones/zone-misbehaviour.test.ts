// Tests of what each misbehaviour does to signatures, and of what it leaves alone.

import {
  type DnsMessage,
  decodeMessage,
  encodeMessage,
  encodeQuery,
  rcode,
} from "domain-signin-verify/dns/message";
import { decodeTxt } from "domain-signin-verify/dns/records";
import { beforeEach, expect, it } from "vitest";
import { isSigned, rdatasOf } from "../../test/support/signatures.ts";
import { createSignedZones, type SignedZones } from "./signed-zone-answer.ts";
import type { Misbehaviour } from "./zone-misbehaviour.ts";

const SOA = 6;
const TXT = 16;
const DS = 43;
const RRSIG = 46;
const NSEC = 47;
const DNSKEY = 48;

const tree = [
  { name: "", algorithm: 15, signed: true },
  { name: "alice.test", algorithm: 13, signed: true },
  { name: "carol.test", algorithm: 13, signed: false },
] as const;
const now = 1_800_000_000;
const name = "_x.alice.test";

let zones: SignedZones;
let trueKeys: Buffer[];

beforeEach(() => {
  const records = ["alice", "carol"].map((owner) => ({
    name: `_x.${owner}.test`,
    type: "TXT" as const,
    value: "true",
    ttl: 60,
  }));
  zones = createSignedZones({ zones: tree, records: () => records, now: () => now });
  trueKeys = rdatasOf(ask("alice.test", DNSKEY).answers, DNSKEY);
});

it.each<[Misbehaviour["how"] & ("strip" | "expired" | "not_yet_valid" | "swap_keys"), number]>([
  ["strip", TXT],
  ["strip", DNSKEY],
  ["expired", TXT],
  ["expired", SOA],
  ["not_yet_valid", TXT],
  ["not_yet_valid", DNSKEY],
  ["swap_keys", TXT],
  ["swap_keys", DNSKEY],
])("%s spoils sets of type %i, in the zone that is meant, until it is ended", (how, type) => {
  const at = type === TXT ? name : "alice.test";
  const isWell = () => isSigned(ask(at, type).answers, type, trueKeys, now);
  const expectWell = (well: boolean, misbehaviour: Misbehaviour | null) => {
    zones.misbehave(misbehaviour);
    expect(isWell()).toBe(well);
  };
  expectWell(true, null);
  expectWell(false, { how });
  expectWell(false, { how, zone: "alice.test" });
  expectWell(false, { how, zone: "alice.test", type });
  expectWell(true, { how, zone: "" });
  expectWell(true, { how, zone: "alice.test", type: DS });
  expectWell(true, null);
});

it("strip leaves out the proofs too", () => {
  zones.misbehave({ how: "strip" });
  const { authorities } = ask("nothing.alice.test", TXT);
  expect(authorities.map(({ type }) => type)).toEqual([SOA]);
  zones.misbehave({ how: "strip", type: NSEC });
  expect(ask("nothing.alice.test", TXT).authorities.map(({ type }) => type)).toEqual([SOA, RRSIG]);
});

it.each(["expired", "not_yet_valid"] as const)("%s is well signed at another time", (how) => {
  zones.misbehave({ how });
  const at = now + (how === "expired" ? -2 : 2) * 86_400;
  expect(isSigned(ask(name, TXT).answers, TXT, trueKeys, at)).toBe(true);
});

it("swap_keys shows other keys, whose signatures are right, and leaves the DS of the true ones", () => {
  const ds = rdatasOf(ask("alice.test", DS).answers, DS);
  zones.misbehave({ how: "swap_keys", zone: "alice.test" });
  const shown = rdatasOf(ask("alice.test", DNSKEY).answers, DNSKEY);
  expect(shown).not.toEqual(trueKeys);
  expect(isSigned(ask("alice.test", DNSKEY).answers, DNSKEY, shown, now)).toBe(true);
  expect(isSigned(ask(name, TXT).answers, TXT, shown, now)).toBe(true);
  expect(rdatasOf(ask("alice.test", DS).answers, DS)).toEqual(ds);
});

it("wildcard is a right signature over fewer labels than the name has, without a proof", () => {
  zones.misbehave({ how: "wildcard" });
  const { answers, authorities } = ask(name, TXT);
  expect(isSigned(answers, TXT, trueKeys, now)).toBe(true);
  expect(rdatasOf(answers, RRSIG)[0]?.[3]).toBe(2);
  expect(authorities).toEqual([]);
});

it("oversized answers are right, and almost as long as a message can be", () => {
  zones.misbehave({ how: "oversized" });
  const message = ask(name, TXT);
  expect(isSigned(message.answers, TXT, trueKeys, now)).toBe(true);
  const { length } = encodeMessage(message);
  expect(length).toBeGreaterThan(59_000);
  expect(length).toBeLessThan(61_000);
  expect(valuesOf(message)).toContain("true");
});

it("forge puts a value under the signature of the true one, or under none", () => {
  const signature = rdatasOf(ask(name, TXT).answers, RRSIG);
  zones.misbehave({ how: "forge", value: "forged" });
  const forged = ask(name, TXT);
  expect(valuesOf(forged)).toEqual(["forged"]);
  expect(isSigned(forged.answers, TXT, trueKeys, now)).toBe(false);
  expect(rdatasOf(forged.answers, RRSIG)[0]?.subarray(0, 18)).toEqual(
    signature[0]?.subarray(0, 18),
  );
  for (const absent of ["nothing.alice.test", "_x.carol.test"]) {
    const message = ask(absent, TXT);
    expect(message).toMatchObject({ rcode: rcode.noError, authorities: [] });
    expect(valuesOf(message)).toEqual(["forged"]);
    expect(rdatasOf(message.answers, RRSIG)).toEqual([]);
  }
  expect(ask("alice.test", SOA).answers).toHaveLength(2);
});

it("servfail and slow concern the questions that are meant", () => {
  zones.misbehave({ how: "servfail", zone: "alice.test", type: TXT });
  expect(ask(name, TXT)).toMatchObject({ rcode: rcode.servFail, answers: [] });
  expect(ask("alice.test", DNSKEY)).toMatchObject({ rcode: rcode.noError });
  expect(zones.delayMs(queryOf(name, TXT))).toBe(0);
  zones.misbehave({ how: "slow", delayMs: 70, zone: "alice.test" });
  expect(zones.delayMs(queryOf(name, TXT))).toBe(70);
  expect(zones.delayMs(queryOf("_x.carol.test", TXT))).toBe(0);
  // The DS of the zone is a matter of the zone above it.
  expect(zones.delayMs(queryOf("alice.test", DS))).toBe(0);
});

function ask(asked: string, type: number): DnsMessage {
  return decodeMessage(encodeMessage(zones.answer(queryOf(asked, type))));
}

function queryOf(asked: string, type: number): DnsMessage {
  return decodeMessage(encodeQuery({ id: 1, name: asked, type }));
}

function valuesOf({ answers }: DnsMessage): string[] {
  return rdatasOf(answers, TXT).map((rdata) => Buffer.from(decodeTxt(rdata)).toString());
}
