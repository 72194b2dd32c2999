// Which addresses the service may be sent to by a stranger: those of the public Internet alone.

import { ipaddr } from "../lib/lazy-libraries.ts";

// All that was ever given out as global unicast (RFC 4291 §2.4, IANA). What lies outside is not yet
// given out, or holds an IPv4 address inside, such as `::127.0.0.1`.
const globalUnicast = () => ipaddr().IPv6.parseCIDR("2000::/3");

/**
 * Whether the text is an address to which any host may be reached across the Internet, in the one
 * form that has no other spelling (RFC 5952 for IPv6). Tunnels and translations of IPv4 are refused,
 * since the address inside could be any.
 */
export function isPublicUnicast(address: string): boolean {
  if (!ipaddr().isValid(address)) return false;
  const parsed = ipaddr().parse(address);
  // The parser knows octal, hexadecimal, short and zoned forms too: another reader might not.
  if (parsed.toString() !== address || address.includes("%")) return false;
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(globalUnicast());
}
