// Tests of diagnoses: what a person is told of each server, which mistake, and who shares the asking.

import { createZoneRecords, type ZoneRecords } from "domain-signin-demo/zones/zone-records";
import { rcode } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import {
  aliasRecord,
  type Change,
  type DnsServerForTest,
  delegation,
  isFor,
  record,
  serveDns,
  textRecord,
} from "../../test/support/dns-server.ts";
import { LOOK_NOW, LOOK_RECENT, questions, turns } from "../../test/support/looks-for.ts";
import { clockFrom } from "../lib/clock.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import { createDiagnoses, type Diagnoses } from "./diagnosis.ts";
import { createNameServers, type Reach } from "./name-servers.ts";
import { createResolver } from "./resolver.ts";
import { createZoneLook } from "./zone-look.ts";

const { A, NS, TXT } = recordType;
const name = "_domain-signin.alice.test";
const wanted = `v=dsi1 sp=https://auth.example.com acct=${"a".repeat(22)}`;
const old = wanted.replace("aaa", "bbb");

let zone: ZoneRecords;
let time: number;
let resolver: DnsServerForTest;
let own: DnsServerForTest;

beforeEach(async () => {
  zone = createZoneRecords(["alice.test"]);
  time = 1_000_000;
  resolver = await serve();
  own = await serve();
});

async function serve(change?: Change): Promise<DnsServerForTest> {
  const served = await serveDns("alice.test", zone.records, change);
  onTestFinished(served.close);
  return served;
}

function publish(value: string, at = name, ttl = 300): void {
  zone.add({ name: at, type: "TXT", value, ttl });
}

interface Setup {
  readonly servers?: readonly DnsServerForTest[];
  readonly reach?: Reach;
  readonly totalMs?: number;
}

function diagnoses({ servers = [resolver], reach, totalMs = 10_000 }: Setup = {}): Diagnoses {
  const clock = clockFrom(() => time);
  const resolvers = servers.map(({ text, server }) => {
    return { text, server, ...createResolver({ servers: [server] }) };
  });
  const toOwn: Reach = (address) => (address === "127.0.0.1" ? own.server : null);
  const ownAddresses = async () => [];
  const setup = { resolvers, reach: reach ?? toOwn, ownAddresses, clock, questions };
  const nameServers = createNameServers(setup);
  const zoneLook = createZoneLook({ clock, nameServers, questions, totalMs });
  return createDiagnoses({ resolvers, zoneLook, clock, turns: { zones: turns, resolvers: turns } });
}

function look(setup: Setup = {}, domain = "alice.test") {
  return diagnoses(setup).look(domain, `_domain-signin.${domain}`, wanted, { from: SERVICE });
}

describe("what was asked and found", () => {
  it("is told of each resolver and each name server", async () => {
    publish(wanted);
    const late = await serve((query) =>
      isFor(query, name, TXT) ? { answers: [textRecord(name, old, 77)] } : {},
    );
    const address = "127.0.0.1";
    const who = (served: DnsServerForTest) => ({ kind: "resolver", name: served.text, address });
    expect(await look({ servers: [resolver, late] })).toEqual({
      ...{ name, wanted },
      checkedAt: 1000,
      asked: [
        { who: who(resolver), found: "wanted", values: [wanted], ttl: 300 },
        { who: who(late), found: "other", values: [old], ttl: 77 },
        {
          who: { kind: "name_server", name: "ns.alice.test", address },
          ...{ found: "wanted", values: [wanted], ttl: 300 },
        },
      ],
      mistake: { kind: "old_value", seconds: 77 },
      ...{ zone: "seen", panel: null, wildcard: null },
    });
    expect(resolver.queries.every((query) => query.recursionDesired)).toBe(true);
    expect(own.queries.some((query) => query.recursionDesired)).toBe(false);
  });

  it("of an absence, for how long the resolver remembers it", async () => {
    own = await serve((query) =>
      isFor(query, name, TXT) ? { rcode: 0, answers: [textRecord(name, wanted)] } : {},
    );
    const { asked, mistake } = await look();
    expect(asked.map(({ found, ttl }) => [found, ttl])).toEqual([
      ["absent", 60],
      ["wanted", 60],
    ]);
    expect(mistake).toEqual({ kind: "old_value", seconds: 60 });
  });

  it("is bounded, our records first", async () => {
    for (let index = 0; index < 30; index++) publish(`other ${index}`);
    publish(`${old}; long=${"x".repeat(2000)}`);
    const [told] = (await look()).asked;
    expect(told?.values).toHaveLength(16);
    expect(told?.values[0]).toHaveLength(1025);
    expect(told?.values[0]?.startsWith(old)).toBe(true);
  });

  it("behind an alias is what is at its end, where only the servers of that zone count", async () => {
    const target = "_domain-signin.host.example";
    zone.add({ name, type: "CNAME", value: target, ttl: 300 });
    const there = [aliasRecord(name, target), textRecord(target, wanted)];
    resolver = await serve((query) => {
      if (isFor(query, name, TXT)) return { answers: there };
      return isFor(query, target, TXT) ? { rcode: 0, answers: there.slice(1) } : {};
    });
    expect((await look()).asked.map(({ found }) => found)).toEqual(["wanted"]);
    expect(own.queries.some((query) => isFor(query, target, TXT))).toBe(false);
  });

  it("at an alias to a web host is the alias", async () => {
    zone.add({ name, type: "CNAME", value: "www.alice.test", ttl: 300 });
    const told = (await look()).asked.map(({ found, values }) => [found, values]);
    expect(told).toEqual(Array(2).fill(["other", ["CNAME www.alice.test"]]));
  });
});

