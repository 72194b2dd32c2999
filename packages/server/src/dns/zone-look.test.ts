// Tests of what a zone's own name servers are asked: lame, silent and lying ones, referrals, aliases, and where packets go.

import type { Socket as UdpSocket } from "node:dgram";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createZoneRecords, type ZoneRecords } from "domain-signin-demo/zones/zone-records";
import { type DnsMessage, type DnsRecord, rcode } from "domain-signin-verify/dns/message";
import { isAtOrBelow } from "domain-signin-verify/dns/name";
import { recordType } from "domain-signin-verify/dns/records";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
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
import { questions } from "../../test/support/looks-for.ts";
import { passingTime, passRest } from "../../test/support/moving-time.ts";
import { requesterAt } from "../http/requester.ts";
import { clockFrom } from "../lib/clock.ts";
import { BusyError } from "../lib/errors.ts";
import { createRateGate, createReservedQueue } from "../lib/fair-queue.ts";
import { createNameServers, type Reach, reachPublic } from "./name-servers.ts";
import { createResolver } from "./resolver.ts";
import { NO_EVIDENCE, type ServerEvidence } from "./server-answer.ts";
import { createZoneLook } from "./zone-look.ts";

const { A, NS, TXT } = recordType;
const domain = "alice.test";
const name = `_domain-signin.${domain}`;
const value = "v=dsi1 sp=none";
const clock = clockFrom(() => 0);
const STRANGER = requesterAt("192.0.2.1");

let zone: ZoneRecords;
let resolver: DnsServerForTest;

beforeEach(async () => {
  zone = createZoneRecords(["test"]);
  zone.add({ name, type: "TXT", value, ttl: 300 });
  resolver = await serve();
});

afterEach(() => void vi.useRealTimers());

async function serve(change?: Change, origin = domain): Promise<DnsServerForTest> {
  const served = await serveDns(origin, zone.records, change);
  onTestFinished(served.close);
  return served;
}

function lookThrough(reach: Reach, { totalMs = 10_000, perMinute = 0 } = {}) {
  const resolvers = [createResolver({ servers: [resolver.server] })];
  const ownAddresses = async () => [];
  // The clock does not move, so this is all that can be asked.
  const gate = () => createRateGate(perMinute, 1, clock);
  const limited = createReservedQueue({ gate, capacity: 1000 }, clock);
  const asked = { questions: perMinute === 0 ? questions : limited };
  const nameServers = createNameServers({ resolvers, reach, ownAddresses, clock, ...asked });
  const lookAt = createZoneLook({ clock, nameServers, ...asked, totalMs });
  return (below: string, at: string) => lookAt(below, at, STRANGER);
}

function look(reach: Reach, at = name, setup = {}): Promise<ServerEvidence> {
  return lookThrough(reach, setup)(domain, at);
}

/** Leads to the zone's own name server, which answers like that. */
async function reachOf(change: Change): Promise<Reach> {
  const own = await serve(change);
  return (address) => (address === "127.0.0.1" ? own.server : null);
}

/** Each name server has the address 8.8.8.N, where N is its place in the list. */
function delegatesTo(hosts: readonly string[]): Change {
  return (query) => {
    if (isFor(query, domain, NS)) return { answers: delegation(domain, ...hosts) };
    const index = hosts.findIndex((host) => isFor(query, host, A));
    if (index < 0) return {};
    return { rcode: 0, answers: [record(hosts[index] ?? "", A, Uint8Array.of(8, 8, 8, index))] };
  };
}

const reachIn =
  (served: readonly DnsServerForTest[]): Reach =>
  (address) =>
    served[Number(address.split(".")[3])]?.server ?? null;

/** A referral to `apex`, whose server has its address as glue. */
function referral(apex: string, last: number): Partial<DnsMessage> {
  const host = `ns.${apex}`;
  return {
    ...{ authoritative: false, rcode: 0, answers: [] },
    authorities: delegation(apex, host),
    additionals: [record(host, A, Uint8Array.of(8, 8, 8, last))],
  };
}

