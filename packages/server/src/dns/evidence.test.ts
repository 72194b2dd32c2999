// Tests of what is asked of whom: name servers that are lame or silent, and servers that nobody may ask.

import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createZoneRecords, type ZoneRecords } from "domain-signin-demo/zones/zone-records";
import { rcode } from "domain-signin-verify/dns/message";
import { encodeName } from "domain-signin-verify/dns/name";
import { recordType } from "domain-signin-verify/dns/records";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type Change,
  type DnsServerForTest,
  isFor,
  record,
  serveDns,
} from "../../test/support/dns-server.ts";
import { passingTime } from "../../test/support/moving-time.ts";
import { createGather, type Evidence } from "./evidence.ts";
import { type Reach, reachPublic } from "./name-servers.ts";

const { A, AAAA, NS } = recordType;
const domain = "alice.test";
const name = `_domain-signin.${domain}`;
const value = "v=dsi1; sp=none";
const cleanups: (() => void)[] = [];

let zone: ZoneRecords;
let resolver: DnsServerForTest;

beforeEach(async () => {
  zone = createZoneRecords([domain]);
  zone.add({ name, type: "TXT", value, ttl: 300 });
  resolver = await serve();
});

afterEach(() => {
  vi.useRealTimers();
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function serve(change?: Change): Promise<DnsServerForTest> {
  const served = await serveDns(domain, zone.records, change);
  cleanups.push(served.close);
  return served;
}

function gather(reach: Reach, totalMs = 10_000): Promise<Evidence> {
  return createGather({ servers: [resolver], reach, totalMs })(domain, name);
}

/** Leads to the zone's own name server, which answers like that. */
async function reachOf(change: Change): Promise<Reach> {
  const own = await serve(change);
  return (address) => (address === "127.0.0.1" ? own.server : null);
}

describe("a name server that", () => {
  it.each<[string, Change, string, string[]?]>([
    ["refuses", () => ({ rcode: rcode.refused, answers: [] }), "failed"],
    ["fails", () => ({ rcode: rcode.servFail, answers: [] }), "failed"],
    ["only refers to others", () => ({ authoritative: false, answers: [] }), "failed"],
    ["answers from a cache", () => ({ authoritative: false }), "failed"],
    ["has nothing", () => ({ rcode: rcode.nxDomain, answers: [] }), "answered", []],
    [
      "cuts its answer off",
      (_, over) => (over === "udp" ? { truncated: true, answers: [] } : {}),
      "answered",
      [value],
    ],
    ["cuts off over TCP too", () => ({ truncated: true, answers: [] }), "failed"],
  ])("%s", async (_, change, outcome, values = []) => {
    const [, answer] = (await gather(await reachOf(change))).answers;
    expect(answer).toMatchObject({ outcome, values });
  });

  it.each<[string, Change]>([
    ["is silent", () => null],
    [
      "answers another question",
      (query) => ({ questions: query.questions.map((one) => ({ ...one, name: "evil.test" })) }),
    ],
    ["is silent over TCP", (_, over) => (over === "udp" ? { truncated: true } : null)],
  ])("%s, is told as silent, and keeps nobody waiting for long", async (_, change) => {
    const reach = await reachOf(change);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const begun = performance.now();
    const [, answer] = (await passingTime(gather(reach, 2000))).answers;
    expect(answer).toMatchObject({ outcome: "silent", values: [], ttl: null });
    expect(performance.now() - begun).toBeLessThanOrEqual(2000);
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
    cleanups.push(() => unsubscribe("udp.socket", onSocket));
    return targets;
  }

  it.each([
    ["127.0.0.1", A, Uint8Array.of(127, 0, 0, 1)],
    ["127.53.0.7", A, Uint8Array.of(127, 53, 0, 7)],
    ["::1", AAAA, Uint8Array.of(...new Uint8Array(15), 1)],
  ])("a name server at %s gets none under the guard", async (address, type, rdata) => {
    const host = "ns.alice.test";
    resolver = await serve((query) => {
      if (isFor(query, host, type)) return { answers: [record(host, type, rdata)] };
      return isFor(query, host, A) ? { answers: [] } : {};
    });
    const counter = createSocket(type === A ? "udp4" : "udp6");
    cleanups.push(() => counter.close());
    let packets = 0;
    counter.on("message", () => packets++);
    // The very port, where the system lets us have it; the watch below needs no leave.
    counter.bind(53, address);
    await once(counter, "listening").catch(() => {});

    const targets = watchPackets();
    const { answers } = await gather(reachPublic, 2000);
    expect(answers[1]).toMatchObject({ who: { address }, outcome: "not_asked", values: [] });
    expect([...targets]).toEqual([resolver.text]);
    expect(packets).toBe(0);
  });

  it("four name servers of twelve get them, the others none", async () => {
    const hosts = Array.from({ length: 12 }, (_, index) => `ns${index + 10}.alice.test`);
    resolver = await serve((query) => {
      if (isFor(query, domain, NS)) {
        return { answers: hosts.map((host) => record(domain, NS, encodeName(host))) };
      }
      const index = hosts.findIndex((host) => isFor(query, host, A));
      if (index < 0) return {};
      return { rcode: 0, answers: [record(hosts[index] ?? "", A, Uint8Array.of(8, 8, 8, index))] };
    });
    const served = await Promise.all(hosts.map(() => serve()));
    const reach = (address: string) => served[Number(address.split(".")[3])]?.server ?? null;
    const targets = watchPackets();
    const { answers } = await gather(reach);
    expect(answers).toHaveLength(5);
    expect(targets).toEqual(new Set([resolver, ...served.slice(0, 4)].map(({ text }) => text)));
  });
});