describe("a usual mistake is recognised in the zone", () => {
  const shop = "shop.alice.test";
  it.each<[string, string, string, object]>([
    ["alice.test", "alice.test", wanted, { kind: "at_domain" }],
    ["alice.test", `${name}.alice.test`, wanted, { kind: "doubled_name" }],
    ["alice.test", "domain-signin.alice.test", wanted, { kind: "no_underscore" }],
    ["alice.test", "_domain-signin.www.alice.test", wanted, { kind: "at_www" }],
    ["www.alice.test", name, wanted, { kind: "at_parent" }],
    [shop, shop, wanted, { kind: "at_domain" }],
    [shop, `_domain-signin.${shop}.alice.test`, wanted, { kind: "doubled_name" }],
    [shop, `_domain-signin.${shop}.${shop}`, wanted, { kind: "doubled_name" }],
    [shop, `domain-signin.${shop}`, wanted, { kind: "no_underscore" }],
    [shop, `_domain-signin.www.${shop}`, wanted, { kind: "at_www" }],
    [shop, name, wanted, { kind: "at_parent" }],
  ])("for %s at %s", async (domain, place, value, told) => {
    publish(value, place);
    const before = resolver.queries.length;
    expect((await look({}, domain)).mistake).toEqual({ ...told, name: place });
    // The name server tells it: a resolver would remember for long that nothing is there.
    const asked = resolver.queries.slice(before).some((query) => isFor(query, place, TXT));
    expect(asked).toBe(false);
  });

  it("by the resolver where no name server may be asked", async () => {
    publish(wanted, "alice.test");
    const told = { kind: "at_domain", name: "alice.test" };
    expect((await look({ reach: () => null })).mistake).toEqual(told);
  });

  it("for a challenge too", async () => {
    const at = "_domain-signin-challenge.alice.test";
    const chal = `v=dsi1-chal sp=https://auth.example.com chal=${"c".repeat(22)}`;
    publish(chal, `${at}.alice.test`);
    const { mistake } = await diagnoses().look("alice.test", at, chal, { from: SERVICE });
    expect(mistake).toEqual({ kind: "doubled_name", name: `${at}.alice.test` });
  });

  it("though a name with the domain in it twice would be too long", async () => {
    const domain = `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(50)}.alice.test`;
    publish(wanted, domain);
    expect((await look({}, domain)).mistake).toEqual({ kind: "at_domain", name: domain });
  });
});

describe("those who ask", () => {
  const count = () => resolver.queries.length + own.queries.length;

  it("at once share one set of queries, whatever value each wants", async () => {
    publish(old);
    const shared = diagnoses();
    const values = [wanted, old, wanted, wanted, old];
    const told = await Promise.all(
      values.map((value) => shared.look("alice.test", name, value, { from: SERVICE })),
    );
    const expected = values.map((value) => (value === old ? "wanted" : "other"));
    expect(told.map(({ asked }) => asked[1]?.found)).toEqual(expected);
    // To the resolver: TXT, NS, A. To the name server: TXT, and four names where records are by mistake.
    const types = resolver.queries.map(({ questions }) => questions[0]?.type);
    expect(types.sort()).toEqual([1, 16, 2]);
    expect(own.queries).toHaveLength(5);
  });

  it("within three seconds are told the same, and then the zone is asked again", async () => {
    const shared = diagnoses();
    const found = async () =>
      (await shared.look("alice.test", name, wanted, { from: SERVICE })).asked[1]?.found;
    expect(await found()).toBe("absent");
    const once = count();
    publish(wanted);
    time += 2999;
    expect(await found()).toBe("absent");
    expect(count()).toBe(once);
    time += 1;
    expect(await found()).toBe("wanted");
    // The delegation is remembered for longer, and so are the four names at which there is no record by mistake.
    expect(count()).toBe(2 * once - 6);
  });

  it("after a name server was silent do not ask it again at once", async () => {
    own = await serve(() => null);
    const shared = diagnoses({ totalMs: 800 });
    await shared.look("alice.test", name, wanted, { from: SERVICE });
    const once = count();
    const { asked } = await shared.look("alice.test", name, wanted, { from: SERVICE });
    expect(asked.map(({ found }) => found)).toEqual(["absent", "silent"]);
    expect(count()).toBe(once);
  });

  it("after no resolver answered may try again at once", async () => {
    let isUp = false;
    resolver = await serve(() => (isUp ? {} : { rcode: rcode.servFail, answers: [] }));
    const shared = diagnoses();
    const found = async () =>
      (await shared.look("alice.test", name, wanted, { from: SERVICE })).asked.map(
        (asked) => asked.found,
      );
    expect(await found()).toEqual(["failed"]);
    isUp = true;
    expect(await found()).toEqual(["absent", "absent"]);
  });

  it("for what is no name are told nothing, and no exception", async () => {
    expect(await diagnoses().look("a..b", "x.a..b", wanted, { from: SERVICE })).toEqual({
      ...{ name: "x.a..b", checkedAt: 1000, asked: [], mistake: null, zone: "unreachable" },
      ...{ wanted: null, panel: null, wildcard: null },
    });
    expect(count()).toBe(0);
  });
});

