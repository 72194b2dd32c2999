// Signed zones that are odd in ways that no misbehaviour of the demo is: in their keys and delegations.

import { createHash } from "node:crypto";
import { type NameServer, startNameServer } from "domain-signin-demo/zones/name-server";
import { type Found, type FoundSet, findSets } from "domain-signin-demo/zones/signed-zone-find";
import { setsOfZones, type ZoneSets } from "domain-signin-demo/zones/signed-zone-sets";
import {
  anchorText,
  createZoneKeys,
  dnssecType,
  dsRdata,
  type ZoneKeys,
} from "domain-signin-demo/zones/zone-keys";
import { nsecChain, type RRset, rrset, signSet } from "domain-signin-demo/zones/zone-signing";
import type { DnsMessage, DnsQuestion, DnsRecord } from "domain-signin-verify/dns/message";
import { encodeName, isAtOrBelow } from "domain-signin-verify/dns/name";
import { joinOctets, uint } from "domain-signin-verify/dns/octets";
import { classIn, recordType } from "domain-signin-verify/dns/records";

export type OddDns = {
  readonly dns: NameServer;
  readonly trustAnchors: readonly string[];
  answer(query: DnsMessage): DnsMessage;
  close(): Promise<void>;
};

/** What one zone below `test` does: its DS records, and its keys, where they are not as they should. */
type Oddity = {
  readonly ds?: (zone: string, keys: ZoneKeys) => Uint8Array[];
  readonly dnskeys?: (keys: ZoneKeys) => Uint8Array[];
  /** The zone has no keys, and its parent no DS record for it. */
  readonly isUnsigned?: true;
  /** The algorithm that the signatures of its TXT records name. */
  readonly algorithm?: number;
  /** Everything below its apex is redirected below this name. */
  readonly dname?: string;
};

const unknownAlgorithm = 200;
const unknownDigest = 200;
const flagOctet = { none: 0, keySigning: 1, revoked: 0x81 } as const;

/** Each holds a TXT record at `_domain-signin`. */
const oddities = {
  "plain.test": {},
  "sha1.test": { ds: (zone, keys) => [digested(zone, keys, 1, "sha1")] },
  "sha384.test": { ds: (zone, keys) => [digested(zone, keys, 4, "sha384")] },
  "both-digests.test": {
    ds: (zone, keys) => [digested(zone, keys, 1, "sha1"), dsRdata(zone, keys.keySigning)],
  },
  "unknown-digest.test": { ds: (zone, keys) => [digested(zone, keys, unknownDigest, "sha256")] },
  "unknown-algorithm.test": {
    ds: (zone, { keySigning }) => [withOctet(dsRdata(zone, keySigning), 2, unknownAlgorithm)],
  },
  "unknown-beside-known.test": {
    ds: (zone, { keySigning }) => [
      dsRdata(zone, keySigning),
      withOctet(dsRdata(zone, keySigning), 2, unknownAlgorithm),
    ],
  },
  "no-keys.test": { dnskeys: () => [] },
  "wrong-digest.test": {
    ds: (zone, { keySigning }) => [withOctet(dsRdata(zone, keySigning), 4, 0)],
  },
  "next-key-too.test": {
    ds: (zone, { keySigning }) => [
      dsRdata(zone, createZoneKeys(13).keySigning),
      dsRdata(zone, keySigning),
    ],
  },
  "other-key.test": { ds: (zone) => [dsRdata(zone, createZoneKeys(13).keySigning)] },
  "no-zone-key.test": {
    dnskeys: ({ keySigning, zoneSigning }) => [
      keySigning.dnskey,
      withOctet(zoneSigning.dnskey, 0, flagOctet.none),
    ],
  },
  "wrong-protocol.test": {
    dnskeys: ({ keySigning, zoneSigning }) => [
      keySigning.dnskey,
      withOctet(zoneSigning.dnskey, 2, 4),
    ],
  },
  "revoked.test": {
    dnskeys: ({ keySigning, zoneSigning }) => [
      withOctet(keySigning.dnskey, 1, flagOctet.revoked),
      zoneSigning.dnskey,
    ],
  },
  "many-keys.test": {
    dnskeys: ({ keySigning, zoneSigning }) => [
      keySigning.dnskey,
      zoneSigning.dnskey,
      ...Array.from({ length: 11 }, () => createZoneKeys(13).zoneSigning.dnskey),
    ],
  },
  "unknown-signatures.test": { algorithm: unknownAlgorithm },
  "dname.test": { dname: "plain.test" },
  "unsigned-sub.test": {},
  "_domain-signin.unsigned-sub.test": { isUnsigned: true },
  "unsigned.test": { isUnsigned: true },
  "ds-in.unsigned.test": {},
  "wrong-ds-in.unsigned.test": { ds: (zone) => [dsRdata(zone, createZoneKeys(13).keySigning)] },
} satisfies Record<string, Oddity>;

export type OddZone = keyof typeof oddities;

