// Who is at the other end: the peer, or whom a trusted proxy speaks for.

import type { IPv4, IPv6 } from "ipaddr.js";
import { ipaddr } from "../lib/lazy-libraries.ts";
import type { HttpRequest } from "./message.ts";

/** `peer` is the address at the other end of the connection. */
export type ClientAddress = (http: Pick<HttpRequest, "header">, peer: string) => string;

/**
 * Reads `X-Forwarded-For` from its end, as far as it was written by trusted proxies: what stands
 * before them anybody can make up. `trusted` are addresses, or networks as `address/bits`.
 */
export function clientAddresses(
  trusted: readonly string[],
  onUndeclaredProxy: (address: string) => void = () => {},
): ClientAddress {
  const networks = trusted.map((text) =>
    ipaddr().parseCIDR(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`),
  );
  const isTrusted = (text: string) => {
    const address = parsed(text);
    return networks.some(
      ([network, bits]) => address?.kind() === network.kind() && address.match(network, bits),
    );
  };
  let isTold = false;
  return (http, peer) => {
    const forwarded = http.header("x-forwarded-for");
    if (networks.length === 0 || !isTrusted(peer)) {
      // Once: anybody can send the header, but a proxy that nobody named makes all its people one.
      if (forwarded !== null && !isTold && addressKey(peer) !== null) {
        isTold = true;
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

/**
 * Under which name an address is counted; one household has a whole /64 of IPv6. Null for the
 * machine itself: an undeclared proxy there speaks for everybody.
 */
export function addressKey(text: string): string | null {
  const address = parsed(text);
  if (address === null || address.range() === "loopback") return null;
  if (address.kind() === "ipv4") return address.toString();
  return `${address.toByteArray().slice(0, 8).join(".")}/64`;
}

/** Some proxies write `192.0.2.7:4711` or `[2001:db8::7]:4711`. */
function withoutPort(hop: string): string {
  const [, v6, v4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop.trim()) ?? [];
  return v6 ?? v4 ?? hop.trim();
}

/** IPv4 as it arrives at a socket of both kinds (`::ffff:192.0.2.1`) is IPv4. */
function parsed(text: string): IPv4 | IPv6 | null {
  return ipaddr().isValid(text) ? ipaddr().process(text) : null;
}
