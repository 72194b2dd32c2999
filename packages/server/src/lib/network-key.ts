// The network that one customer of a provider usually has, by which limits count IP addresses.

import type { IPv4, IPv6 } from "ipaddr.js";

/** An IPv4 address itself, or the /64 of an IPv6 address. */
export function networkKey(address: IPv4 | IPv6): string {
  if (address.kind() === "ipv4") return address.toString();
  return `${address.toByteArray().slice(0, 8).join(".")}/64`;
}
