// Tests of the demo's name server, asked over real sockets on loopback.

import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { connect } from "node:net";
import { type DnsMessage, encodeQuery, rcode } from "domain-signin-verify/dns/message";
import { decodeHostName, decodeTxt, recordType } from "domain-signin-verify/dns/records";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Ask, askOverTcp, askOverUdp } from "../../test/support/ask.ts";
import { startZone, type Zone } from "./zone.ts";

let zone: Zone;

beforeEach(async () => {
  zone = await startZone({ origins: ["alice.test", "Bob.test."] });
});

afterEach(() => zone.close());

function portOf({ address }: Zone): number {
  return Number(address.split(":")[1]);
}

function ask(name: string, type: number, over: Ask = askOverUdp): Promise<DnsMessage> {
  return over(portOf(zone), name, type);
}

function values({ answers }: DnsMessage): string[] {
  return answers.map(({ rdata }) => Buffer.from(decodeTxt(rdata)).toString());
}

function txt(name: string, value: string, ttl = 300) {
  return { name, type: "TXT", value, ttl };
}

describe("a question is answered", () => {
  it("with all values at the name, in whatever case either was typed", async () => {
    zone.add(txt("_X.Alice.test.", "one"));
    zone.add(txt("_x.alice.TEST", "zwei ä"));
    zone.add(txt("bob.test", "apex", 5));
    const message = await ask("_x.alice.test", recordType.TXT);
    expect(message).toMatchObject({ authoritative: true, rcode: rcode.noError, truncated: false });
    expect(values(message)).toEqual(["one", "zwei ä"]);
    expect((await ask("bob.test", recordType.TXT)).answers).toMatchObject([{ ttl: 5 }]);
  });

  it("with the alias, whatever type is asked", async () => {
    zone.add({ name: "www.alice.test", type: "CNAME", value: "Host.Example.", ttl: 60 });
    for (const type of [recordType.TXT, recordType.A, recordType.CNAME]) {
      const [alias] = (await ask("www.alice.test", type)).answers;
      expect(decodeHostName(alias?.rdata ?? new Uint8Array())).toBe("host.example");
    }
  });

  it("with NXDOMAIN and SOA for an absent name (RFC 2308 §2.1)", async () => {
    const message = await ask("no.alice.test", recordType.TXT);
    expect(message).toMatchObject({ rcode: rcode.nxDomain, answers: [] });
    expect(message.authorities).toMatchObject([{ name: "alice.test", type: recordType.SOA }]);
  });

  it("with nothing and SOA for another type, an apex, and a name above others (RFC 8020)", async () => {
    zone.add(txt("a.b.alice.test", "deep"));
    for (const name of ["alice.test", "b.alice.test", "a.b.alice.test"]) {
      const message = await ask(name, recordType.A);
      expect(message).toMatchObject({ rcode: rcode.noError, answers: [] });
      expect(message.authorities).toMatchObject([{ name: "alice.test", type: recordType.SOA }]);
    }
    expect((await ask("bob.test", recordType.TXT)).rcode).toBe(rcode.noError);
    expect((await ask("bob.test", recordType.SOA)).answers).toHaveLength(1);
  });

  it("with this server as the one of each zone", async () => {
    zone.add(txt("ns.alice.test", "beside"));
    for (const origin of ["alice.test", "bob.test"]) {
      const [server] = (await ask(origin, recordType.NS)).answers;
      expect(decodeHostName(server?.rdata ?? new Uint8Array())).toBe(`ns.${origin}`);
      const [address] = (await ask(`ns.${origin}`, recordType.A)).answers;
      expect([...(address?.rdata ?? [])]).toEqual([127, 0, 0, 1]);
      const other = await ask(`ns.${origin}`, recordType.AAAA);
      expect(other).toMatchObject({ rcode: rcode.noError, answers: [] });
    }
    zone.add({ name: "ns.bob.test", type: "CNAME", value: "host.example", ttl: 60 });
    expect((await ask("ns.bob.test", recordType.A)).answers).toMatchObject([
      { type: recordType.CNAME },
    ]);
  });

  it("with REFUSED outside its origins, however alike the name looks", async () => {
    for (const name of ["evilalice.test", "test", "", "alice.test.example"]) {
      const message = await ask(name, recordType.TXT);
      expect(message).toMatchObject({
        rcode: rcode.refused,
        authorities: [],
        authoritative: false,
      });
    }
  });

  it("over TCP when it does not fit the size that UDP was given", async () => {
    for (const digit of "12345") zone.add(txt("big.alice.test", digit.repeat(300)));
    const cut = await ask("big.alice.test", recordType.TXT);
    expect(cut).toMatchObject({ truncated: true, answers: [], rcode: rcode.noError });
    const whole = await ask("big.alice.test", recordType.TXT, askOverTcp);
    expect(whole.truncated).toBe(false);
    expect(values(whole)).toEqual([..."12345"].map((digit) => digit.repeat(300)));
  });

  it("several times on one connection", async () => {
    const socket = connect(portOf(zone), "127.0.0.1");
    const query = encodeQuery({ id: 1, name: "alice.test", type: recordType.SOA });
    const framed = Buffer.concat([Uint8Array.of(0, query.length), query]);
    socket.write(Buffer.concat([framed, framed.subarray(0, 5)]));
    const [first] = await once(socket, "data");
    socket.write(framed.subarray(5));
    const [second] = await once(socket, "data");
    expect(second).toEqual(first);
    socket.destroy();
  });
});

