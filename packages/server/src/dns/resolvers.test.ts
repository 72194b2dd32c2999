// Tests of who is set aside: resolvers that answer nothing, and not those that a zone makes look so.

import { rcode } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { makeAuthority } from "../../test/support/certificates.ts";
import {
  type Change,
  type DnsServerForTest,
  isFor,
  serveDns,
} from "../../test/support/dns-server.ts";
import { passingTime, until } from "../../test/support/moving-time.ts";
import { startTlsDns } from "../../test/support/tls-dns-server.ts";
import { ask } from "./exchange.ts";
import { createResolvers, type Resolvers } from "./resolvers.ts";

let servers: DnsServerForTest[] = [];
/** What each resolver does; well where there is nothing. */
let acts: (Change | undefined)[] = [];
let events: string[] = [];
let resolvers: Resolvers;

beforeEach(() => {
  servers = [];
  acts = [];
  events = [];
});

afterEach(() => void vi.useRealTimers());

const listener = {
  resolverUnreachable: ({ resolver, reason }: { resolver: string; reason: string }) =>
    void events.push(`${resolver} ${reason}`),
  resolverReachable: ({ resolver }: { resolver: string }) => void events.push(resolver),
};

async function start(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const well: Change = () => ({ rcode: rcode.noError });
    const act: Change = (query, over) => (acts[index] ?? well)(query, over);
    servers.push(await serveDns("test", () => [], act));
  }
  resolvers = createResolvers(
    servers.map(({ text }) => text),
    { events: listener },
  );
  for (const { close } of [...servers, resolvers]) onTestFinished(close);
  resolvers.watch();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
}

const silent: Change = () => null;
const isProbe = (query: Parameters<Change>[0]) => isFor(query, "", recordType.SOA);
const probesOf = (index: number) => (servers[index]?.queries ?? []).filter(isProbe).length;

/** One question to that resolver. */
async function question(index: number, name = "a.test"): Promise<string> {
  const server = resolvers.all[index]?.server;
  if (!server) throw new Error("no such resolver");
  const asked = { id: index, name, type: recordType.TXT };
  return (await passingTime(ask(server, asked, () => 300))).outcome;
}

const pass = (ms: number) => passingTime(new Promise<void>((resolve) => setTimeout(resolve, ms)));
const order = () => resolvers.inOrder(servers.map((_, index) => index));

test("a zone that does not answer switches no resolver off, and costs few probes", async () => {
  await start(3);
  acts[0] = (query) => (isFor(query, "silent.test", recordType.TXT) ? null : {});
  for (let asked = 0; asked < 10; asked++) {
    expect(await question(0, "silent.test")).toBe("timeout");
  }
  await pass(3000);
  expect(probesOf(0)).toBeGreaterThan(0);
  expect(probesOf(0)).toBeLessThan(5);
  expect([resolvers.unreachable(), events, order()]).toEqual([[], [], [0, 1, 2]]);
});

test("errors switch no resolver off, and are not even a reason to probe", async () => {
  await start(3);
  for (const code of [rcode.servFail, rcode.refused]) {
    acts[0] = () => ({ rcode: code });
    for (let asked = 0; asked < 5; asked++) expect(await question(0)).toBe("message");
  }
  await pass(6000);
  expect(probesOf(0)).toBe(0);
  expect([resolvers.unreachable(), events]).toEqual([[], []]);
});

test("one of three that answers nothing comes last, until it answers again", async () => {
  await start(3);
  acts[0] = silent;
  await question(0);
  await pass(2500);
  const [dead = ""] = servers.map(({ text }) => text);
  expect([resolvers.unreachable(), order()]).toEqual([[dead], [1, 2, 0]]);
  // Nobody asks it, and yet it is not forgotten. The log tells of changes alone.
  await pass(30_000);
  expect(events).toEqual([`${dead} timeout`]);
  expect(probesOf(0)).toBeLessThan(20);
  acts[0] = undefined;
  await pass(8000);
  expect([resolvers.unreachable(), order(), events.slice(1)]).toEqual([[], [0, 1, 2], [dead]]);
});

test("two stay in their order, even if two of three are dead", async () => {
  await start(3);
  for (const index of [1, 0]) {
    acts[index] = silent;
    await question(index);
    await pass(2500);
  }
  expect(resolvers.unreachable()).toHaveLength(2);
  // The first to fail is set aside; with the second, only one would be left.
  expect(order()).toEqual([0, 2, 1]);
});

test.each([1, 2])("with %i configured none is set aside, but it is named", async (count) => {
  await start(count);
  acts[0] = silent;
  await question(0);
  await pass(2500);
  expect(resolvers.unreachable()).toEqual([servers[0]?.text]);
  expect(order()).toEqual(servers.map((_, index) => index));
});

test("after the end nothing is asked any more", async () => {
  await start(3);
  acts[0] = silent;
  await question(0);
  await pass(2500);
  resolvers.close();
  const probes = probesOf(0);
  await pass(20_000);
  expect([probesOf(0), vi.getTimerCount()]).toEqual([probes, 0]);
});

test("what cannot be reached by TLS is known without a question, and why", async () => {
  const authority = makeAuthority();
  const tls = await startTlsDns(authority.issue("dns.test"), (query, { send }) =>
    send({ ...query, isResponse: true }),
  );
  const [good, bad] = [tls.text("dns.test"), tls.text("other.test")];
  onTestFinished(tls.close);
  for (const [text, expected] of [
    [good, []],
    [bad, [`${bad} ERR_TLS_CERT_ALTNAME_INVALID`]],
  ] as const) {
    events = [];
    const one = createResolvers([text], { ca: authority.ca, events: listener });
    onTestFinished(one.close);
    one.watch();
    await until(() => tls.queries.length > 0 && events.length === expected.length);
    expect(events).toEqual(expected);
    one.close();
  }
  expect(tls.queries.every(isProbe)).toBe(true);
});