export async function serveOddZones(): Promise<OddDns> {
  const tree = ["", "test", ...Object.keys(oddities)].map((name) => ({
    name,
    keys: oddityOf(name).isUnsigned ? null : createZoneKeys(13),
  }));
  const records = Object.keys(oddities).map((name) => ({
    ...{ name: `_domain-signin.${name}`, type: "TXT" as const, ttl: 60 },
    value: `v=dsi1 sp=none x=${name}`,
  }));
  const zones = setsOfZones(tree, records, 1).map(withOddities);
  const signedAt = Math.floor(Date.now() / 1000);
  const [root] = tree;
  if (!root?.keys) throw new Error("there is no root");
  const answers = { answer: (query: DnsMessage) => answer(zones, query, signedAt) };
  const dns = await startNameServer(answers);
  return {
    ...{ ...answers, dns, close: dns.close },
    trustAnchors: [anchorText("", root.keys.keySigning, 3600)],
  };
}

function withOddities(zone: ZoneSets, _: number, all: readonly ZoneSets[]): ZoneSets {
  const sets = zone.sets.flatMap((set) => {
    const odd = oddityOf(set.name);
    const keys = all.find(({ name }) => name === set.name)?.keys;
    if (!keys) return [set];
    if (set.type === dnssecType.DS && odd.ds) return changed(set, odd.ds(set.name, keys));
    if (set.type === dnssecType.DNSKEY && odd.dnskeys) return changed(set, odd.dnskeys(keys));
    return [set];
  });
  return { ...zone, sets, nsecs: nsecChain(zone.name, sets, 60) };
}

function oddityOf(zone: string): Oddity {
  return new Map<string, Oddity>(Object.entries(oddities)).get(zone) ?? {};
}

function changed(set: RRset, rdatas: readonly Uint8Array[]): RRset[] {
  return rdatas.length === 0 ? [] : [rrset(set.name, set.type, set.ttl, rdatas)];
}

function answer(zones: readonly ZoneSets[], query: DnsMessage, signedAt: number): DnsMessage {
  const [question] = query.questions;
  if (!question) throw new Error("nothing was asked");
  const found = redirected(zones, question) ?? findSets(zones, question, query.recursionDesired);
  const records = (sets: readonly FoundSet[]) => sets.flatMap((one) => recordsOf(one, signedAt));
  return {
    ...query,
    ...{ isResponse: true, authoritative: true, recursionAvailable: true, rcode: found.rcode },
    answers: records(found.answers),
    authorities: records(found.authorities),
    additionals: [],
    edns: query.edns && { ...query.edns, options: [] },
  };
}

/** A DNAME record, the alias that is made from it, and what the alias leads to (RFC 6672 §3.1). */
function redirected(zones: readonly ZoneSets[], { name, type }: DnsQuestion): Found | null {
  const zone = zones.find(
    (one) => one.name !== name && isAtOrBelow(name, one.name) && oddityOf(one.name).dname,
  );
  const target = zone && oddityOf(zone.name).dname;
  if (!zone || !target) return null;
  const end = `${name.slice(0, -zone.name.length)}${target}`;
  const dname = rrset(zone.name, recordType.DNAME, 60, [encodeName(target)]);
  const alias = rrset(name, recordType.CNAME, 60, [encodeName(end)]);
  const found = findSets(zones, { name: end, type }, true);
  return {
    ...found,
    answers: [
      { zone, set: dname, name: dname.name },
      { zone: { ...zone, keys: null }, set: alias, name },
      ...found.answers,
    ],
  };
}

/** Signed anew each time: few are asked for. */
function recordsOf({ zone, set, name }: FoundSet, signedAt: number): DnsRecord[] {
  const head = { name, class: classIn, ttl: set.ttl };
  const plain = set.rdatas.map((rdata) => ({ ...head, type: set.type, rdata }));
  if (!zone.keys) return plain;
  const { keySigning, zoneSigning } = zone.keys;
  const key = set.type === dnssecType.DNSKEY ? keySigning : zoneSigning;
  const validity = { inception: signedAt - 3600, expiration: signedAt + 86_400 };
  const signed = signSet(set, zone.name, key, validity);
  const { algorithm } = oddityOf(zone.name);
  const isOdd = algorithm !== undefined && set.type === recordType.TXT;
  const rdata = isOdd ? withOctet(signed, 2, algorithm) : signed;
  return [...plain, { ...head, type: dnssecType.RRSIG, rdata }];
}

function digested(
  zone: string,
  { keySigning }: ZoneKeys,
  digestType: number,
  hash: string,
): Uint8Array {
  const digest = createHash(hash).update(encodeName(zone)).update(keySigning.dnskey).digest();
  const head = [uint(keySigning.tag, 2), uint(keySigning.algorithm, 1), uint(digestType, 1)];
  return joinOctets([...head, digest]);
}

function withOctet(rdata: Uint8Array, at: number, value: number): Uint8Array {
  const copy = new Uint8Array(rdata);
  copy[at] = copy[at] === value ? value ^ 1 : value;
  return copy;
}
