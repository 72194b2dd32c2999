// Builds the record sets of each zone from the edited records and those that every zone has.

import { encodeName, isAtOrBelow, labelsOf } from "domain-signin-verify/dns/name";
import { encodeSoa, encodeTxt, recordType } from "domain-signin-verify/dns/records";
import { dnssecType, dsRdata, type ZoneKeys } from "./zone-keys.ts";
import type { ZoneRecord } from "./zone-records.ts";
import { nsecChain, type RRset, rrset } from "./zone-signing.ts";

/** A zone without `keys` is unsigned: its parent zone has no DS for it. */
export type ZoneOfTree = { readonly name: string; readonly keys: ZoneKeys | null };

export type ZoneSets = ZoneOfTree & {
  readonly soa: RRset;
  /** The sets at or below the apex, without those below a zone cut. */
  readonly sets: readonly RRset[];
  /** Empty if the zone is unsigned. */
  readonly nsecs: readonly RRset[];
};

/** TTL of DNSKEY and DS records. */
export const KEY_TTL_S = 3600;
const ZONE_TTL_S = 60;

/** Records outside all zones are ignored. */
export function setsOfZones(
  zones: readonly ZoneOfTree[],
  records: readonly ZoneRecord[],
  serial: number,
  negativeTtl = ZONE_TTL_S,
): ZoneSets[] {
  return zones.map((zone) => {
    const own = records.filter(({ name }) => closestZone(zones, name) === zone);
    const below = zones.filter(({ name }) => zoneAbove(zones, name) === zone);
    const soa = soaSet(zone.name, serial, negativeTtl);
    const edited = editedSets(own);
    const isAlias = ({ name }: RRset) =>
      edited.some((set) => set.name === name && set.type === recordType.CNAME);
    const sets = [
      soa,
      ...[...serverSets(zone), ...below.flatMap(delegationSets)].filter((set) => !isAlias(set)),
      ...edited,
    ];
    return { ...zone, soa, sets, nsecs: zone.keys ? nsecChain(zone.name, sets, negativeTtl) : [] };
  });
}

/** The zone that contains the canonical `name`. */
export function closestZone<Zone extends ZoneOfTree>(
  zones: readonly Zone[],
  name: string,
): Zone | undefined {
  return zones
    .filter((zone) => isAtOrBelow(name, zone.name))
    .sort((one, other) => labelsOf(other.name).length - labelsOf(one.name).length)[0];
}

/** The parent zone of the zone `name`, which may be several labels above it. */
export function zoneAbove<Zone extends ZoneOfTree>(
  zones: readonly Zone[],
  name: string,
): Zone | undefined {
  return closestZone(
    zones.filter((zone) => zone.name !== name),
    name,
  );
}

/** All records of a set have the lowest of their TTLs (RFC 2181 §5.2). */
function editedSets(records: readonly ZoneRecord[]): RRset[] {
  const groups = new Map<string, ZoneRecord[]>();
  for (const record of records) {
    const key = `${record.type} ${record.name}`;
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const ttl = Math.min(...group.map((record) => record.ttl));
    return [rrset(first.name, recordType[first.type], ttl, group.map(rdataOf))];
  });
}

function rdataOf({ type, value }: ZoneRecord): Uint8Array {
  return type === "TXT" ? encodeTxt(Buffer.from(value)) : encodeName(value);
}

/** The NS record that names this server, the server's address, and the keys. */
function serverSets({ name, keys }: ZoneOfTree): RRset[] {
  const address = rrset(serverName(name), recordType.A, ZONE_TTL_S, [Uint8Array.of(127, 0, 0, 1)]);
  const dnskeys = keys ? [dnskeySet(name, keys)] : [];
  return [nameServerSet(name), address, ...dnskeys];
}

export function dnskeySet(zone: string, { keySigning, zoneSigning }: ZoneKeys): RRset {
  return rrset(zone, dnssecType.DNSKEY, KEY_TTL_S, [keySigning.dnskey, zoneSigning.dnskey]);
}

function delegationSets({ name, keys }: ZoneOfTree): RRset[] {
  const ds = keys ? [rrset(name, dnssecType.DS, KEY_TTL_S, [dsRdata(name, keys.keySigning)])] : [];
  return [nameServerSet(name), ...ds];
}

function nameServerSet(zone: string): RRset {
  return rrset(zone, recordType.NS, ZONE_TTL_S, [encodeName(serverName(zone))]);
}

function serverName(zone: string): string {
  return below("ns", zone);
}

/** The name one label below; below the root there is no dot. */
export function below(label: string, name: string): string {
  return name === "" ? label : `${label}.${name}`;
}

export function nameAbove(name: string): string {
  return labelsOf(name).slice(1).join(".");
}

function soaSet(zone: string, serial: number, negativeTtl: number): RRset {
  const rdata = encodeSoa({
    mname: serverName(zone),
    rname: below("hostmaster", zone),
    serial,
    refresh: 3600,
    retry: 600,
    expire: 86_400,
    minimum: negativeTtl,
  });
  return rrset(zone, recordType.SOA, negativeTtl, [rdata]);
}
