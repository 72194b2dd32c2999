// Tests of the client's address: the peer's, or the one that a trusted proxy forwards.

import { describe, expect, it, test } from "vitest";
import { requestWithHeaders } from "../../test/support/http-request.ts";
import { addressKey, clientAddresses, SHARED_KEY } from "./client-address.ts";

function forwardedFor(value: string | null) {
  return requestWithHeaders({ "x-forwarded-for": value });
}

/** The client's address for a peer; `forwarded` is `X-Forwarded-For`, null for no header. */
function client(trusted: readonly string[], peer: string, forwarded: string | null): string {
  return withReports(trusted).find(forwardedFor(forwarded), peer);
}

/** `reported` lists what was reported, as the name of the event and the address. */
function withReports(trusted: readonly string[]) {
  const reported: string[] = [];
  const addresses = clientAddresses(trusted, {
    undeclaredProxy: ({ address }) => reported.push(`undeclared ${address}`),
    silentProxy: ({ address }) => reported.push(`silent ${address}`),
  });
  return { ...addresses, reported };
}

const PROXY = "10.0.0.1";

describe("without a trusted proxy", () => {
  test.each([
    ["nobody is trusted", [], PROXY],
    ["the peer is another", ["10.0.0.2"], PROXY],
    ["the peer is beside the network", ["10.0.1.0/24"], PROXY],
    ["the peer is IPv6 and the network everything of IPv4", ["0.0.0.0/0"], "2001:db8::1"],
    ["the peer is IPv4 and the network everything of IPv6", ["::/0"], PROXY],
    ["the peer is not known any more", ["0.0.0.0/0", "::/0", "loopback"], ""],
    ["the peer is on this machine, and nobody is trusted", [], "127.0.0.1"],
    ["the peer is elsewhere, and this machine is trusted", ["loopback"], PROXY],
  ])("the header is worth nothing: %s", (_, trusted, peer) => {
    expect(client(trusted, peer, "192.0.2.7")).toBe(peer);
  });
});

describe("a trusted proxy speaks for its client", () => {
  test.each([
    ["an address", "10.0.0.1", PROXY],
    ["a network", "10.0.0.0/8", PROXY],
    ["a network whose rest is not zero", "10.0.0.77/24", PROXY],
    ["IPv4 at a socket of both kinds", "10.0.0.1", "::ffff:10.0.0.1"],
    ["an IPv6 address in another spelling", "2001:db8::1", "2001:0db8:0::0001"],
    ["an IPv6 network", "2001:db8::/32", "2001:db8:ffff::9"],
    ["the loopback of IPv6", "::1", "::1"],
    ["this machine", "loopback", "127.0.0.1"],
    ["this machine, at IPv6", "loopback", "::1"],
    ["this machine, at a socket of both kinds", "loopback", "::ffff:127.0.0.1"],
    ["this machine, at another address of its own", "loopback", "127.8.8.8"],
  ])("%s", (_, trusted, peer) => {
    expect(client([trusted], peer, "192.0.2.7")).toBe("192.0.2.7");
    expect(client(["203.0.113.1", trusted], peer, "2001:db8:7::7, 192.0.2.7")).toBe("192.0.2.7");
  });

  it("and is the client itself where it names none", () => {
    for (const none of [null, "", " ", ",", " , ,"])
      expect(client([PROXY], PROXY, none)).toBe(PROXY);
  });

  it("with IPv6 clients as with IPv4", () => {
    expect(client([PROXY], PROXY, "2001:db8:7::7")).toBe("2001:db8:7::7");
  });

  it("whatever is around the address", () => {
    expect(client([PROXY], PROXY, "192.0.2.66 ,\t 192.0.2.7 ")).toBe("192.0.2.7");
  });
});

