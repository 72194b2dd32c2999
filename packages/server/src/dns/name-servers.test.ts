// Tests of how name servers are found, and of the guard over their addresses, with answers made up here.

import { networkInterfaces } from "node:os";
import type { DnsRecord } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { beforeEach, describe, expect, it } from "vitest";
import { delegation, record } from "../../test/support/dns-server.ts";
import { questions } from "../../test/support/looks-for.ts";
import { clockFrom } from "../lib/clock.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import { isPublicUnicast } from "../outgoing/public-address.ts";
import { createNameServers, type Reach, reachPublic } from "./name-servers.ts";
import type { DnsAnswer } from "./resolver.ts";

const { A, AAAA, NS } = recordType;
const domain = "alice.test";

type Answers = Record<string, readonly DnsRecord[]>;
let answers: Answers;
let asked: string[];
let time: number;

beforeEach(() => {
  answers = {};
  asked = [];
  time = 0;
});

const clock = clockFrom(() => time);
const nobody = async () => [];
const everywhere: Reach = (address) => ({ address, port: 53, isV6: address.includes(":") });
const v6 = [0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

function answering(given: () => Answers | "fails"): { query: () => Promise<DnsAnswer> } {
  const query = async (name = "", type = 0): Promise<DnsAnswer> => {
    asked.push(`${name} ${type}`);
    const found = given();
    if (found === "fails") return { outcome: "failed", reason: "timeout" };
    return { outcome: "answer", records: found[`${name} ${type}`] ?? [], authorities: [] };
  };
  return { query };
}

function nameServers(reach: Reach = everywhere, resolvers = [answering(() => answers)]) {
  return createNameServers({ resolvers, reach, ownAddresses: nobody, clock, questions });
}

function delegationTo(servers: Record<string, (Uint8Array | number[])[]>): Answers {
  const made: Answers = { [`${domain} ${NS}`]: delegation(domain, ...Object.keys(servers)) };
  for (const [server, addresses] of Object.entries(servers)) {
    for (const type of [A, AAAA]) {
      const fitting = addresses.filter(({ length }) => (type === A ? length === 4 : length === 16));
      const recordOf = (octets: Uint8Array | number[]) =>
        record(server, type, Uint8Array.from(octets));
      made[`${server} ${type}`] = fitting.map(recordOf);
    }
  }
  return made;
}

describe("of the name servers", () => {
  async function found(reach: Reach) {
    return (await nameServers(reach).find(domain, SERVICE))?.nameServers;
  }

  it("four of thirteen are chosen by name, and no other address is asked for", async () => {
    const names = Array.from({ length: 13 }, (_, index) => `ns${index + 10}.host.test`).reverse();
    answers = delegationTo(Object.fromEntries(names.map((one) => [one, [[8, 8, 8, 8], v6]])));
    const chosen = ["ns10", "ns11", "ns12", "ns13"].map((one) => `${one}.host.test`);
    expect((await found(everywhere))?.map((server) => server.name)).toEqual(chosen);
    // No AAAA: the proof of its absence could contain the absence of the SP record.
    expect(asked).toEqual([`${domain} ${NS}`, ...chosen.map((name) => `${name} ${A}`)]);
  });

  it("each has one address: one that may be asked, IPv4 first", async () => {
    answers = delegationTo({
      "a.test": [v6, [9, 9, 9, 9], [8, 8, 8, 8]],
      "b.test": [v6, [10, 0, 0, 1]],
      "c.test": [[127, 0, 0, 1]],
      "d.test": [],
    });
    expect(await found(reachPublic)).toEqual([
      { name: "a.test", address: "8.8.8.8", server: everywhere("8.8.8.8") },
      { name: "b.test", address: "2606:4700::1", server: everywhere("2606:4700::1") },
      { name: "c.test", address: "127.0.0.1", server: null },
    ]);
  });

  it("those are left out whose address has the wrong length or is at another name", async () => {
    answers = delegationTo({ "a.test": [], "b.test": [] });
    answers[`a.test ${A}`] = [record("a.test", A, Uint8Array.of(8, 8, 8))];
    answers[`b.test ${A}`] = [record("c.test", A, Uint8Array.of(8, 8, 8, 8))];
    expect(await found(everywhere)).toBeUndefined();
  });

  it.each([
    ["127.0.0.1", [127, 0, 0, 1]],
    ["169.254.169.254", [169, 254, 169, 254]],
    ["::1", [...new Uint8Array(15), 1]],
    ["::ffff:7f00:1", [...new Uint8Array(10), 255, 255, 127, 0, 0, 1]],
    ["64:ff9b::a00:1", [0, 0x64, 0xff, 0x9b, ...new Uint8Array(8), 10, 0, 0, 1]],
  ])("none at %s may be asked", async (address, octets) => {
    answers = delegationTo({ "a.test": [octets] });
    expect(await found(reachPublic)).toEqual([{ name: "a.test", address, server: null }]);
    expect(isPublicUnicast(address)).toBe(false);
  });

  it("none may be asked at an address of this service, public or not", async () => {
    answers = delegationTo({ "a.test": [[8, 8, 8, 8]], "b.test": [[9, 9, 9, 9]] });
    const { find } = createNameServers({
      resolvers: [answering(() => answers)],
      ...{ reach: everywhere, clock, questions, ownAddresses: async () => ["8.8.8.8"] },
    });
    const { nameServers: servers } = (await find(domain, SERVICE)) ?? {};
    expect(servers?.map(({ address, server }) => [address, server !== null])).toEqual([
      ["8.8.8.8", false],
      ["9.9.9.9", true],
    ]);
    for (const { address } of Object.values(networkInterfaces()).flatMap((one) => one ?? [])) {
      expect(reachPublic(address)).toBeNull();
    }
  });
});

it("an address of this service that changes is noticed after five minutes, however many searches come before", async () => {
  let read = 0;
  const { zoneAt, lookUpFor } = createNameServers({
    resolvers: [answering(() => delegationTo({ "a.test": [[8, 8, 8, 8]] }))],
    ...{ reach: everywhere, clock, questions, ownAddresses: async () => [`192.0.2.${++read}`] },
  });
  for (; time <= 360_000; time += 60_000) {
    await zoneAt(domain, ["a.test"], lookUpFor(SERVICE, Number.POSITIVE_INFINITY));
  }
  expect(read).toBe(2);
});

it("the known addresses of this service are kept if a new look for them fails", async () => {
  const looks = [async () => ["8.8.8.8"], () => Promise.reject(new Error("no answer"))];
  const { zoneAt, lookUpFor } = createNameServers({
    resolvers: [answering(() => delegationTo({ "a.test": [[8, 8, 8, 8]] }))],
    ...{ reach: everywhere, clock, questions, ownAddresses: () => looks.shift()?.() ?? nobody() },
  });
  const hosts = lookUpFor(SERVICE, Number.POSITIVE_INFINITY);
  for (time of [0, 301_000]) {
    expect((await zoneAt(domain, ["a.test"], hosts)).nameServers).toEqual([
      { name: "a.test", address: "8.8.8.8", server: null },
    ]);
  }
  expect(looks).toEqual([]);
});

describe("of three resolvers", () => {
  const right = () => delegationTo({ "a.test": [[8, 8, 8, 8]] });
  const wrong = () => delegationTo({ "evil.test": [[6, 6, 6, 6]] });
  const elsewhere = () => delegationTo({ "a.test": [[6, 6, 6, 6]] });
  const fails = () => "fails" as const;

  it.each([
    ["one names another delegation", [wrong, right, right], "8.8.8.8"],
    ["one names another address", [elsewhere, right, right], "8.8.8.8"],
    ["one fails", [fails, right, right], "8.8.8.8"],
    ["two name different delegations and one fails", [right, wrong, fails], undefined],
    ["only one answers", [fails, right, fails], undefined],
    ["all name different addresses", [right, elsewhere, fails], undefined],
  ])("if %s", async (_, given, address) => {
    const { find } = nameServers(everywhere, given.map(answering));
    expect((await find(domain, SERVICE))?.nameServers[0]?.address).toBe(address);
  });
});

it("a zone is remembered for a minute, and a failure never", async () => {
  const { find } = nameServers();
  expect(await find(domain, SERVICE)).toBeNull();
  answers = delegationTo({ "a.test": [[8, 8, 8, 8]] });
  expect((await find(domain, SERVICE))?.apex).toBe(domain);
  answers = delegationTo({ "b.test": [[9, 9, 9, 9]] });
  time += 59_999;
  expect((await find(domain, SERVICE))?.nameServers[0]?.name).toBe("a.test");
  time += 1;
  expect((await find(domain, SERVICE))?.nameServers[0]?.name).toBe("b.test");
});
