// Tests of floods that use up questions about DNS, and of people beside them: of the same domain, and of the same DNS host.

import { createZoneRecords } from "domain-signin-demo/zones/zone-records";
import { recordType } from "domain-signin-verify/dns/records";
import { expect, onTestFinished, test } from "vitest";
import {
  type DnsServerForTest,
  delegation,
  isFor,
  record,
  serveDns,
} from "../../test/support/dns-server.ts";
import { nextNetwork } from "../../test/support/guarded-world.ts";
import { gate } from "../../test/support/held-statements.ts";
import { turns } from "../../test/support/looks-for.ts";
import { clockFrom, type MachineClock, systemClock } from "../lib/clock.ts";
import type { Requester } from "../lib/fair-queue.ts";
import { createDiagnoses } from "./diagnosis.ts";
import { createLooks } from "./looks.ts";
import { NO_EVIDENCE } from "./server-answer.ts";

const { A, AAAA, NS, TXT } = recordType;
const HOST = "ns.host.test";
const stopped = clockFrom(() => 1_900_000_000_000);

/** A resolver, and the DNS host of all domains below `test`. */
async function start(clock: MachineClock = systemClock) {
  const zone = createZoneRecords(["test"]);
  const resolver = await serveDns("test", zone.records, (query) => {
    const [{ name = "", type = 0 } = {}] = query.questions;
    if (type === NS) return { rcode: 0, answers: delegation(name, HOST) };
    if (type === AAAA) return { rcode: 0, answers: [] };
    if (!isFor(query, HOST, A)) return {};
    return { rcode: 0, answers: [record(HOST, A, Uint8Array.of(8, 8, 8, 8))] };
  });
  const host = await serveDns("test", zone.records);
  for (const { close } of [resolver, host]) onTestFinished(close);
  const looks = createLooks(
    {
      ...{ issuer: "https://auth.example.com", dnsServers: [resolver.text] },
      ...{ minAssurance: "single", trustAnchors: [] },
    },
    { clock, reach: () => host.server },
  );
  const { newRecords } = looks;
  const look = async (domain: string, from: Requester = nextNetwork()) => {
    const wanted = { freshness: "now", from } as const;
    return (await newRecords.lookForRecord(domain, { sp: null }, wanted)).outcome;
  };
  const challenge = async (domain: string, from: Requester) => {
    const wanted = { freshness: "now", from } as const;
    const value = { chal: "c".repeat(22), value: "" };
    return (await newRecords.lookForChallenge(domain, value, wanted)).outcome;
  };
  const askedFor = (name: string) => ({
    host: countOf(host, name),
    resolver: countOf(resolver, name),
  });
  return { look, challenge, askedFor, host };
}

const countOf = ({ queries }: DnsServerForTest, name: string) =>
  queries.filter((query) => isFor(query, name, TXT)).length;
const reserved = () => ({ ...nextNetwork(), isReserved: true });

test("beside 400 looks of one network at 50 domains of one host, the host is asked for another domain", async () => {
  const { look, askedFor } = await start();
  const flood = nextNetwork();
  const names = Array.from({ length: 400 }, (_, index) => `r${index}.d${index % 50}.test`);
  const flooding = Promise.all(names.map((name) => look(name, flood)));
  expect(await look("alice.test")).toBe("absent");
  expect(askedFor("_domain-signin.alice.test")).toEqual({ host: 1, resolver: 0 });
  expect(new Set(await flooding)).not.toContain("bogus");
});

test("beside 100 looks of one network at names below a domain, its host is asked for the owner of an open set-up", async () => {
  const { look, challenge, askedFor } = await start();
  const flood = nextNetwork();
  const names = Array.from({ length: 100 }, (_, index) => `random${index}.alice.test`);
  const flooding = Promise.all(names.map((name) => look(name, flood)));
  expect(await look("alice.test", reserved())).toBe("absent");
  // The looks of the flood ask the host for this name too, but no resolver.
  expect(askedFor("_domain-signin.alice.test")).toMatchObject({ resolver: 0 });
  expect(await challenge("alice.test", reserved())).toBe("not_seen");
  expect(askedFor("_domain-signin-challenge.alice.test")).toEqual({ host: 1, resolver: 0 });
  await flooding;
});