describe("a name server that", () => {
  const foreign = "_domain-signin.evil.invalid";
  it.each<[string, Change, string, string[]?]>([
    ["refuses", () => ({ rcode: rcode.refused, answers: [] }), "failed"],
    ["fails", () => ({ rcode: rcode.servFail, answers: [] }), "failed"],
    ["has no authority over the zone", () => ({ authoritative: false, answers: [] }), "failed"],
    ["answers from a cache", () => ({ authoritative: false }), "failed"],
    ["has nothing", () => ({ rcode: rcode.nxDomain, answers: [] }), "answered", []],
    [
      "cuts its answer off",
      (_, over) => (over === "udp" ? { truncated: true, answers: [] } : {}),
      "answered",
      [value],
    ],
    ["cuts off over TCP too", () => ({ truncated: true, answers: [] }), "failed"],
    [
      "tells of a foreign zone",
      (query) =>
        isFor(query, name, TXT)
          ? { answers: [aliasRecord(name, foreign), textRecord(foreign, "A")] }
          : {},
      "nothing",
    ],
  ])("%s", async (_, change, outcome, values = []) => {
    const { answers } = await look(await reachOf(change));
    if (outcome === "nothing") expect(answers).toEqual([]);
    else expect(answers).toMatchObject([{ outcome, values }]);
  });

  it.each<[string, Change]>([
    ["is silent", () => null],
    [
      "answers another question",
      (query) => ({ questions: query.questions.map((one) => ({ ...one, name: "evil.test" })) }),
    ],
    ["is silent over TCP", (_, over) => (over === "udp" ? { truncated: true } : null)],
  ])("%s, is told as silent, and keeps nobody waiting for more than 5 s", async (_, change) => {
    const reach = await reachOf(change);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const begun = performance.now();
    const { answers } = await passingTime(look(reach, name, { totalMs: 5000 }));
    expect(answers).toMatchObject([{ outcome: "silent", values: [], ttl: null }]);
    expect(performance.now() - begun).toBeLessThanOrEqual(5000);
  });

  it("is silent beside one that answers does not delay that for long", async () => {
    resolver = await serve(delegatesTo(["a.test", "b.test"]));
    const reach = reachIn([await serve(() => null), await serve()]);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const begun = performance.now();
    const { answers } = await passingTime(look(reach));
    expect(answers.map(({ outcome }) => outcome)).toEqual(["silent", "answered"]);
    expect(performance.now() - begun).toBeLessThanOrEqual(1000);
    await passingTime(new Promise((resolve) => setTimeout(resolve, 10_000)));
  });
});

describe("a deeper zone", () => {
  const shop = "_domain-signin.shop.alice.test";
  const isBelow = (query: DnsMessage, apex: string) =>
    isAtOrBelow(query.questions[0]?.name ?? "", apex);

  it("is asked instead, at the address in the referral, and no resolver hears of it", async () => {
    zone.add({ name: shop, type: "TXT", value: "v=dsi1 sp=none x=shop", ttl: 300 });
    resolver = await serve(delegatesTo(["a.test"]));
    const parent = await serve((query) =>
      isBelow(query, "shop.alice.test") ? referral("shop.alice.test", 1) : {},
    );
    const child = await serve(undefined, "shop.alice.test");
    const { apex, answers } = await look(reachIn([parent, child]), shop);
    expect(apex).toBe("shop.alice.test");
    const expected = { who: { name: "ns.shop.alice.test" }, values: ["v=dsi1 sp=none x=shop"] };
    expect(answers).toMatchObject([expected]);
    const heard = resolver.queries.map(({ questions }) => questions[0]?.name);
    expect(heard).toEqual([domain, "a.test"]);
  });

  it.each([
    ["to itself", "alice.test"],
    ["upwards", "test"],
    ["aside", "bob.test"],
    ["past the name", `deep.${shop}`],
  ])("is not where a referral leads %s", async (_, apex) => {
    resolver = await serve(delegatesTo(["a.test"]));
    const parent = await serve(() => referral(apex, 0));
    const found = await look(reachIn([parent]), shop);
    expect(found).toMatchObject({ apex: domain, answers: [{ outcome: "failed" }] });
    expect(parent.queries).toHaveLength(1);
  });

  it("is sought four times, and then no more", async () => {
    const deep = `_domain-signin.a.b.c.d.e.f.${domain}`;
    const apexes = ["f", "e.f", "d.e.f", "c.d.e.f", "b.c.d.e.f", "a.b.c.d.e.f"];
    let count = 0;
    resolver = await serve(delegatesTo(["a.test"]));
    const parent = await serve(() => referral(`${apexes[count++]}.${domain}`, 0));
    expect(await look(reachIn([parent]), deep)).toMatchObject({ apex: null, answers: [] });
    expect(count).toBe(5);
  });
});

