// The zone in which a name lies, and its name servers with the addresses at which they may be asked.

import type { DnsMessage, DnsRecord } from "domain-signin-verify/dns/message";
import { isAtOrBelow, labelsOf } from "domain-signin-verify/dns/name";
import { classIn, decodeHostName, recordType } from "domain-signin-verify/dns/records";
import { ipaddr } from "../lib/lazy-libraries.ts";
import { isPublicUnicast } from "../outgoing/public-address.ts";
import type { DnsServer } from "./exchange.ts";

/** Where packets for an address go; null if none may be sent there. */
export type Reach = (address: string) => DnsServer | null;

/** `server` is what was made of the address, canonical text, by whoever decides on reach. */
export type NameServer = {
  readonly name: string;
  readonly address: string;
  readonly server: DnsServer | null;
};

/** `apex` is canonical. At most four name servers, in the order of their names. */
export type ZoneServers = { readonly apex: string; readonly nameServers: readonly NameServer[] };

/** One question to a recursive resolver; null for every kind of failure. */
export type Query = (
  name: string,
  type: number,
) => Promise<Pick<DnsMessage, "answers" | "authorities"> | null>;

const maxNameServers = 4;
const maxAncestors = 3;

/**
 * Whoever writes to a zone chooses the addresses, so that strangers could send us anywhere: only
 * where any host on the Internet can be reached, and there only to DNS.
 */
export function reachPublic(address: string): DnsServer | null {
  return isPublicUnicast(address) ? { address, port: 53, isV6: address.includes(":") } : null;
}

/** Null if the zone of canonical `name` cannot be found, or is not below a top-level domain. */
export async function findNameServers(
  query: Query,
  name: string,
  reach: Reach,
): Promise<ZoneServers | null> {
  const apex = await findApex(query, name);
  // The domain is not in DNS: the servers of a registry have nothing to tell its owner.
  if (apex === null || labelsOf(apex).length < 2) return null;
  return { apex, nameServers: await nameServersOf(query, apex, reach) };
}

/** Those of the zone at `apex`, at most four, in the order of their names. */
export async function nameServersOf(
  query: Query,
  apex: string,
  reach: Reach,
): Promise<readonly NameServer[]> {
  const records = (await query(apex, recordType.NS))?.answers ?? [];
  const names = new Set(rdataAt(records, apex, recordType.NS).map(decodeHostName));
  const chosen = [...names].sort().slice(0, maxNameServers);
  const found = await Promise.all(chosen.map((server) => findAddress(query, server, reach)));
  return found.filter((server) => server !== null);
}

/**
 * The zone that a name lies in, as the resolver tells it; null for a failure. An alias leads into the
 * zone of another name: then the zone is sought from the next name above.
 */
export async function findApex(query: Query, name: string): Promise<string | null> {
  const labels = labelsOf(name);
  for (let above = 0; above <= maxAncestors && above < labels.length; above++) {
    const message = await query(labels.slice(above).join("."), recordType.SOA);
    if (message === null) return null;
    const soa = [...message.answers, ...message.authorities].find(
      (record) => record.type === recordType.SOA && isAtOrBelow(name, record.name),
    );
    if (soa) return soa.name;
  }
  return null;
}

/** One address for each server, one that may be asked before others, IPv4 before IPv6. */
async function findAddress(query: Query, name: string, reach: Reach): Promise<NameServer | null> {
  const types = [recordType.A, recordType.AAAA];
  const messages = await Promise.all(types.map((type) => query(name, type)));
  const addresses = types.flatMap((type, index) =>
    rdataAt(messages[index]?.answers ?? [], name, type)
      .map(addressOf)
      .sort(),
  );
  const [first] = addresses
    .filter((address) => address !== "")
    .map((address) => ({ name, address, server: reach(address) }))
    .sort((one, other) => Number(one.server === null) - Number(other.server === null));
  return first ?? null;
}

function rdataAt(records: readonly DnsRecord[], name: string, type: number): Uint8Array[] {
  return records
    .filter((record) => record.name === name && record.type === type && record.class === classIn)
    .map(({ rdata }) => rdata);
}

/** Nothing for octets that are no address. */
function addressOf(rdata: Uint8Array): string {
  return [4, 16].includes(rdata.length)
    ? ipaddr()
        .fromByteArray([...rdata])
        .toString()
    : "";
}