describe("editing", () => {
  it("keeps an identical record once, with the TTL it was given last", () => {
    zone.add(txt("x.alice.test", "v", 1));
    zone.add(txt("X.alice.test.", "v", 2));
    expect(zone.records()).toEqual([{ name: "x.alice.test", type: "TXT", value: "v", ttl: 2 }]);
  });

  it("removes what is there, and says whether it was", async () => {
    zone.add(txt("x.alice.test", "v"));
    expect(zone.remove(txt("x.alice.test", "other"))).toBe(false);
    expect(zone.remove(txt("X.alice.test.", "v", 9))).toBe(true);
    expect(zone.remove(txt("x.alice.test", "v"))).toBe(false);
    expect(zone.records()).toEqual([]);
    expect((await ask("x.alice.test", recordType.TXT)).rcode).toBe(rcode.nxDomain);
  });

  it.each([
    [txt("evilalice.test", "v"), "not inside alice.test or bob.test"],
    [txt("a..alice.test", "v"), "not a domain name"],
    [{ ...txt("alice.test", "v"), type: "MX" }, 'type "MX"'],
    [txt("alice.test", "v", -1), "TTL"],
    [txt("alice.test", "v", 1.5), "TTL"],
    [txt("alice.test", "v", Number.NaN), "TTL"],
    [txt("alice.test", "v".repeat(16_385)), "longer than"],
    [{ name: "x.alice.test", type: "CNAME", value: "a..b", ttl: 1 }, "not a domain name"],
    [{ name: "alice.test", type: "CNAME", value: "b.test", ttl: 1 }, "have a CNAME"],
    [{ name: "full.alice.test", type: "CNAME", value: "b.test", ttl: 1 }, "have a CNAME"],
  ])("refuses %j", (record, message) => {
    zone.add(txt("full.alice.test", "v"));
    expect(() => zone.add(record)).toThrow(message);
    expect(zone.records()).toHaveLength(1);
  });

  it("refuses anything beside an alias", () => {
    zone.add({ name: "x.alice.test", type: "CNAME", value: "b.test", ttl: 1 });
    expect(() => zone.add(txt("x.alice.test", "v"))).toThrow("have a CNAME");
    expect(() => zone.add({ ...txt("x.alice.test", "c.test"), type: "CNAME" })).toThrow(
      "have a CNAME",
    );
  });
});

describe("the server", () => {
  it("is understood by another resolver, the one of Node", async () => {
    zone.add(txt("big.alice.test", "x".repeat(3000)));
    zone.add({ name: "www.alice.test", type: "CNAME", value: "host.example", ttl: 60 });
    const resolver = new Resolver();
    resolver.setServers([zone.address]);
    const [strings] = await resolver.resolveTxt("big.alice.test");
    expect(strings?.join("")).toBe("x".repeat(3000));
    expect(await resolver.resolveCname("www.alice.test")).toEqual(["host.example"]);
    expect(await resolver.resolveSoa("bob.test")).toMatchObject({
      nsname: "ns.bob.test",
      serial: 1,
    });
    await expect(resolver.resolveTxt("no.alice.test")).rejects.toThrow("ENOTFOUND");
    await expect(resolver.resolveTxt("alice.test")).rejects.toThrow("ENODATA");
  });

  it("stays up when it is sent what is no query", async () => {
    const udp = createSocket("udp4");
    udp.send(Buffer.from("garbage"), portOf(zone), "127.0.0.1");
    const tcp = connect(portOf(zone), "127.0.0.1");
    tcp.write(Uint8Array.of(0, 2, 1, 1));
    await once(tcp, "close");
    udp.close();
    expect((await ask("alice.test", recordType.SOA)).answers).toHaveLength(1);
  });

  it("takes the port that it is given, or says that it cannot", async () => {
    await expect(startZone({ origins: ["alice.test"], port: portOf(zone) })).rejects.toThrow(
      "EADDRINUSE",
    );
    const port = portOf(zone);
    await zone.close();
    zone = await startZone({ origins: ["alice.test"], port });
    expect(zone.address).toBe(`127.0.0.1:${port}`);
  });
});
