// The client's IP address: the peer's address, or the address that a trusted proxy forwards.

import type { IPv4, IPv6 } from "ipaddr.js";
import { createCache } from "../lib/cache.ts";
import { systemClock } from "../lib/clock.ts";
import { ipaddr } from "../lib/lazy-libraries.ts";
import { networkKey } from "../lib/network-key.ts";
import type { HttpRequest } from "./message.ts";

/**
 * Returns a function that finds the address of a client behind `peer`, the remote address of the connection. It reads
 * `X-Forwarded-For` from right to left until the first untrusted address: a client can forge the entries before it.
 * `trusted` lists IP addresses or CIDR blocks. `onUndeclaredProxy` is called once, for the first other proxy.
 */
export function clientAddresses(
  trusted: readonly string[],
  onUndeclaredProxy: (address: string) => void = () => {},
): (http: HttpRequest, peer: string) => string {
  const networks = trusted.map((text) =>
    ipaddr().parseCIDR(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`),
  );
  const isTrusted = (text: string) => {
    const address = parsed(text);
    return networks.some(
      ([network, bits]) => address?.kind() === network.kind() && address.match(network, bits),
    );
  };
  let isReported = false;
  return (http, peer) => {
    const forwarded = http.header("x-forwarded-for");
    if (networks.length === 0 || !isTrusted(peer)) {
      // An undeclared proxy makes all clients share one address and its limits. A loopback address has no limits.
      const isForwarded = forwarded !== null || http.header("forwarded") !== null;
      if (isForwarded && !isReported && parsed(peer) !== null) {
        isReported = true;
        onUndeclaredProxy(peer);
      }
      return peer;
    }
    const hops = forwarded?.split(",") ?? [];
    let client = peer;
    for (const hop of hops.reverse().map(withoutPort)) {
      if (parsed(hop) === null) break;
      client = hop;
      if (!isTrusted(hop)) break;
    }
    return client;
  };
}

/** The key for rate limits. Null for other text and for loopback, where an undeclared proxy may forward all clients. */
export function addressKey(text: string): string | null {
  const address = parsed(text);
  if (address === null || address.range() === "loopback") return null;
  return networkKey(address);
}

/** The IPv6 /48 of an address, which one customer usually has; null for IPv4 and where `addressKey` is null. */
export function siteKey(text: string): string | null {
  const address = addressKey(text) === null ? null : parsed(text);
  if (address?.kind() !== "ipv6") return null;
  return `${address.toByteArray().slice(0, 6).join(".")}/48`;
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
