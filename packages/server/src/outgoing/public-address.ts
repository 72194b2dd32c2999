// Which addresses untrusted URLs may lead to: only those of the public Internet.

import { ipaddr } from "../lib/lazy-libraries.ts";

// The only block that IANA has allocated as global unicast (RFC 4291 §2.4). Other addresses are
// unallocated, or contain an IPv4 address, such as `::127.0.0.1`.
const globalUnicast = () => ipaddr().IPv6.parseCIDR("2000::/3");

/** In canonical form (RFC 5952). Tunnels and translations of IPv4 are refused: they can contain any IPv4 address. */
export function isPublicUnicast(address: string): boolean {
  if (!ipaddr().isValid(address)) return false;
  const parsed = ipaddr().parse(address);
  // The parser accepts octal, hexadecimal, short and zoned forms, which others may read differently.
  if (parsed.toString() !== address || address.includes("%")) return false;
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(globalUnicast());
}
