// Signed zones that deny by NSEC3, with or without opt-out (RFC 5155 §7), for tests of validators.

import { zoneFor } from "domain-signin-demo/zones/signed-zone-find";
import { setsOfZones, type ZoneSets } from "domain-signin-demo/zones/signed-zone-sets";
import { anchorText, createZoneKeys, dnssecType } from "domain-signin-demo/zones/zone-keys";
import type { ZoneRecord } from "domain-signin-demo/zones/zone-records";
import { type RRset, rrset, signSet } from "domain-signin-demo/zones/zone-signing";
import { type DnsMessage, type DnsRecord, rcode } from "domain-signin-verify/dns/message";
import { isAtOrBelow, labelsOf } from "domain-signin-verify/dns/name";
import { classIn, decodeHostName, recordType } from "domain-signin-verify/dns/records";
import {
  type DenialTypeName,
  denialType,
  nsec3Hash,
  nsec3Rdata,
} from "../../../verify/test/support/denials.ts";

export interface Nsec3Zones {
  answer(query: DnsMessage): DnsMessage;
  readonly trustAnchors: readonly string[];
}

/** The parts of a proof, one of which a zone may leave out. */
export type Role = "match" | "next_closer" | "wildcard";

type Zone = ZoneSets & { readonly ring: readonly Link[]; readonly isOptOut: boolean };
type Link = { readonly hash: string; readonly set: RRset };
type Sent = { readonly zone: Zone; readonly set: RRset; readonly name: string };

const hashing = { salt: "ab", iterations: 1 };
const MAX_ALIASES = 8;
const TTL_S = 60;

/** `now` in epoch seconds. Each answer has the records of its moment, and is signed at it. */
export function createNsec3Zones(setup: {
  readonly zones: readonly { name: string; signed: boolean; isOptOut: boolean }[];
  readonly records: () => readonly ZoneRecord[];
  readonly without: Role | null;
  readonly now: () => number;
}): Nsec3Zones {
  const { records, without, now } = setup;
  const tree = setup.zones.map((zone) => ({
    ...zone,
    keys: zone.signed ? createZoneKeys(13) : null,
  }));
  const built = { from: "", zones: [] as readonly Zone[] };

  function zonesNow(): readonly Zone[] {
    const from = JSON.stringify(records());
    if (built.from === from) return built.zones;
    built.zones = setsOfZones(tree, records(), 1).map((zone): Zone => {
      const isOptOut = tree.find(({ name }) => name === zone.name)?.isOptOut ?? false;
      return { ...zone, isOptOut, ring: zone.keys ? ringOf(zone, isOptOut) : [] };
    });
    built.from = from;
    return built.zones;
  }

  function recordsOf({ zone, set, name }: Sent): DnsRecord[] {
    const validity = { inception: now() - 3600, expiration: now() + 86_400 };
    const head = { name, class: classIn, ttl: set.ttl };
    const plain = set.rdatas.map((rdata) => ({ ...head, type: set.type, rdata }));
    // The NS set of a delegation is not signed.
    const isOther = set.type === recordType.NS && set.name !== zone.name;
    if (!zone.keys || isOther) return plain;
    const key = set.type === dnssecType.DNSKEY ? zone.keys.keySigning : zone.keys.zoneSigning;
    const rdata = signSet(set, zone.name, key, validity);
    return [...plain, { ...head, type: recordType.RRSIG, rdata }];
  }

  const root = tree.find(({ name }) => name === "");
  return {
    trustAnchors: root?.keys ? [anchorText("", root.keys.keySigning, 3600)] : [],
    answer(query) {
      const [question] = query.questions;
      if (!question) throw new Error("nothing was asked");
      const found = follow(zonesNow(), question.name, question.type, without);
      return {
        ...query,
        ...{ isResponse: true, authoritative: true, recursionAvailable: true, rcode: found.rcode },
        answers: found.answers.flatMap(recordsOf),
        authorities: found.authorities.flatMap(recordsOf),
        additionals: [],
        edns: query.edns && { ...query.edns, options: [] },
      };
    },
  };
}

/** All names, and those that only have names below them; insecure delegations may opt out. */
function ringOf(zone: ZoneSets, isOptOut: boolean): Link[] {
  const typesAt = (name: string) => [
    ...new Set(zone.sets.filter((set) => set.name === name).map(({ type }) => type)),
  ];
  const isLeftOut = (name: string) => isOptOut && isInsecureDelegation(zone.name, name, typesAt);
  const owners = [...new Set(zone.sets.map(({ name }) => name))].filter((name) => !isLeftOut(name));
  const depth = labelsOf(zone.name).length;
  const names = owners.flatMap((name) => {
    const labels = labelsOf(name);
    return labels.slice(0, labels.length - depth).map((_, index) => labels.slice(index).join("."));
  });
  const hashed = [...new Set([zone.name, ...names])]
    .map((name) => ({ name, hash: nsec3Hash(name, hashing) }))
    .sort((one, other) => (one.hash < other.hash ? -1 : 1));
  return hashed.map(({ name, hash }, index) => {
    const next = hashed[(index + 1) % hashed.length]?.hash ?? hash;
    const types = typesAt(name);
    const isSigned = types.length > 0 && !isInsecureDelegation(zone.name, name, typesAt);
    const all = [...types, ...(isSigned ? [recordType.RRSIG] : [])];
    const fields = { ...hashing, next, flags: isOptOut ? 1 : 0, types: all.map(typeName) };
    const owner = zone.name === "" ? hash : `${hash}.${zone.name}`;
    return { hash, set: rrset(owner, recordType.NSEC3, TTL_S, [nsec3Rdata(fields)]) };
  });
}