describe("an alias", () => {
  const target = "_domain-signin.bob.test";

  function alias(from: string, to: string): Change {
    return (query) =>
      isFor(query, from, TXT)
        ? { rcode: 0, answers: [aliasRecord(from, to)] }
        : { rcode: rcode.nxDomain, answers: [] };
  }

  it("leads to the name servers of its own zone, which answer instead", async () => {
    zone.add({ name: target, type: "TXT", value: "v=dsi1 sp=none x=bob", ttl: 300 });
    const other = delegatesTo(["a.test", "b.test"]);
    const own = await serve(alias(name, target));
    const bob = await serve(undefined, "bob.test");
    resolver = await serve((query, over) => {
      if (isFor(query, domain, NS)) return { answers: delegation(domain, "a.test") };
      const ofBob = isFor(query, "bob.test", NS);
      return ofBob ? { rcode: 0, answers: delegation("bob.test", "b.test") } : other(query, over);
    });
    const { apex, answers } = await look(reachIn([own, bob]));
    expect(apex).toBe(domain);
    const expected = { who: { name: "b.test" }, values: ["v=dsi1 sp=none x=bob"] };
    expect(answers).toMatchObject([expected]);
    expect(resolver.queries.some((query) => isFor(query, target, TXT))).toBe(false);
  });

  it("that leads in a circle ends", async () => {
    const other = `_domain-signin.x.${domain}`;
    const own = await serve((query, over) =>
      (isFor(query, name, TXT) ? alias(name, other) : alias(other, name))(query, over),
    );
    const { answers } = await look(() => own.server);
    expect(answers).toMatchObject([{ outcome: "failed" }]);
    expect(own.queries.length).toBeLessThan(10);
  });
});

describe("the resolvers", () => {
  const v6 = Uint8Array.of(0x26, 0x06, 0x47, ...new Uint8Array(12), 1);
  const answer = (answers: DnsRecord[]) => ({ authoritative: true, rcode: rcode.noError, answers });

  /** Each zone has four name servers of names of its own, without an IPv4 address. */
  const hostileDelegations: Change = ({ questions: [asked] }) => {
    const { name: at = "", type = 0 } = asked ?? {};
    const hosts = [0, 1, 2, 3].map((index) => `ns${index}.${at.replaceAll(".", "-")}.invalid`);
    if (type === NS) return { rcode: 0, answers: delegation(at, ...hosts) };
    return { rcode: 0, answers: type === recordType.AAAA ? [record(at, type, v6)] : [] };
  };

  it("are asked at most 40 questions for one look, however many zones its aliases lead to", async () => {
    resolver = await serve(hostileDelegations);
    let count = 0;
    const own = await serve(({ questions: [asked] }) => {
      return answer([aliasRecord(asked?.name ?? "", `_domain-signin.t${count++}.test`)]);
    });
    await look(() => own.server);
    expect(own.queries.length).toBeGreaterThan(4);
    expect(resolver.queries.length).toBeLessThanOrEqual(40);
  });

  it("nor more for the servers of deeper zones", async () => {
    const apexes = ["e", "d.e", "c.d.e", "b.c.d.e", "a.b.c.d.e"].map((one) => `${one}.${domain}`);
    const deep = `_domain-signin.${apexes.at(-1)}`;
    resolver = await serve(hostileDelegations);
    let count = 0;
    const own = await serve(() => {
      // All four servers of a zone lead to the next.
      const at = apexes[Math.floor(count++ / 4)] ?? "";
      const hosts = [0, 1, 2, 3].map((index) => `ns${index}.${at.length}.invalid`);
      const authorities = delegation(at, ...hosts);
      return { authoritative: false, rcode: 0, answers: [], authorities };
    });
    await look(() => own.server, deep);
    expect(resolver.queries.length).toBeLessThanOrEqual(40);
  });

  it("that are silent about names which the zone chose keep nobody waiting for more than 5 s", async () => {
    resolver = await serve((query, over) => {
      const [asked] = query.questions;
      const isSlow = asked?.type === A || asked?.name.includes("bob-test");
      return isSlow ? null : hostileDelegations(query, over);
    });
    const own = await serve(() => answer([aliasRecord(name, "_domain-signin.bob.test")]));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const begun = performance.now();
    const { answers } = await passingTime(look(() => own.server, name, { totalMs: 5000 }));
    expect(performance.now() - begun).toBeLessThanOrEqual(5000);
    expect(answers).toEqual([]);
    await passRest();
  });

  it("are asked no more questions about name servers than may be asked, then it is busy", async () => {
    resolver = await serve((query, over) => {
      const isAddress = query.questions[0]?.type !== NS;
      return isAddress ? { rcode: 0, answers: [] } : hostileDelegations(query, over);
    });
    const lookAt = lookThrough(reachPublic, { perMinute: 12 });
    expect(await lookAt(domain, name)).toEqual(NO_EVIDENCE);
    await expect(lookAt(domain, name)).rejects.toThrow(BusyError);
    // The last question may still be on its way.
    await expect.poll(() => resolver.queries.length).toBe(12);
  });
});

