// Tests of how much may ask DNS at once: sockets are counted while no resolver answers.

import type { Socket } from "node:dgram";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createZoneRecords } from "domain-signin-demo/zones/zone-records";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { type DnsServerForTest, serveDns } from "../../test/support/dns-server.ts";
import { nextNetwork } from "../../test/support/guarded-world.ts";
import { gate } from "../../test/support/held-statements.ts";
import { BEHAVIOURS, startHostileDns } from "../../test/support/hostile-dns.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { passingTime, passRest } from "../../test/support/moving-time.ts";
import { createCache } from "../lib/cache.ts";
import { clockFrom, systemClock } from "../lib/clock.ts";
import { createTurns } from "./bounded.ts";
import { createLooks } from "./looks.ts";

const issuer = "https://auth.example.com";
/** Also the timers by which a turn is waited for: otherwise a busy machine would pass more time for some than for others. */
const FAKED = [
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "performance",
] as const;
afterEach(() => void vi.useRealTimers());

/** Three resolvers that do not answer about names below `dead.test` and its like. */
async function start() {
  const zone = createZoneRecords(["well.test"]);
  const servers: DnsServerForTest[] = [];
  while (servers.length < 3) {
    const isDead = (name: string) => name.includes("dead");
    const server = await serveDns("well.test", zone.records, (query) =>
      query.questions.some(({ name }) => isDead(name)) ? null : {},
    );
    servers.push(server);
    onTestFinished(server.close);
  }
  const dnsServers = servers.map(({ text }) => text);
  const store = await openMemoryStore();
  onTestFinished(() => store.close());
  return createLooks(
    { issuer, dnsServers, minAssurance: "single", trustAnchors: [] },
    { clock: clockFrom(() => 1_900_000_000_000), store, reach: () => null },
  );
}

const now = () => ({ freshness: "now", from: nextNetwork() }) as const;

/** The most UDP sockets that were open at once. */
function countSockets(): () => number {
  let open = 0;
  let most = 0;
  const onSocket = (message: unknown) => {
    most = Math.max(most, ++open);
    const { socket } = message as { socket: Socket };
    const close = socket.close.bind(socket);
    // Its descriptor is free from here on, its event comes later.
    socket.close = (whenDone) => {
      open--;
      return close(whenDone);
    };
  };
  subscribe("udp.socket", onSocket);
  onTestFinished(() => void unsubscribe("udp.socket", onSocket));
  return () => most;
}

test("600 looks at once open few sockets, and all find an end that is no absence", async () => {
  const { spRecords, diagnoses } = await start();
  vi.useFakeTimers({ toFake: [...FAKED] });
  const most = countSockets();
  const domains = Array.from({ length: 600 }, (_, index) => `dead${index}.test`);
  const looks = domains.map((domain) => spRecords.look(domain, now()));
  const seen = domains
    .slice(0, 100)
    .map((domain) => diagnoses.look(domain, `x.${domain}`, "", { from: nextNetwork() }));
  const found = await passingTime(Promise.all(looks));
  await passingTime(Promise.all(seen));
  expect(new Set(found.map(({ outcome }) => outcome))).toEqual(new Set(["indeterminate"]));
  const reasons = found.map((look) => "reason" in look && look.reason);
  expect(new Set(reasons)).toEqual(new Set(["timeout", "busy"]));
  expect(reasons.filter((reason) => reason === "timeout").length).toBeGreaterThanOrEqual(64);
  expect(most()).toBeGreaterThan(100);
  expect(most()).toBeLessThan(1000);
  await passRest();
});

test.each([
  ["names below one domain", (index: number) => `n${index}.dead.test`, 200],
  ["domains", (index: number) => `dead${index}.test`, 200],
  ["names below the domain of somebody else", (index: number) => `dead${index}.well.test`, 200],
])(
  "beside 300 slow %s that one network asks for, another network finds room",
  async (_, nameOf, sockets) => {
    const { spRecords } = await start();
    vi.useFakeTimers({ toFake: [...FAKED] });
    const most = countSockets();
    const from = nextNetwork();
    const names = Array.from({ length: 300 }, (_, index) => nameOf(index));
    const flood = Promise.all(names.map((one) => spRecords.look(one, { freshness: "now", from })));
    // First, they take all that they can get.
    await passingTime(Promise.resolve());
    const { outcome } = await passingTime(spRecords.look("well.test", now()));
    expect(outcome).toBe("absent");
    await passingTime(flood);
    expect(most()).toBeLessThan(sockets);
    await passRest();
  },
);