describe("what stands before the last address that is not trusted is made up", () => {
  test.each([
    ["another's address", "198.51.100.1, 192.0.2.7"],
    ["the proxy's own address", "10.0.0.1, 192.0.2.7"],
    ["loopback", "127.0.0.1, 192.0.2.7"],
    ["many", `${"198.51.100.1, ".repeat(50)}192.0.2.7`],
    ["nonsense", "<script>, %00, 192.0.2.7"],
    ["a header of 100 kB", `${"198.51.100.1,".repeat(8000)}192.0.2.7`],
  ])("%s", (_, forwarded) => {
    expect(client([PROXY], PROXY, forwarded)).toBe("192.0.2.7");
  });
});

describe("a chain of proxies", () => {
  const trusted = ["10.0.0.0/8", "2001:db8:a::/48"];

  it("of which all are trusted is followed to its begin", () => {
    expect(client(trusted, PROXY, "192.0.2.7, 2001:db8:a::5, 10.9.9.9")).toBe("192.0.2.7");
    expect(client(trusted, PROXY, "198.51.100.1, 192.0.2.7, ::ffff:10.9.9.9")).toBe("192.0.2.7");
  });

  it("is believed up to the first that is not trusted", () => {
    expect(client(trusted, PROXY, "192.0.2.7, 203.0.113.5, 10.9.9.9")).toBe("203.0.113.5");
  });

  it("that has no one else in it ends at its farthest", () => {
    expect(client(trusted, PROXY, "10.8.8.8, 10.9.9.9")).toBe("10.8.8.8");
  });

  it("on this machine is followed through its own addresses", () => {
    const forwarded = "198.51.100.1, 192.0.2.7, ::1, 127.0.0.1";
    expect(client(["loopback"], "127.0.0.1", forwarded)).toBe("192.0.2.7");
    expect(client(["loopback", PROXY], PROXY, forwarded)).toBe("192.0.2.7");
    expect(client([PROXY], PROXY, forwarded)).toBe("127.0.0.1");
  });

  it("of trusted proxies only is followed through 100 kB", () => {
    expect(client(trusted, PROXY, `192.0.2.7,${"10.9.9.9,".repeat(11_000)}10.9.9.9`)).toBe(
      "192.0.2.7",
    );
  });
});

describe("what is no address ends the way back: the proxy that wrote it counts", () => {
  test.each([
    ...["unknown", "_hidden", "192.0.2.7:", "[2001:db8::7", "2001:db8::7]:4711", "999.0.2.7"],
    ...[
      "192.0.2.7/32",
      "example.com",
      "2001:db8::7::1",
      '"192.0.2.7"',
      "for=192.0.2.7",
      "x".repeat(8000),
      `fe80::1%${"x".repeat(64)}`,
    ],
  ])("%s", (hop) => {
    expect(client([PROXY], PROXY, hop)).toBe(PROXY);
    expect(client([PROXY], PROXY, `198.51.100.1, ${hop}`)).toBe(PROXY);
    expect(client(["10.0.0.0/8"], PROXY, `198.51.100.1, ${hop}, 10.9.9.9`)).toBe("10.9.9.9");
  });
});

test.each([
  ["192.0.2.7:4711", "192.0.2.7"],
  ["[2001:db8::7]", "2001:db8::7"],
  ["[2001:db8::7]:4711", "2001:db8::7"],
])("a proxy may write %s, and the port is left out", (hop, address) => {
  expect(client([PROXY], PROXY, `198.51.100.1, ${hop}`)).toBe(address);
});

describe("an undeclared proxy on this machine is reported too: all its clients share one limit", () => {
  const otherHeader = (wanted: string) => requestWithHeaders({ [wanted]: "for=198.51.100.1" });
  test.each([
    ["127.0.0.1", forwardedFor("198.51.100.1")],
    ["::1", forwardedFor("198.51.100.1")],
    ["::ffff:127.0.0.1", otherHeader("forwarded")],
    ["203.0.113.5", otherHeader("forwarded")],
  ])("%s", (peer, http) => {
    const { find, reported } = withReports([PROXY]);
    expect([find(http, peer), find(http, peer)]).toEqual([peer, peer]);
    expect(reported).toEqual([`undeclared ${peer}`]);
  });
});

