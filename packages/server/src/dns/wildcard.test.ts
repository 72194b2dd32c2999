// Tests of whether a diagnosis names the wildcard that does not cover a domain any more once its record is published.

import { encodeName } from "domain-signin-verify/dns/name";
import { recordType } from "domain-signin-verify/dns/records";
import { describe, expect, it, onTestFinished } from "vitest";
import { startDiagnosedZone, type ZoneOptions } from "../../test/support/diagnosed-zone.ts";
import { aliasRecord, record, textRecord } from "../../test/support/dns-server.ts";

const MX = 15;
const domain = "ann.alice.test";
const name = `_domain-signin.${domain}`;
const wanted = `v=dsi1; sp=https://auth.example.com; acct=${"a".repeat(22)}`;
const published = textRecord(name, wanted);
const address = (at: string, last = 1) => record(at, recordType.A, Uint8Array.of(192, 0, 2, last));
const mail = (at: string) => record(at, MX, Uint8Array.of(0, 10, ...encodeName("mx.alice.test")));
const text = (at: string) => textRecord(at, "v=spf1 -all");

async function start(records: object[], options: ZoneOptions = {}) {
  const zone = await startDiagnosedZone(options);
  onTestFinished(zone.close);
  zone.records.push(...(records as typeof zone.records));
  return zone;
}

async function wildcardOf(records: object[], at = domain) {
  return (await (await start(records)).look(at, wanted)).wildcard;
}

describe("a wildcard that covers the domain", () => {
  it.each<[string, object[]]>([
    ["has an address", [address("*.alice.test")]],
    ["has a mail server", [mail("*.alice.test")]],
    ["is an alias", [aliasRecord("*.alice.test", "host.alice.test")]],
    ["has texts, too", [address("*.alice.test"), text("*.alice.test")]],
  ])("is named before and after the record is published if it %s", async (_, records) => {
    expect(await wildcardOf(records)).toBe("*.alice.test");
    expect(await wildcardOf([...records, published])).toBe("*.alice.test");
  });

  it("is named if the record is an alias to a name for sign-in", async () => {
    const alias = aliasRecord(name, "_domain-signin.host.example");
    expect(await wildcardOf([address("*.alice.test"), alias])).toBe("*.alice.test");
  });

  it("is named by its own name, although it answers for deeper wildcards, too", async () => {
    const records = [address("*.alice.test")];
    for (const at of ["ann.team.alice.test", "ann.a.b.c.d.alice.test"]) {
      expect(await wildcardOf(records, at)).toBe("*.alice.test");
    }
    expect(
      await wildcardOf([...records, address("*.team.alice.test", 2)], "ann.team.alice.test"),
    ).toBe("*.team.alice.test");
  });
});

describe("no wildcard is named", () => {
  it.each<[string, object[], string?]>([
    ["there is none", []],
    ["there is none, and the record is published", [published]],
    ["it has only texts", [text("*.alice.test")]],
    ["the domain is the zone's apex", [address("*.alice.test")], "alice.test"],
    [
      "it is above an existing name",
      [address("*.alice.test"), address("team.alice.test")],
      "ann.team.alice.test",
    ],
    ["the domain has other data", [address("*.alice.test"), address(domain, 2)]],
    ["the domain has the same data", [address("*.alice.test"), address(domain)]],
    [
      "the domain has the same data, and the record",
      [address("*.alice.test"), address(domain), published],
    ],
    [
      "the domain has other data, and the record",
      [address("*.alice.test"), mail(domain), published],
    ],
    [
      "the domain exists, because a name below it does",
      [address("*.alice.test"), address(`www.${domain}`)],
    ],
  ])("if %s", async (_, records, at) => {
    expect(await wildcardOf(records, at)).toBeNull();
  });

  it.each<[string, ZoneOptions]>([
    ["name servers are not used", { isUsed: false }],
    ["nothing may be sent to the name servers", { reach: () => null }],
  ])("if %s, and no resolver is asked for it", async (_, options) => {
    const { look, asked } = await start([address("*.alice.test")], options);
    expect((await look(domain, wanted)).wildcard).toBeNull();
    expect(asked().resolver.filter((question) => question.includes("*"))).toEqual([]);
  });
});

describe("the questions about wildcards", () => {
  const isAboutThem = (question: string) => /^(?:1|15) /.test(question);

  it.each([
    ["alice.test", 0],
    ["ann.alice.test", 4],
    ["ann.team.alice.test", 6],
    ["ann.a.b.c.d.alice.test", 6],
  ])("for %s are %i, once a minute", async (at, count) => {
    const { look, asked, advance } = await start([address("*.alice.test")]);
    const about = () => asked().own.filter(isAboutThem);
    await look(at, wanted);
    expect(about()).toHaveLength(count);
    advance(57_000);
    await look(at, wanted);
    expect(about()).toHaveLength(count);
    advance(3000);
    await look(at, wanted);
    expect(about()).toHaveLength(2 * count);
  });

  it("are put again as soon as the record is published, because the domain now exists", async () => {
    const { look, asked, advance, records } = await start([address("*.alice.test")]);
    expect((await look(domain, wanted)).wildcard).toBe("*.alice.test");
    records.push(published, address(domain));
    advance(3000);
    expect((await look(domain, wanted)).wildcard).toBeNull();
    expect(asked().own.filter(isAboutThem)).toHaveLength(8);
  });

  it("are not put where no wildcard covers the name of the record", async () => {
    const { look, asked } = await start([]);
    await look(domain, wanted);
    expect(asked().own.filter(isAboutThem)).toEqual([]);
  });
});
