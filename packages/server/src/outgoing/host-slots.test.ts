// Tests of the slots for outgoing requests: which hosts share a limit, and what others cannot take from them.

import { expect, test } from "vitest";
import { nextNetwork } from "../../test/support/guarded-world.ts";
import { clockFrom } from "../lib/clock.ts";
import type { Requester } from "../lib/fair-queue.ts";
import { createHostSlots, type HostSlot } from "./host-slots.ts";

const NEVER = new AbortController().signal;
const DAY_MS = 24 * 3_600_000;
const domainOf = (host: string) => host.split(".").slice(-2).join(".");

function start() {
  let now = 0;
  const slots = createHostSlots({ clock: clockFrom(() => now) });

  /** A request that is pending until `end`; null if it got no slot. Each one is from a network of its own by default. */
  async function begin(
    host: string,
    from = nextNetwork(),
  ): Promise<(HostSlot & { end: () => Promise<void> }) | null> {
    const end = new AbortController();
    const wait = new AbortController();
    let run = Promise.resolve();
    const slot = await new Promise<HostSlot | null>((resolve) => {
      const pending = async (given: HostSlot) => {
        resolve(given);
        await new Promise((ended) => end.signal.addEventListener("abort", ended));
      };
      run = slots.run({ host, domain: domainOf(host), from }, wait.signal, pending);
      run.catch(() => resolve(null));
      // A free slot is taken at once.
      wait.abort(new Error("no slot"));
    });
    if (slot === null) return null;
    const finish = async () => {
      end.abort();
      await run;
    };
    return { ...slot, end: finish };
  }

  /** Begins requests to each host in turn until no host gets a slot, and returns those that did. */
  async function fill(hosts: readonly string[], from?: Requester) {
    const begun: HostSlot[] = [];
    for (let before = -1; begun.length > before; ) {
      before = begun.length;
      for (const host of hosts) {
        const slot = await begin(host, from);
        if (slot !== null) begun.push(slot);
      }
    }
    return begun;
  }

  /** The host responds to one request. */
  async function succeed(host: string, isSuccess = true): Promise<void> {
    const request = await begin(host);
    request?.noteResponse(isSuccess);
    await request?.end();
    expect(request).not.toBeNull();
  }

  const advance = (milliseconds: number) => {
    now += milliseconds;
  };
  return { slots, begin, fill, succeed, advance };
}

const hosts = (count: number, domain: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => domain(index));

test("a strange host gets 2 slots, all strange hosts of one domain 4", async () => {
  const { fill } = start();
  expect(await fill(["sp.mallory.example"])).toHaveLength(2);
  expect(await fill(hosts(9, (index) => `sp${index}.mallory.example`))).toHaveLength(2);
});

test("a host gets 8 slots for a day after a success, and no error response is one", async () => {
  for (const [isSuccess, later, count] of [
    [true, 0, 8],
    [true, DAY_MS - 1, 8],
    [true, DAY_MS, 2],
    [false, 0, 2],
  ] as const) {
    const { fill, succeed, advance } = start();
    await succeed("sp.alice.example", isSuccess);
    advance(later);
    expect(await fill(["sp.alice.example"])).toHaveLength(count);
  }
});

test("strangers that hold all of their slots take none of a known host, nor does it take theirs", async () => {
  const { fill, succeed, begin } = start();
  await succeed("sp.alice.example");
  expect(await fill(hosts(100, (index) => `sp.m${index}.example`))).toHaveLength(64);
  expect(await begin("sp.newcomer.example")).toBeNull();
  expect(await fill(["sp.alice.example"])).toHaveLength(8);
});

test("a network that names 200 hosts leaves slots to another one, and so do three", async () => {
  const { begin, fill } = start();
  const slow = hosts(200, (index) => `sp.m${index}.example`);
  for (let floods = 1; floods <= 3; floods++) {
    await fill(slow, nextNetwork());
    const newcomer = await begin("sp.newcomer.example");
    expect(newcomer).not.toBeNull();
    await newcomer?.end();
  }
});

test("of those that wait for one host, requesters take turns", async () => {
  const { slots, begin } = start();
  const [first] = [await begin("sp.alice.example"), await begin("sp.alice.example")];
  const order: string[] = [];
  const wait = (name: string, from: Requester) =>
    slots.run({ host: "sp.alice.example", domain: "alice.example", from }, NEVER, async () => {
      order.push(name);
    });
  const flood = nextNetwork();
  const waiting = ["f1", "f2", "f3"].map((name) => wait(name, flood));
  waiting.push(wait("home", nextNetwork()));
  await first?.end();
  await Promise.all(waiting);
  expect(order).toEqual(["f1", "home", "f2", "f3"]);
});

