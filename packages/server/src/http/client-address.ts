// The client's IP address: the peer's address, or the address that a trusted proxy forwards.

import type { IPv4, IPv6 } from "ipaddr.js";
import { createCache } from "../lib/cache.ts";
import { systemClock } from "../lib/clock.ts";
import { ipaddr } from "../lib/lazy-libraries.ts";
import { networkKey } from "../lib/network-key.ts";
import type { HttpRequest } from "./message.ts";

/** The key of all clients whose address is loopback or not known. */
export const SHARED_KEY = "loopback";

/** How many proxies are remembered, so that each is reported once. */
const MAX_REPORTED = 100;

type Report = (fields: { readonly address: string }) => void;

/**
 * Finds the address of the client behind the peer. `trusted` lists IP addresses, CIDR blocks and `loopback`, the same
 * machine. The first undeclared proxy is reported, and each one again whose clients are refused.
 */
export function clientAddresses(
  trusted: readonly string[],
  reports: { readonly undeclaredProxy: Report; readonly silentProxy: Report },
) {
  const networks = trusted
    .filter((text) => text !== "loopback")
    .map((text) =>
      ipaddr().parseCIDR(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`),
    );
  const trustsLoopback = trusted.includes("loopback");
  const reported = createCache<true>({ clock: systemClock, maxEntries: MAX_REPORTED });
  let hasSeenUndeclared = false;

  function isTrusted(text: string): boolean {
    const address = parsed(text);
    if (address === null) return false;
    if (trustsLoopback && isLoopback(address)) return true;
    return networks.some(
      ([network, bits]) => address.kind() === network.kind() && address.match(network, bits),
    );
  }

  const isUndeclaredProxy = (http: HttpRequest, peer: string) =>
    (http.header("x-forwarded-for") ?? http.header("forwarded")) !== null &&
    parsed(peer) !== null &&
    !isTrusted(peer);

  return {
    /** Reads `X-Forwarded-For` from right to left until the first untrusted address: a client can forge the others. */
    find(http: HttpRequest, peer: string): string {
      if (!isTrusted(peer)) {
        if (!hasSeenUndeclared && isUndeclaredProxy(http, peer)) {
          hasSeenUndeclared = true;
          reports.undeclaredProxy({ address: peer });
        }
        return peer;
      }
      const hops = http.header("x-forwarded-for")?.split(",") ?? [];
      let client = peer;
      for (const hop of hops.reverse().map(withoutPort)) {
        if (parsed(hop) === null) break;
        client = hop;
        if (!isTrusted(hop)) break;
      }
      return client;
    },

    /** Call it when a limit has refused a request. */
    noteRefusal(http: HttpRequest, peer: string): void {
      if (reported.get(peer)) return;
      const isSilent = isTrusted(peer) && http.header("x-forwarded-for") === null;
      if (!isSilent && !isUndeclaredProxy(http, peer)) return;
      reported.set(peer, true);
      reports[isSilent ? "silentProxy" : "undeclaredProxy"]({ address: peer });
    },
  };
}

/** The key for limits: that of the address, or one for all clients whose address is loopback or not known. */
export function addressKey(text: string): string {
  const address = parsed(text);
  return address === null || isLoopback(address) ? SHARED_KEY : networkKey(address);
}

/** `range` compares an address with some twenty blocks, and each request asks this of its peer. */
function isLoopback(address: IPv4 | IPv6): boolean {
  return "octets" in address ? address.octets[0] === 127 : address.range() === "loopback";
}

/** The networks of an address, as the keys of a fair room. What is loopback or unreadable is one network. */
export function networksOf(text: string): {
  readonly keys: readonly string[];
  readonly group: string;
} {
  const known = networks.get(text);
  if (known !== undefined) return known;
  const address = parsed(text);
  const found = address === null || isLoopback(address) ? UNKNOWN : networksAt(address);
  if (text.length <= MAX_CHARS) networks.set(text, found);
  return found;
}

const UNKNOWN = { keys: ["loopback or unreadable"], group: "" };
const networks = createCache<ReturnType<typeof networksAt>>({
  clock: systemClock,
  maxEntries: 1000,
});
const IPV6_BITS = [32, 40, 48, 56, 64];

function networksAt(address: IPv4 | IPv6) {
  const octets = address.toByteArray();
  if (address.kind() === "ipv4") {
    const [a, b, c] = octets;
    return { keys: [`${a}.${b}.${c}.0/24`, address.toString()], group: `${a}.${b}.0.0/16` };
  }
  const keys = IPV6_BITS.map((bits) => {
    const octetsOf = octets.map((octet, index) => (index < bits / 8 ? octet : 0));
    return `${ipaddr().fromByteArray(octetsOf).toString()}/${bits}`;
  });
  return { keys, group: "" };
}

/** Some proxies write `192.0.2.7:4711` or `[2001:db8::7]:4711`. */
function withoutPort(hop: string): string {
  const [, v6, v4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop.trim()) ?? [];
  return v6 ?? v4 ?? hop.trim();
}

/** Few entries, because a text that was cut from a long header may keep the whole header in memory. */
const known = createCache<IPv4 | IPv6 | null>({ clock: systemClock, maxEntries: 100 });
/** Longer texts are not parsed. No proxy writes one. */
const MAX_CHARS = 64;

/** Converts IPv4-mapped IPv6 addresses (`::ffff:192.0.2.1`) to IPv4. */
function parsed(text: string): IPv4 | IPv6 | null {
  if (text.length > MAX_CHARS) return null;
  const remembered = known.get(text);
  if (remembered !== undefined) return remembered;
  const address = parse(text);
  known.set(text, address);
  return address;
}

function parse(text: string): IPv4 | IPv6 | null {
  try {
    return ipaddr().process(text);
  } catch {
    return null;
  }
}
