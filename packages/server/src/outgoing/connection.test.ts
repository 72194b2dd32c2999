// Tests of where a guarded fetch goes: to public addresses that were checked, and to hosts with a certificate for their name.

import dns from "node:dns";
import { once } from "node:events";
import net, { type AddressInfo, createServer, type Socket } from "node:net";
import tls from "node:tls";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { makeAuthority, makeSelfSigned } from "../../test/support/certificates.ts";
import {
  answerOf,
  certificates,
  outcomeOf,
  publicAddress,
  spName,
  spUrl,
  startWorld,
} from "../../test/support/guarded-world.ts";
import { GuardedFetchError } from "./guarded-fetch.ts";

const hello = answerOf("{}");

describe("nobody is connected to where the name has an address that is", () => {
  const mapped = ["::ffff:7f00:1", "::ffff:8.8.8.8", "::7f00:1", "::ffff:0:7f00:1"];
  it.each<[string, ...string[]]>([
    ["loopback", "127.0.0.1", "127.255.255.254", "::1"],
    ["private", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
    ["link-local", "169.254.169.254", "fe80::1", "fe80::1%lo"],
    ["shared by carriers (CGNAT)", "100.64.0.1", "100.127.255.255"],
    ["unique local (ULA)", "fc00::1", "fd00:ec2::254"],
    ["IPv4 mapped or held in IPv6", ...mapped],
    ["translated (NAT64)", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::a00:1"],
    ["6to4", "2002:7f00:1::1", "2002:808:808::1", "192.88.99.1"],
    ["Teredo", "2001:0:7f00:1::1", "2001::1"],
    ["decimal, hexadecimal or octal", "2130706433", "0x7f000001", "0x08080808", "010.8.8.8", "8.8"],
    ["multicast", "224.0.0.1", "239.255.255.255", "ff02::1"],
    ["unspecified or this network", "0.0.0.0", "0.1.2.3", "::"],
    ["for documentation", "192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
    ["for benchmarks", "198.18.0.1", "2001:2::1"],
    ["broadcast or reserved", "255.255.255.255", "240.0.0.1"],
    ["site-local or discarded", "fec0::1", "100::1"],
    ["no address", "", "localhost", "sp.example", "8.8.8.8 ", "[2606:4700::1111]"],
  ])("%s", async (_, ...addresses) => {
    for (const address of addresses) {
      const lists = [[address], [publicAddress, address], [address, publicAddress]];
      for (const list of [...lists, [...Array<string>(20).fill(publicAddress), address]]) {
        const { fetch, server, looks, reached } = await startWorld(hello, { addresses: list });
        expect(await outcomeOf(fetch(spUrl)), list.join()).toBe("not_public");
        expect([looks, reached, server.connections()]).toEqual([[spName], [], 0]);
        server.close();
      }
    }
  });
});

describe("an address is not looked up, nor connected to, for", () => {
  it.each([
    ...["https://127.0.0.1/", "https://2130706433/", "https://0x7f000001/", "https://[::1]/"],
    ...["https://8.8.8.8/", "https://localhost/", "http://sp.example/", "http://localhost:8080/"],
    ...["https://a@sp.example/", "https://sp.example./", "file:///etc/passwd", ""],
  ])("%j", async (url) => {
    const { fetch, server, looks, reached } = await startWorld(hello);
    expect(await outcomeOf(fetch(url))).toBe("bad_url");
    expect([looks, reached, server.connections()]).toEqual([[], [], 0]);
  });
});

it("the address that was checked is the one connected to: a second look-up is never made", async () => {
  let looks = 0;
  const rebound = async () => (++looks === 1 ? [publicAddress] : ["127.0.0.1"]);
  const { fetch, reached, server } = await startWorld(hello, { resolve: rebound });
  expect(await outcomeOf(fetch(spUrl))).toBe("200 {}");
  expect({ looks, reached }).toEqual({ looks: 1, reached: [`${publicAddress} 443`] });
  // The next request is checked again, and does not reuse a connection.
  expect(await outcomeOf(fetch(spUrl))).toBe("not_public");
  expect([looks, reached, server.connections()]).toEqual([2, [`${publicAddress} 443`], 1]);
});

it.each([true, false])(
  "Node does not resolve the name itself, with autoSelectFamily set to %s by default",
  async (isDefault) => {
    const { fetch, server } = await startWorld(hello);
    // An attacker's server listens on the same port of the address that the system's resolver gives.
    const attacker = createServer((socket) => socket.destroy());
    onTestFinished(() => void attacker.close());
    let connections = 0;
    attacker.on("connection", () => connections++);
    await once(attacker.listen(server.port, "127.0.0.2"), "listening");

    const before = net.getDefaultAutoSelectFamily();
    net.setDefaultAutoSelectFamily(isDefault);
    const lookup = vi.spyOn(dns, "lookup").mockImplementation(((
      ...[, { all }, callback]: [string, dns.LookupOptions, (...answer: unknown[]) => void]
    ) => {
      const [address, family] = ["127.0.0.2", 4];
      if (all) callback(null, [{ address, family }]);
      else callback(null, address, family);
    }) as typeof dns.lookup);
    try {
      expect(await outcomeOf(fetch(spUrl))).toBe("200 {}");
      expect(lookup).not.toHaveBeenCalled();
    } finally {
      lookup.mockRestore();
      net.setDefaultAutoSelectFamily(before);
    }
    expect(server.requests).toHaveLength(1);
    expect(connections).toBe(0);
  },
);

it("the TLS server name and the Host header are those of the URL, whatever the address", async () => {
  const { fetch, server, reached } = await startWorld(hello);
  const headers = { Host: "evil.example" };
  expect(await outcomeOf(fetch("https://sp.example:8443/a", { headers }))).toBe("200 {}");
  expect(reached).toEqual([`${publicAddress} 8443`]);
  expect(server.serverNames).toEqual([spName]);
  expect(server.requests[0]?.match(/^host:.*$/gim)).toEqual(["host: sp.example:8443"]);
});

it("a connection that turns out to lead to another address is not spoken on", async () => {
  // Of no use but to show it: 0.0.0.0 is taken for this machine.
  const world = await startWorld(hello, {
    reach: () => ({ addresses: ["0.0.0.0"], port: world.server.port }),
  });
  expect(await outcomeOf(world.fetch(spUrl))).toBe("unreachable");
  expect(world.server.requests).toEqual([]);
});

it("each request has a connection of its own, that is closed after it", async () => {
  const kept = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: keep-alive";
  const { fetch, server } = await startWorld((socket) => socket.write(answerOf("{}", kept)));
  for (const connections of [1, 2, 3]) {
    expect(await outcomeOf(fetch(spUrl))).toBe("200 {}");
    expect(server.connections()).toBe(connections);
  }
  await expect.poll(() => server.open()).toBe(0);
});

it("where no address can be connected to, the host is unreachable", async () => {
  const addresses = ["127.0.0.2", "127.0.0.3"];
  const world = await startWorld(hello, { reach: () => ({ addresses, port: world.server.port }) });
  const message = `${spName} could not be reached (ECONNREFUSED).`;
  await expect(world.fetch(spUrl)).rejects.toMatchObject({ code: "unreachable", message });
});

it("the next address is tried where one cannot be connected to, four at the most, of both kinds", async () => {
  const v6 = ["2606:4700::1", "2606:4700::2", "2606:4700::3"];
  const addresses = ["2606:4700::4", "8.8.8.8", "1.1.1.1", "9.9.9.9", ...v6];
  let tried: readonly string[] = [];
  const world = await startWorld(hello, {
    addresses,
    reach: (checked) => {
      tried = checked.addresses;
      // Nothing listens on the other addresses of this machine.
      const local = ["127.0.0.2", "127.0.0.3", "::1", "127.0.0.1"];
      return { addresses: local, port: world.server.port };
    },
  });
  expect(await outcomeOf(world.fetch(spUrl))).toBe("200 {}");
  expect(tried).toEqual(["8.8.8.8", "1.1.1.1", "2606:4700::4", "2606:4700::1"]);
});

describe("a name is unresolved", () => {
  it.each([
    ["when DNS fails", () => Promise.reject(new Error("secret")), "DNS failed"],
    ["when DNS has no address", () => Promise.resolve([]), "no addresses"],
  ])("%s, and the error says so", async (_, resolve, detail) => {
    const { fetch, reached } = await startWorld(hello, { resolve });
    const message = `${spName} could not be resolved (${detail}).`;
    const refused = expect(fetch(spUrl)).rejects;
    await refused.toEqual(new GuardedFetchError("unresolved", spName, detail));
    await expect(fetch(spUrl)).rejects.toMatchObject({ message });
    expect(reached).toEqual([]);
  });
});

describe("http://localhost with a port, where that is allowed,", () => {
  const plain = { certificate: "plain", allowLoopback: true } as const;

  it("is this machine, whatever DNS says of it", async () => {
    const { fetch, server, looks, reached } = await startWorld(hello, plain);
    expect(await outcomeOf(fetch(`http://localhost:${server.port}/a?b=c`))).toBe("200 {}");
    expect({ looks, reached }).toEqual({ looks: [], reached: [] });
    expect(server.requests[0]).toContain(`GET /a?b=c HTTP/1.1\r\n`);
    expect(server.requests[0]?.toLowerCase()).toContain(`\r\nhost: localhost:${server.port}\r\n`);
  });

  it("opens no other way to this machine", async () => {
    const { fetch, server } = await startWorld(hello, { ...plain, addresses: ["127.0.0.1"] });
    const { port } = server;
    for (const url of [`http://127.0.0.1:${port}/`, `http://sp.example:${port}/`]) {
      expect(await outcomeOf(fetch(url))).toBe("bad_url");
    }
    expect(await outcomeOf(fetch(`https://sp.example:${port}/`))).toBe("not_public");
    expect(server.connections()).toBe(0);
  });
});

describe("a certificate is refused, and nothing asked, that is", () => {
  const { authority } = certificates();
  it.each([
    ["for another name", authority.issue("other.example"), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["for a name below", authority.issue(`a.${spName}`), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["for all names beside", authority.issue(`*.${spName}`), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["for the address", authority.issue(publicAddress), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["signed by itself", makeSelfSigned(spName), "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["of another authority", makeAuthority().issue(spName), "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ])("%s", async (_, certificate, code) => {
    const { fetch, server } = await startWorld(hello, { certificate });
    // The environment of the process must not matter.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      const message = `${spName} could not be reached (${code}).`;
      await expect(fetch(spUrl)).rejects.toMatchObject({ code: "unreachable", message });
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
    expect(server.connections()).toBe(1);
    expect(server.requests).toEqual([]);
  });

  it("of an authority that only the tests know, where none is given", async () => {
    const { fetch, server } = await startWorld(hello, { ca: undefined });
    expect(await outcomeOf(fetch(spUrl))).toBe("unreachable");
    expect(server.requests).toEqual([]);
  });
});

describe("a host is unreachable that", () => {
  async function outcomeAt(take: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => {
      sockets.add(socket);
      take(socket.on("error", () => {}));
    });
    const sockets = new Set<Socket>();
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const { fetch } = await startWorld("", { reach: () => ({ addresses: ["127.0.0.1"], port }) });
    return outcomeOf(fetch(spUrl));
  }

  it.each<[string, (at: Socket) => void]>([
    ["resets the connection", (at) => at.resetAndDestroy()],
    ["ends the connection", (at) => at.end()],
    ["resets it during the handshake", (at) => at.on("data", () => at.resetAndDestroy())],
    ["ends it during the handshake", (at) => at.on("data", () => at.end())],
    ["speaks first", (at) => at.write("220 mail.example ESMTP\r\n")],
    ["answers without TLS", (at) => at.on("data", () => at.end(hello))],
    ["echoes", (at) => at.pipe(at)],
  ])("%s", async (_, take) => {
    expect(await outcomeAt(take)).toBe("unreachable");
  });

  it.each([
    ["resets it after the request", 0],
    ["resets it within the head", 30],
    ["resets it within the body", -1],
  ])("%s", async (_, end) => {
    const { fetch, server } = await startWorld((socket) =>
      socket.write(hello.slice(0, end), () => socket.destroy()),
    );
    expect(await outcomeOf(fetch(spUrl))).toBe("unreachable");
    // Not asked again: the first request may have been heard.
    expect(server.requests).toHaveLength(1);
  });

  it("speaks no newer TLS than 1.1, even where the process would take that", async () => {
    const { certificate } = certificates();
    const ciphers = "DEFAULT@SECLEVEL=0";
    const old = { ...certificate, ciphers, minVersion: "TLSv1", maxVersion: "TLSv1.1" };
    const { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS } = tls;
    Object.assign(tls, { DEFAULT_MIN_VERSION: "TLSv1", DEFAULT_CIPHERS: ciphers });
    try {
      const { fetch, server } = await startWorld(hello, { certificate: old });
      expect(await outcomeOf(fetch(spUrl))).toBe("unreachable");
      expect(server.requests).toEqual([]);
    } finally {
      Object.assign(tls, { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS });
    }
  });

  it("has no open port", async () => {
    const { fetch, server } = await startWorld(hello);
    server.close();
    const refused = expect(fetch(spUrl)).rejects;
    await refused.toMatchObject({ message: `${spName} could not be reached (ECONNREFUSED).` });
  });
});