function isInsecureDelegation(
  apex: string,
  name: string,
  typesAt: (name: string) => readonly number[],
): boolean {
  const types = typesAt(name);
  return name !== apex && types.includes(recordType.NS) && !types.includes(recordType.DS);
}

function typeName(type: number): DenialTypeName {
  const [name] = Object.entries(denialType).find(([, number]) => number === type) ?? [];
  if (name === undefined) throw new Error(`type ${type} has no name here`);
  return name as DenialTypeName;
}

type Proofs = (readonly [Role | null, RRset | undefined])[];
type Found = { rcode: number; answers: readonly Sent[]; authorities: readonly Sent[] };

function follow(zones: readonly Zone[], start: string, type: number, without: Role | null): Found {
  let found: Found = { rcode: rcode.refused, answers: [], authorities: [] };
  const passed = new Set<string>();
  for (let name = start; ; ) {
    passed.add(name);
    const here = answerAt(zones, name, type, without);
    if (!here) return found;
    found = {
      rcode: here.rcode,
      answers: [...found.answers, ...here.answers],
      authorities: [...found.authorities, ...here.authorities],
    };
    const alias = here.answers.find(({ set }) => set.type === recordType.CNAME);
    const [rdata] = alias && type !== recordType.CNAME ? alias.set.rdatas : [];
    if (!rdata) return found;
    name = decodeHostName(rdata);
    if (passed.has(name) || passed.size > MAX_ALIASES) return found;
  }
}

function answerAt(
  zones: readonly Zone[],
  name: string,
  type: number,
  without: Role | null,
): Found | null {
  const zone = zones.find((one) => one.name === zoneFor(zones, name, type)?.name);
  if (!zone) return null;
  const has = (sought: string) => zone.sets.some((set) => isAtOrBelow(set.name, sought));
  const labels = labelsOf(name);
  const above = labels.findIndex((_, index) => has(labels.slice(index).join(".")));
  const encloser = above === -1 ? "" : labels.slice(above).join(".");
  const exists = encloser === name;
  const wildcard = encloser === "" ? "*" : `*.${encloser}`;
  const source = exists ? name : wildcard;
  const there = zone.sets.filter((set) => set.name === source);
  const exact = there.filter((set) => set.type === type);
  const answers = exact.length > 0 ? exact : there.filter((set) => set.type === recordType.CNAME);
  const isAnswered = answers.length > 0;

  const proofs: Proofs = [];
  if (exists && !isAnswered) {
    const own = matching(zone, name);
    const parts: Proofs = own ? [["match", own]] : closest(zone, name);
    // Other validators insist on the proof that a name on the way to a zone is no zone.
    const isOnTheWay = type === dnssecType.DS && !zones.some((one) => one.name === name);
    proofs.push(...parts.map(([role, set]) => [isOnTheWay ? null : role, set] as const));
  }
  if (!exists && isAnswered) {
    const nextCloser = labels.slice(above - 1).join(".");
    proofs.push(["next_closer", covering(zone, nextCloser)]);
  }
  if (!exists && !isAnswered) {
    const star = has(wildcard) ? matching(zone, wildcard) : covering(zone, wildcard);
    proofs.push(...closest(zone, name), ["wildcard", star]);
  }
  const sets = new Set(
    proofs.flatMap(([role, set]) => (set && (role === null || role !== without) ? [set] : [])),
  );
  return {
    rcode: exists || has(source) ? rcode.noError : rcode.nxDomain,
    answers: answers.map((set) => ({ zone, set, name })),
    authorities: [...(isAnswered ? [] : [zone.soa]), ...sets].map((set) => {
      return { zone, set, name: set.name };
    }),
  };
}

/** The nearest name above that has a record in the ring, and the one that denies the next closer name. */
function closest(zone: Zone, name: string): Proofs {
  const labels = labelsOf(name);
  for (let above = 1; above <= labels.length; above++) {
    const match = matching(zone, labels.slice(above).join("."));
    if (!match) continue;
    const nextCloser = labels.slice(above - 1).join(".");
    return [
      ["match", match],
      ["next_closer", covering(zone, nextCloser)],
    ];
  }
  return [];
}

function matching({ ring }: Zone, name: string): RRset | undefined {
  const sought = nsec3Hash(name, hashing);
  return ring.find(({ hash }) => hash === sought)?.set;
}

function covering({ ring }: Zone, name: string): RRset | undefined {
  const sought = nsec3Hash(name, hashing);
  return (ring.findLast(({ hash }) => hash < sought) ?? ring.at(-1))?.set;
}
