// A zone chooses the addresses of its name servers: no packet leaves to one that is not public.

import { Socket as UdpSocket } from "node:dgram";
import { isIP, Socket } from "node:net";
import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import type { DnsMessage, DnsRecord } from "domain-signin-verify/dns/message";
import { encodeName, labelsOf } from "domain-signin-verify/dns/name";
import { encodeSoa, encodeTxt, recordType } from "domain-signin-verify/dns/records";
import ipaddr from "ipaddr.js";
import { afterEach, expect, test } from "vitest";
import { reachPublic } from "../../src/dns/name-servers.ts";
import { record } from "../support/dns-server.ts";
import { messageOf, startHostileDns } from "../support/hostile-dns.ts";
import { startTestService } from "../support/service.ts";
import { authorizationUrl } from "../support/sign-in.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const perZone = 4;
// Private, local and reserved ones, and those that have an IPv4 address inside.
const INTERNAL = [
  ...["127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.0.1"],
  ...["169.254.169.254", "100.64.0.1", "0.0.0.0", "255.255.255.255"],
  ...["224.0.0.1", "198.18.0.1", "192.0.2.1", "240.0.0.1"],
  ...["::1", "::", "fd00::1", "fe80::1"],
  ...["ff02::1", "64:ff9b::7f00:1", "::ffff:127.0.0.1", "::127.0.0.1"],
  ...["2002:7f00:1::", "2001:0:7f00:1::", "fec0::1", "2001:db8::1"],
];

test("name servers on internal addresses are told as not asked, and nothing is sent to them", async () => {
  const dns = await startHostileDns(["test"], () => []);
  cleanups.push(dns.close);
  dns.behave({ reply: (query) => messageOf(query, internalZone(query)) });
  const at = await startTestService({ config: { dnsServers: [dns.text] }, reach: reachPublic });
  cleanups.push(at.close);
  const client = await at.addClient();
  const allowed = [`udp ${dns.text}`, `tcp ${dns.text}`, `tcp ${new URL(at.issuer).host}`];
  const sent = watchPackets(allowed);

  const zones = Array.from({ length: INTERNAL.length / perZone }, (_, zone) => `z${zone}.test`);
  const pages = zones.map(async (domain) => {
    const agent = createUserAgent();
    const first = await agent.open(authorizationUrl(at, client));
    return agent.submit(first, "domain-form", { domain });
  });
  const shown = await Promise.all(pages);
  // The resolver over UDP and TCP, and our own browser: those prove that the watch sees packets.
  expect([...sent].sort()).toEqual(allowed.sort());
  for (const { html } of shown) {
    const told = html.match(/was not asked because its address is not public/g);
    expect(told?.length).toBe(perZone);
  }
});

/** What the resolver says of the zone `z<number>.test`, whose TXT records need TCP. */
function internalZone({ questions: [question] }: DnsMessage): Partial<DnsMessage> {
  const { name = "", type = 0 } = question ?? {};
  const apex = labelsOf(name).slice(-2).join(".");
  const zone = Number(/^z(\d+)/.exec(apex)?.[1]);
  const servers = INTERNAL.slice(zone * perZone).slice(0, perZone);
  const hosts = servers.map((_, index) => `ns${index}.${apex}`);
  const at = (rdata: Uint8Array): DnsRecord => record(name, type, rdata);
  switch (type) {
    case recordType.NS:
      return { answers: hosts.map((host) => at(encodeName(host))) };
    case recordType.A:
    case recordType.AAAA: {
      const address = ipaddr.parse(servers[hosts.indexOf(name)] ?? "");
      const isWanted = (address.kind() === "ipv4") === (type === recordType.A);
      return { answers: isWanted ? [at(Uint8Array.from(address.toByteArray()))] : [] };
    }
    case recordType.TXT:
      return { answers: [at(encodeTxt(Buffer.alloc(2000, "x")))] };
    default: {
      const numbers = { serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 };
      const soa = encodeSoa({ mname: hosts[0] ?? "", rname: apex, ...numbers });
      return { authorities: [record(apex, recordType.SOA, soa)] };
    }
  }
}

/**
 * Notes where sockets of this process are connected, and where datagrams are sent without that:
 * "udp address:port". What is not allowed is noted, and held back.
 */
function watchPackets(allowed: readonly string[]): ReadonlySet<string> {
  const sent = new Set<string>();
  const isAllowed = (to: string) => {
    sent.add(to);
    return allowed.includes(to);
  };
  replace(UdpSocket.prototype, "connect", ([port, address]) => isAllowed(`udp ${address}:${port}`));
  // Of the three forms of `send`, this is that of the test's own DNS server, which answers.
  replace(UdpSocket.prototype, "send", ([, port, address], socket) => {
    const from = socket instanceof UdpSocket ? `udp 127.0.0.1:${socket.address().port}` : "";
    return (
      isIP(String(address)) === 0 || allowed.includes(from) || isAllowed(`udp ${address}:${port}`)
    );
  });
  replace(Socket.prototype, "connect", ([first]) => {
    const { host, port } = (Array.isArray(first) ? first[0] : first) as Record<string, unknown>;
    return isAllowed(`tcp ${host}:${port}`);
  });
  return sent;
}

type Method = (this: unknown, ...values: unknown[]) => unknown;

function replace(
  prototype: object,
  name: string,
  isLetThrough: (values: unknown[], socket: unknown) => boolean,
): void {
  const method = Reflect.get(prototype, name) as Method;
  const watched: Method = function (...values) {
    return isLetThrough(values, this) ? Reflect.apply(method, this, values) : this;
  };
  Reflect.set(prototype, name, watched);
  cleanups.push(() => Reflect.set(prototype, name, method));
}