describe("whether the zone has the record", () => {
  const empty: Change = (query) => (isFor(query, name, TXT) ? { rcode: 0, answers: [] } : {});

  /** The record is at the first name server, and is not at the second. */
  async function half(): Promise<Setup> {
    publish(wanted);
    const servers = [await serve(), await serve(empty)];
    resolver = await serve((query) => {
      const hosts = ["a.test", "b.test"];
      if (isFor(query, "alice.test", NS)) return { answers: delegation("alice.test", ...hosts) };
      const at = hosts.findIndex((host) => isFor(query, host, A));
      const host = hosts[at];
      return host ? { rcode: 0, answers: [record(host, A, Uint8Array.of(8, 8, 8, at))] } : {};
    });
    return { reach: (address) => servers[Number(address.at(-1))]?.server ?? null };
  }

  it("is so when all that answer have it, and until then no resolver is asked for it", async () => {
    const shared = diagnoses();
    const state = () => shared.look("alice.test", name, wanted, LOOK_RECENT);
    expect(await state()).toMatchObject({ zone: "unseen", asked: [{ found: "absent" }] });
    publish(old);
    time += 3000;
    expect(await state()).toMatchObject({ zone: "unseen", asked: [{ found: "other" }] });
    expect(resolver.queries.some((query) => isFor(query, name, TXT))).toBe(false);
    zone.remove({ name, type: "TXT", value: old });
    publish(wanted);
    time += 3000;
    expect(await state()).toMatchObject({
      ...{ zone: "seen", asked: [{ found: "wanted" }, { found: "wanted" }] },
    });
    expect(resolver.queries.some((query) => isFor(query, name, TXT))).toBe(true);
  });

  it("is so when one has had it for 60 seconds without a break", async () => {
    const shared = diagnoses(await half());
    const state = async (value: string) =>
      (await shared.lookInZone("alice.test", name, value, LOOK_NOW)).state;
    expect(await state(wanted)).toBe("unseen");
    time += 59_999;
    expect(await state(wanted)).toBe("unseen");
    time += 1;
    expect(await state(wanted)).toBe("seen");
    expect(await state(old)).toBe("unseen");
    zone.remove({ name, type: "TXT", value: wanted });
    expect(await state(wanted)).toBe("unseen");
    publish(wanted);
    expect(await state(wanted)).toBe("unseen");
  });

  it("is unknown without an authoritative answer, and then the resolvers are asked", async () => {
    own = await serve(() => ({ authoritative: false }));
    const shared = diagnoses();
    const look = () => shared.look("alice.test", name, wanted, LOOK_RECENT);
    expect(await look()).toMatchObject({
      ...{ zone: "unreachable", asked: [{ found: "absent", ttl: 60 }, { found: "failed" }] },
    });
    const once = own.queries.length;
    time += 59_999;
    await look();
    expect(own.queries).toHaveLength(once);
    time += 1;
    await look();
    expect(own.queries.length).toBeGreaterThan(once);
  });

  it("is asked again by a check now, and not by pages that check by themselves", async () => {
    const shared = diagnoses();
    const ask = (freshness: "now" | "recent") =>
      shared.lookInZone("alice.test", name, wanted, { freshness, from: SERVICE });
    await ask("recent");
    const once = own.queries.length;
    await Promise.all([ask("recent"), ask("recent")]);
    time += 2999;
    await ask("recent");
    expect(own.queries).toHaveLength(once);
    await Promise.all([ask("now"), ask("now")]);
    expect(own.queries).toHaveLength(once + 1);
  });
});
