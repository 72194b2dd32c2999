// Tests of how name servers are found, and of the guard over their addresses, with answers made up here.

import { type DnsMessage, type DnsRecord, rcode } from "domain-signin-verify/dns/message";
import { encodeName } from "domain-signin-verify/dns/name";
import { classIn, encodeSoa, recordType } from "domain-signin-verify/dns/records";
import { beforeEach, describe, expect, it } from "vitest";
import { isPublicUnicast } from "../outgoing/public-address.ts";
import { findNameServers, type Reach, reachPublic } from "./name-servers.ts";

const { A, AAAA, CNAME, NS, SOA } = recordType;
const name = "_domain-signin.shop.alice.test";

let answers: Record<string, Partial<DnsMessage>>;
let asked: string[];

beforeEach(() => {
  answers = {};
  asked = [];
});

async function query(at: string, type: number): Promise<DnsMessage | null> {
  asked.push(`${at} ${type}`);
  const answer = answers[`${at} ${type}`] ?? {};
  const sections = { questions: [], answers: [], authorities: [], additionals: [], edns: null };
  const bits = { authenticData: false, checkingDisabled: false, recursionAvailable: true };
  const flags = { isResponse: true, authoritative: false, truncated: false, ...bits };
  return answer.rcode === rcode.servFail
    ? null
    : { id: 1, opcode: 0, recursionDesired: true, rcode: 0, ...flags, ...sections, ...answer };
}

function record(at: string, type: number, rdata: Uint8Array): DnsRecord {
  return { name: at, type, class: classIn, ttl: 60, rdata };
}

function soa(at: string): DnsRecord {
  const numbers = { serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 };
  return record(at, SOA, encodeSoa({ mname: "ns.x", rname: "x", ...numbers }));
}

function hasServers(apex: string, servers: Record<string, (Uint8Array | number[])[]>): void {
  const names = Object.keys(servers);
  answers[`${apex} ${NS}`] = {
    answers: names.map((server) => record(apex, NS, encodeName(server))),
  };
  for (const [server, addresses] of Object.entries(servers)) {
    for (const type of [A, AAAA]) {
      const fitting = addresses.filter(({ length }) => (type === A ? length === 4 : length === 16));
      answers[`${server} ${type}`] = {
        answers: fitting.map((octets) => record(server, type, Uint8Array.from(octets))),
      };
    }
  }
}

const everywhere: Reach = (address) => ({ address, port: 53, isV6: address.includes(":") });
const v6 = [0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

describe("the zone is found", () => {
  it.each([
    ["in the authority section", { authorities: [soa("alice.test")] }],
    ["beside NXDOMAIN", { rcode: rcode.nxDomain, authorities: [soa("alice.test")] }],
  ])("%s", async (_, answer) => {
    answers[`${name} ${SOA}`] = answer;
    hasServers("alice.test", { "ns1.host.test": [[8, 8, 8, 8]] });
    const server = { address: "8.8.8.8", port: 53, isV6: false };
    expect(await findNameServers(query, name, reachPublic)).toEqual({
      apex: "alice.test",
      nameServers: [{ name: "ns1.host.test", address: "8.8.8.8", server }],
    });
  });

  it("in the answer, where the name has a zone of its own", async () => {
    answers[`${name} ${SOA}`] = { answers: [soa(name)] };
    expect(await findNameServers(query, name, everywhere)).toEqual({ apex: name, nameServers: [] });
  });

  it("above an alias, not where the alias leads", async () => {
    const alias = record(name, CNAME, encodeName("_domain-signin.host.test"));
    answers[`${name} ${SOA}`] = { answers: [alias], authorities: [soa("host.test")] };
    answers[`shop.alice.test ${SOA}`] = { authorities: [soa("alice.test")] };
    expect(await findNameServers(query, name, everywhere)).toMatchObject({ apex: "alice.test" });
  });

  it.each([
    ["a failure", { rcode: rcode.servFail }],
    ["a registry", { rcode: rcode.nxDomain, authorities: [soa("test")] }],
    ["the root", { rcode: rcode.nxDomain, authorities: [soa("")] }],
  ])("not, and no name server sought, with %s", async (_, answer) => {
    answers[`${name} ${SOA}`] = answer;
    expect(await findNameServers(query, name, everywhere)).toBeNull();
    expect(asked).toEqual([`${name} ${SOA}`]);
  });

  it("not, after four names, if each is an alias", async () => {
    const deep = `_domain-signin.a.b.c.d.e.test`;
    expect(await findNameServers(query, deep, everywhere)).toBeNull();
    expect(asked).toHaveLength(4);
  });
});

describe("of the name servers", () => {
  beforeEach(() => {
    answers[`${name} ${SOA}`] = { authorities: [soa("alice.test")] };
  });

  async function found(reach: Reach) {
    return (await findNameServers(query, name, reach))?.nameServers;
  }

  it("four of twelve are chosen by name, and the addresses of no others are sought", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `ns${index + 10}.host.test`).reverse();
    hasServers("alice.test", Object.fromEntries(names.map((one) => [one, [[8, 8, 8, 8], v6]])));
    const chosen = ["ns10", "ns11", "ns12", "ns13"].map((one) => `${one}.host.test`);
    expect((await found(everywhere))?.map((server) => server.name)).toEqual(chosen);
    expect(asked).toHaveLength(2 + 2 * 4);
  });

  it("each has one address: one that may be asked, IPv4 first", async () => {
    hasServers("alice.test", {
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

  it("those are left out whose address has the wrong length or stands at another name", async () => {
    hasServers("alice.test", { "a.test": [], "b.test": [] });
    answers[`a.test ${A}`] = { answers: [record("a.test", A, Uint8Array.of(8, 8, 8))] };
    answers[`b.test ${A}`] = { answers: [record("c.test", A, Uint8Array.of(8, 8, 8, 8))] };
    expect(await found(everywhere)).toEqual([]);
  });

  it.each([
    ["127.0.0.1", [127, 0, 0, 1]],
    ["169.254.169.254", [169, 254, 169, 254]],
    ["::1", [...new Uint8Array(15), 1]],
    ["::ffff:7f00:1", [...new Uint8Array(10), 255, 255, 127, 0, 0, 1]],
    ["64:ff9b::a00:1", [0, 0x64, 0xff, 0x9b, ...new Uint8Array(8), 10, 0, 0, 1]],
  ])("none at %s may be asked", async (address, octets) => {
    hasServers("alice.test", { "a.test": [octets] });
    expect(await found(reachPublic)).toEqual([{ name: "a.test", address, server: null }]);
    expect(isPublicUnicast(address)).toBe(false);
  });
});