test("16 strange hosts that hang leave slots to a new one", async () => {
  const { fill } = start();
  const held = await fill(hosts(16, (index) => `sp.m${index}.example`));
  expect(held.length).toBeLessThanOrEqual(32);
  expect(await fill(["sp.newcomer.example"])).not.toHaveLength(0);
});

test("16 known hosts that suddenly hang leave slots to another known one", async () => {
  const { fill, succeed } = start();
  const mallory = hosts(16, (index) => `sp.m${index}.example`);
  for (const host of [...mallory, "sp.alice.example"]) await succeed(host);
  expect((await fill(mallory)).length).toBeLessThanOrEqual(48);
  expect((await fill(["sp.alice.example"])).length).toBeGreaterThanOrEqual(2);
});

test("a known host that timed out is a stranger with one request at a time until it responds", async () => {
  const { slots, begin, fill, succeed } = start();
  const key = { host: "sp.alice.example", domain: "alice.example", from: nextNetwork() };
  await succeed(key.host);
  const first = await begin(key.host);
  first?.noteTimeout();
  await first?.end();
  const probe = await begin(key.host);
  expect(await begin(key.host)).toBeNull();
  expect(slots.whyFull(key)).toBe("its last request timed out");
  // Other hosts of the domain have done nothing wrong.
  expect(await fill(["sp2.alice.example"])).toHaveLength(2);
  probe?.noteResponse(true);
  await probe?.end();
  expect(slots.whyFull(key)).toBeUndefined();
  expect(await fill([key.host])).toHaveLength(8);
});

test("a stranger that timed out leaves its domain one request at a time, whatever the host", async () => {
  const { begin, fill } = start();
  const first = await begin("a.mallory.example");
  first?.noteTimeout();
  await first?.end();
  const probe = await begin("b.mallory.example");
  expect(await begin("c.mallory.example")).toBeNull();
  expect(await fill(["sp.newcomer.example"])).toHaveLength(2);
  // An error is a response too.
  probe?.noteResponse(false);
  await probe?.end();
  expect(await fill(["c.mallory.example"])).toHaveLength(2);
});

test("a waiting request starts as soon as the host is known to respond", async () => {
  const { slots, begin } = start();
  const key = { host: "sp.alice.example", domain: "alice.example", from: nextNetwork() };
  const [first] = [await begin(key.host), await begin(key.host)];
  let isStarted = false;
  const waiting = slots.run(key, new AbortController().signal, async () => {
    isStarted = true;
  });
  expect(isStarted).toBe(false);
  first?.noteResponse(true);
  await first?.end();
  await waiting;
  expect(isStarted).toBe(true);
});

test("hosts at one address share its slots, and those at another have their own", async () => {
  const { begin } = start();
  const requests = await Promise.all(
    hosts(20, (index) => `sp.m${index}.example`).map((host) => begin(host)),
  );
  const connected = requests.filter((request) => request?.connect("192.0.2.1"));
  expect(connected.length).toBeLessThanOrEqual(16);
  const last = await begin("sp.newcomer.example");
  expect(last?.connect("192.0.2.1")).toBe(false);
  await connected[0]?.end();
  expect(last?.connect("192.0.2.1")).toBe(true);
  expect((await begin("sp.alice.example"))?.connect("192.0.2.2")).toBe(true);
});

test("an IPv6 /64 counts as one address", async () => {
  const { begin } = start();
  const requests = await Promise.all(
    hosts(20, (index) => `sp.m${index}.example`).map((host) => begin(host)),
  );
  const isConnected = requests.map((request, index) => request?.connect(`2001:db8::${index + 1}`));
  expect(isConnected).toContain(false);
  expect((await begin("sp.newcomer.example"))?.connect("2001:db8:0:1::1")).toBe(true);
});

test("known hosts at an address have slots that strangers there cannot take", async () => {
  const { begin, succeed } = start();
  await succeed("sp.alice.example");
  for (const host of hosts(20, (index) => `sp.m${index}.example`)) {
    (await begin(host))?.connect("192.0.2.1");
  }
  expect((await begin("sp.alice.example"))?.connect("192.0.2.1")).toBe(true);
});

test("what was given back can be taken again, all of it", async () => {
  const { begin, fill } = start();
  for (let round = 0; round < 200; round++) {
    const request = await begin("sp.mallory.example");
    expect(request?.connect("192.0.2.1")).toBe(true);
    await request?.end();
  }
  expect(await fill(hosts(100, (index) => `sp.m${index}.example`))).toHaveLength(64);
});