test("beside slow domains of 300 networks, who has the reserve finds room, and others are told that the service is busy", async () => {
  const { spRecords } = await start();
  vi.useFakeTimers({ toFake: [...FAKED] });
  const domains = Array.from({ length: 300 }, (_, index) => `dead${index}.test`);
  const flood = Promise.all(domains.map((domain) => spRecords.look(domain, now())));
  await passingTime(Promise.resolve());
  const reserved = { freshness: "now", from: { ...nextNetwork(), isReserved: true } } as const;
  const looks = [
    spRecords.look("well.test", reserved),
    spRecords.lookForChallenge("well.test", "c", reserved.from),
    spRecords.look("other.well.test", now()),
  ];
  const [look, challenge, other] = await passingTime(Promise.all(looks));
  expect([look?.outcome, challenge?.outcome]).toEqual(["absent", "not_seen"]);
  expect(other).toMatchObject({ outcome: "indeterminate", reason: "busy" });
  await passingTime(flood);
  await passRest();
});

test("a zone with slow aliases takes room for no more than 2.5 s after the verdict", async () => {
  const server = await startHostileDns(["slow.test"], () => []);
  onTestFinished(server.close);
  server.behave({ ...BEHAVIOURS["has a slow chain of aliases"], delayMs: 800 });
  const { spRecords } = createLooks(
    {
      ...{ issuer, dnsServers: [server.text], minAssurance: "single", trustAnchors: [] },
      // Room for four, and as much with the reserve.
      limits: { lookUps: 8 },
    },
    { clock: clockFrom(() => 1_900_000_000_000), reach: () => null },
  );
  vi.useFakeTimers({ toFake: [...FAKED] });
  const reasonsOf = async (first: number) => {
    const names = Array.from({ length: 4 }, (_, index) => `n${first + index}.slow.test`);
    const looks = await passingTime(Promise.all(names.map((one) => spRecords.look(one, now()))));
    return looks.map((look) => "reason" in look && look.reason);
  };
  expect(await reasonsOf(0)).toEqual(Array(4).fill("timeout"));
  await passingTime(new Promise((resolve) => setTimeout(resolve, 2000)));
  // Each waits for half a second at most.
  expect(await reasonsOf(4)).toEqual(Array(4).fill("timeout"));
  await passRest();
});

test("room is free again once all that was asked is over, and what comes meanwhile waits", async () => {
  const { run } = createTurns(1, systemClock);
  const asked = gate();
  const task = async (hold: (promise: Promise<unknown>) => void) => hold(asked.opened);
  expect(await run(nextNetwork(), task)).toBeUndefined();
  const order: string[] = [];
  const next = run(nextNetwork(), async () => order.push("next"));
  await new Promise(setImmediate);
  order.push("over");
  asked.open();
  expect(await next).toBe(2);
  expect(order).toEqual(["over", "next"]);
  const failing = run(nextNetwork(), () => Promise.reject(new Error("its own")));
  await expect(failing).rejects.toThrow("own");
});

test("what has begun is joined without a turn, and who waits has a turn of their own", async () => {
  const { share } = createTurns(1, systemClock);
  const cache = createCache<string>({ clock: systemClock, maxEntries: 9 });
  const read = gate();
  const made: string[] = [];
  const shareOf = (key: string, by: string) =>
    share(cache, { key, from: nextNetwork() }, async () => {
      made.push(by);
      await read.opened;
      return by;
    });
  const first = shareOf("a", "first");
  await vi.waitUntil(() => made.length === 1);
  const joined = shareOf("a", "second");
  const waiting = [shareOf("b", "third"), shareOf("b", "fourth")];
  read.open();
  expect(await Promise.all([first, joined])).toEqual(["first", "first"]);
  await Promise.all(waiting);
  expect(made.slice(0, 2)).toEqual(["first", "third"]);
});