describe("where packets go", () => {
  /** Every address and port that a UDP socket is connected to in the meantime. */
  function watchPackets(): Set<string> {
    const targets = new Set<string>();
    const onSocket = (message: unknown) => {
      const { socket } = message as { socket: UdpSocket };
      socket.on("connect", () => {
        const { address, port } = socket.remoteAddress();
        targets.add(`${address}:${port}`);
      });
    };
    subscribe("udp.socket", onSocket);
    onTestFinished(() => void unsubscribe("udp.socket", onSocket));
    return targets;
  }

  it.each([
    ["127.0.0.1", Uint8Array.of(127, 0, 0, 1)],
    ["127.53.0.7", Uint8Array.of(127, 53, 0, 7)],
    ["192.168.0.1", Uint8Array.of(192, 168, 0, 1)],
  ])("a name server at %s gets none under the guard", async (address, rdata) => {
    const host = "ns.alice.test";
    resolver = await serve((query) =>
      isFor(query, host, A) ? { answers: [record(host, A, rdata)] } : {},
    );
    const targets = watchPackets();
    const { answers } = await look(reachPublic);
    expect(answers).toMatchObject([{ who: { address }, outcome: "not_asked", values: [] }]);
    expect([...targets]).toEqual([resolver.text]);
  });

  it("nor does one to which a referral leads", async () => {
    const own = await serve(() => ({
      ...referral(name, 1),
      additionals: [record(`ns.${name}`, A, Uint8Array.of(10, 0, 0, 1))],
    }));
    const targets = watchPackets();
    const { answers } = await look((address) =>
      address === "127.0.0.1" ? own.server : reachPublic(address),
    );
    expect(answers).toMatchObject([{ who: { address: "10.0.0.1" }, outcome: "not_asked" }]);
    expect(targets).toEqual(new Set([resolver.text, own.text]));
  });

  it("four name servers of thirteen get them, the others none", async () => {
    const hosts = Array.from({ length: 13 }, (_, index) => `ns${index + 10}.alice.test`);
    resolver = await serve(delegatesTo(hosts));
    const served = await Promise.all(hosts.map(() => serve()));
    const targets = watchPackets();
    const { answers } = await look(reachIn(served));
    expect(answers).toHaveLength(4);
    expect(targets).toEqual(new Set([resolver, ...served.slice(0, 4)].map(({ text }) => text)));
  });

  it("one requester sends no more questions than may be asked, whatever the domains", async () => {
    const own = await serve((query) => ({ ...answerFor(query) }));
    resolver = await serve((query) => {
      const [question] = query.questions;
      if (question?.type === NS) return { rcode: 0, answers: delegation(question.name, "a.test") };
      return { rcode: 0, answers: [record("a.test", A, Uint8Array.of(8, 8, 8, 0))] };
    });
    const lookAt = lookThrough(() => own.server, { perMinute: 60 });
    const domains = Array.from({ length: 40 }, (_, index) => `d${index}.test`);
    const looks = domains.map((one) => lookAt(one, `_domain-signin.${one}`));
    const found = await Promise.allSettled(looks);
    expect(own.queries.length).toBeLessThanOrEqual(60);
    // Those for which no question was sent are busy, and are told apart from silent servers.
    const refused = found.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every((one) => "reason" in one && one.reason instanceof BusyError)).toBe(true);
    const made = found.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(made.every(({ answers }) => answers.length > 0)).toBe(true);
  });

  function answerFor({ questions }: DnsMessage): Partial<DnsMessage> {
    return { questions, authoritative: true, rcode: rcode.nxDomain, answers: [] };
  }
});
