// Tests of how much may ask DNS at once: sockets are counted while no resolver answers.

import type { Socket } from "node:dgram";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createZoneRecords } from "domain-signin-demo/zones/zone-records";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { type DnsServerForTest, serveDns } from "../../test/support/dns-server.ts";
import { gate } from "../../test/support/held-statements.ts";
import { BEHAVIOURS, startHostileDns } from "../../test/support/hostile-dns.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { passingTime, passRest } from "../../test/support/moving-time.ts";
import { liveAccount } from "../../test/support/store-rows.ts";
import { clockFrom } from "../lib/clock.ts";
import { createConcurrencyLimit } from "./bounded.ts";
import { createLooks } from "./looks.ts";

const issuer = "https://auth.example.com";
afterEach(() => void vi.useRealTimers());

/** Three resolvers that do not answer about names below `dead.test` and its like. `well.test` may have an account. */
async function start(hasAccount = false) {
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
  if (hasAccount) await liveAccount(store, { domain: "well.test" });
  return createLooks(
    { issuer, dnsServers, minAssurance: "single", trustAnchors: [] },
    { clock: clockFrom(() => 1_900_000_000_000), store, reach: () => null },
  );
}

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
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const most = countSockets();
  const domains = Array.from({ length: 600 }, (_, index) => `dead${index}.test`);
  const looks = domains.map((domain) => spRecords.look(domain, "now"));
  const seen = domains.slice(0, 100).map((domain) => diagnoses.look(domain, `x.${domain}`, ""));
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

test("the names below one domain wait for each other, and nobody else waits for them", async () => {
  const { spRecords } = await start();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const most = countSockets();
  const names = Array.from({ length: 300 }, (_, index) => `n${index}.dead.test`);
  const flood = Promise.all(names.map((domain) => spRecords.look(domain, "now")));
  const { outcome } = await passingTime(spRecords.look("well.test", "now"));
  expect(outcome).toBe("absent");
  await passingTime(flood);
  expect(most()).toBeLessThan(80);
  await passRest();
});

const others = (index: number) => `dead${index}.test`;
const itsOwn = (index: number) => `dead${index}.well.test`;

test.each([
  ["domains without an account, one with an account here finds room", others, true, "absent"],
  ["domains without an account, one without finds none", others, false, "indeterminate"],
  ["names below it, a domain with an account here finds room", itsOwn, true, "absent"],
  ["names below it, a domain without finds none", itsOwn, false, "indeterminate"],
])("beside 300 slow %s", async (_, nameOf, hasAccount, expected) => {
  const { spRecords } = await start(hasAccount);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const domains = Array.from({ length: 300 }, (_, index) => nameOf(index));
  const flood = Promise.all(domains.map((domain) => spRecords.look(domain, "now")));
  // First, they take all that they can get.
  await passingTime(Promise.resolve());
  const looks = [spRecords.look("well.test", "now"), spRecords.lookForChallenge("well.test", "c")];
  const outcomes = (await passingTime(Promise.all(looks))).map(({ outcome }) => outcome);
  expect(outcomes).toEqual([expected, expected === "absent" ? "not_seen" : expected]);
  await passingTime(flood);
  await passRest();
});

test("a zone with slow aliases takes room for no more than 2.5 s after the verdict", async () => {
  const server = await startHostileDns(["slow.test"], () => []);
  onTestFinished(server.close);
  server.behave({ ...BEHAVIOURS["has a slow chain of aliases"], delayMs: 800 });
  const { spRecords } = createLooks(
    { issuer, dnsServers: [server.text], minAssurance: "single", trustAnchors: [] },
    { clock: clockFrom(() => 1_900_000_000_000), reach: () => null },
  );
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const reasonsOf = async (first: number) => {
    const names = Array.from({ length: 4 }, (_, index) => `n${first + index}.slow.test`);
    const looks = await passingTime(Promise.all(names.map((one) => spRecords.look(one, "now"))));
    return looks.map((look) => "reason" in look && look.reason);
  };
  expect(await reasonsOf(0)).toEqual(Array(4).fill("timeout"));
  await passingTime(new Promise((resolve) => setTimeout(resolve, 2000)));
  // Each waits for half a second at most.
  expect(await reasonsOf(4)).toEqual(Array(4).fill("timeout"));
  await passRest();
});

test("room is free again once all that was asked is over, and what comes meanwhile waits", async () => {
  const bounded = createConcurrencyLimit({ all: 1, each: 1 });
  const asked = gate();
  expect(await bounded("a.test", async (hold) => hold(asked.opened))).toBeUndefined();
  const order: string[] = [];
  const next = bounded("b.test", async () => order.push("next"));
  await new Promise(setImmediate);
  order.push("over");
  asked.open();
  expect(await next).toBe(2);
  expect(order).toEqual(["over", "next"]);
  const failing = bounded("c.test", () => Promise.reject(new Error("its own")));
  await expect(failing).rejects.toThrow("own");
});