test("when many networks have used up all questions, resolvers are asked, and the host for those with the reserve", async () => {
  // No time passes, so no new questions may be asked.
  const { look, challenge, askedFor, host } = await start(stopped);
  for (let index = 0, before = -1; host.queries.length > before; index++) {
    before = host.queries.length;
    await look(`r${index}.d${index % 5}.test`);
  }
  // Whoever only types the domain has no reserve, and still gets an answer.
  expect(await look("alice.test")).toBe("absent");
  expect(askedFor("_domain-signin.alice.test")).toEqual({ host: 0, resolver: 1 });
  expect(await challenge("alice.test", nextNetwork())).toBe("not_seen");
  expect(askedFor("_domain-signin-challenge.alice.test")).toEqual({ host: 0, resolver: 1 });
  expect(await look("alice.test", reserved())).toBe("absent");
  expect(await challenge("alice.test", reserved())).toBe("not_seen");
  expect(askedFor("_domain-signin.alice.test")).toEqual({ host: 1, resolver: 1 });
  expect(askedFor("_domain-signin-challenge.alice.test")).toEqual({ host: 1, resolver: 1 });
});

test("strangers share one look at a time at the names below a domain, and who has the reserve does not wait", async () => {
  const held = gate();
  const asked: string[] = [];
  const { lookInZone } = createDiagnoses({
    ...{ resolvers: [], clock: systemClock, turns: { zones: turns, resolvers: turns } },
    async zoneLook(_, name) {
      asked.push(name);
      if (name === "slow.alice.test") await held.opened;
      return NO_EVIDENCE;
    },
  });
  const stateOf = async (domain: string, name: string, from: Requester = nextNetwork()) =>
    (await lookInZone(domain, name, "", { freshness: "now", from })).state;
  const slow = stateOf("alice.test", "slow.alice.test");
  const joined = stateOf("alice.test", "slow.alice.test");
  await new Promise(setImmediate);
  // In turns, but nobody waits for long.
  expect(await stateOf("alice.test", "b.alice.test")).toBe("busy");
  const flood = nextNetwork();
  const flooding = Array.from({ length: 20 }, (_, index) =>
    stateOf("alice.test", `f${index}.alice.test`, flood),
  );
  const next = stateOf("alice.test", "d.alice.test");
  expect(await stateOf("bob.test", "b.bob.test")).toBe("unreachable");
  expect(await stateOf("alice.test", "c.alice.test", reserved())).toBe("unreachable");
  expect(asked).toEqual(["slow.alice.test", "b.bob.test", "c.alice.test"]);
  held.open();
  expect(await next).toBe("unreachable");
  expect(asked.indexOf("d.alice.test")).toBeLessThanOrEqual(4);
  expect(new Set(await Promise.all(flooding))).toEqual(new Set(["unreachable"]));
  expect(await Promise.all([slow, joined])).toEqual(["unreachable", "unreachable"]);
  expect(await stateOf("alice.test", "b.alice.test")).toBe("unreachable");
});

test("however many requests of a flood wait for a look at one name, another network waits for its own turn only", async () => {
  const held = gate();
  const { lookInZone } = createDiagnoses({
    ...{ resolvers: [], clock: systemClock, turns: { zones: turns, resolvers: turns } },
    async zoneLook(_, name) {
      if (name === "slow.alice.test") await held.opened;
      return NO_EVIDENCE;
    },
  });
  const stateOf = async (name: string, from: Requester = nextNetwork()) =>
    (await lookInZone("alice.test", name, "", { freshness: "now", from })).state;
  const flood = nextNetwork();
  const slow = stateOf("slow.alice.test", flood);
  await new Promise(setImmediate);
  const flooding = Array.from({ length: 30 }, () => stateOf("b.alice.test", flood));
  const began = performance.now();
  expect(await stateOf("b.alice.test")).toBe("busy");
  // Two turns of half a second: that of the flood, which it shares, and its own; one after another, it would be 15 s.
  expect(performance.now() - began).toBeLessThan(7000);
  held.open();
  await Promise.all([slow, ...flooding]);
});