test("an undeclared proxy is reported once; a client without the header or without an address is not", () => {
  const { find, reported } = withReports([PROXY]);
  const forwarded = forwardedFor("198.51.100.1");
  find(forwardedFor(null), "203.0.113.5");
  find(forwarded, "");
  find(forwarded, PROXY);
  expect(reported).toEqual([]);
  for (const peer of ["203.0.113.5", "203.0.113.6"]) expect(find(forwarded, peer)).toBe(peer);
  expect(reported).toEqual(["undeclared 203.0.113.5"]);
});

describe("a refusal by a limit", () => {
  const forwarded = forwardedFor("198.51.100.1");
  const silent = forwardedFor(null);

  it("reports each undeclared proxy once, also one that came after another", () => {
    const { find, noteRefusal, reported } = withReports(["loopback"]);
    find(forwarded, "203.0.113.66");
    reported.length = 0;
    for (const peer of ["203.0.113.5", "203.0.113.5", "203.0.113.6"]) noteRefusal(forwarded, peer);
    expect(reported).toEqual(["undeclared 203.0.113.5", "undeclared 203.0.113.6"]);
  });

  it("reports a trusted proxy that names no client, once", () => {
    const { noteRefusal, reported } = withReports(["loopback", PROXY]);
    for (const peer of ["127.0.0.1", "127.0.0.1", PROXY]) noteRefusal(silent, peer);
    expect(reported).toEqual(["silent 127.0.0.1", `silent ${PROXY}`]);
  });

  it("reports no client that connects itself, and no proxy that names its clients", () => {
    const { noteRefusal, reported } = withReports(["loopback"]);
    noteRefusal(silent, "203.0.113.5");
    noteRefusal(silent, "");
    noteRefusal(forwarded, "");
    noteRefusal(forwarded, "127.0.0.1");
    expect(reported).toEqual([]);
  });
});

describe("an address is counted", () => {
  it("IPv4 by itself, in each of its spellings", () => {
    const key = addressKey("192.0.2.7");
    expect(key).not.toBe(SHARED_KEY);
    expect(addressKey("::ffff:192.0.2.7")).toBe(key);
    expect(addressKey("::ffff:c000:207")).toBe(key);
    expect(addressKey("192.0.2.8")).not.toBe(key);
  });

  it("IPv6 by its /64, in each of its spellings", () => {
    const key = addressKey("2001:db8:0:1::1");
    expect(key).not.toBe(SHARED_KEY);
    expect(addressKey("2001:DB8:0:1:ffff:ffff:ffff:ffff")).toBe(key);
    expect(addressKey("2001:0db8::0001:0:0:0:2")).toBe(key);
    expect(addressKey("2001:db8:0:2::1")).not.toBe(key);
    expect(addressKey("2001:db8:0:101::1")).not.toBe(key);
    expect(addressKey("2001:db8:1:1::1")).not.toBe(key);
  });

  it("IPv4 never as IPv6", () => {
    expect(addressKey("1.2.3.4")).not.toBe(addressKey("102:304::"));
  });

  test.each([
    ...["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1"],
    ...["", "unknown", "1".repeat(100)],
  ])("together with all that is this machine, or not known: %s", (address) => {
    expect(addressKey(address)).toBe(SHARED_KEY);
  });
});

test("addresses are told apart, however many came before", () => {
  const address = (index: number) => `198.18.${index >> 8}.${index & 255}`;
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < 2500; index++) {
      expect(client([PROXY], PROXY, address(index))).toBe(address(index));
      expect(addressKey(address(index))).toBe(address(index));
    }
    expect(client([PROXY], PROXY, "unknown")).toBe(PROXY);
    expect(addressKey("unknown")).toBe(SHARED_KEY);
  }
});
