// Finds the record sets that answer a question or prove an absence (RFC 4035 §3.1, RFC 4592 §3.3).

import { type DnsMessage, type DnsQuestion, rcode } from "domain-signin-verify/dns/message";
import { isAtOrBelow } from "domain-signin-verify/dns/name";
import { decodeHostName, recordType } from "domain-signin-verify/dns/records";
import { below, closestZone, nameAbove, type ZoneSets, zoneAbove } from "./signed-zone-sets.ts";
import { dnssecType } from "./zone-keys.ts";
import { nsecAtOrBefore, type RRset } from "./zone-signing.ts";

/** `name` is the owner name in the answer; it differs from the set's own name for a wildcard. */
export type FoundSet = { readonly zone: ZoneSets; readonly set: RRset; readonly name: string };

export type Found = Pick<DnsMessage, "rcode"> & {
  readonly answers: readonly FoundSet[];
  readonly authorities: readonly FoundSet[];
};

const TYPE_ANY = 255;
const MAX_ALIASES = 8;

/** Follows aliases if `isRecursive`, but not to names outside these zones. */
export function findSets(
  zones: readonly ZoneSets[],
  { name, type }: Pick<DnsQuestion, "name" | "type">,
  isRecursive: boolean,
): Found {
  let found = findAt(zones, name, type);
  const passed = new Set([name]);
  for (;;) {
    const target = isRecursive ? aliasTarget(found, type) : undefined;
    if (target === undefined || passed.has(target) || passed.size > MAX_ALIASES) return found;
    const next = findAt(zones, target, type);
    if (next.rcode === rcode.refused) return found;
    passed.add(target);
    found = {
      rcode: next.rcode,
      answers: [...found.answers, ...next.answers],
      authorities: [...found.authorities, ...next.authorities],
    };
  }
}

/** At a zone cut, the DS set belongs to the parent zone, and everything else to the child. */
export function zoneFor(
  zones: readonly ZoneSets[],
  name: string,
  type: number,
): ZoneSets | undefined {
  const zone = closestZone(zones, name);
  const isAtCut = type === dnssecType.DS && zone?.name === name;
  return (isAtCut ? zoneAbove(zones, name) : undefined) ?? zone;
}

function findAt(zones: readonly ZoneSets[], name: string, type: number): Found {
  const zone = zoneFor(zones, name, type);
  if (!zone) return { rcode: rcode.refused, answers: [], authorities: [] };
  const exists = hasName(zone, name);
  const source = exists ? name : below("*", closestEncloser(zone, name));
  const here = [...zone.sets, ...(exists ? zone.nsecs : [])].filter((set) => set.name === source);
  const answers = setsFor(here, type);
  const isAnswered = answers.length > 0;
  // Prove that nothing else is at the name and, if no wildcard answered, that there is none.
  const absent = [
    ...(exists && isAnswered ? [] : [name]),
    ...(exists || isAnswered ? [] : [source]),
  ];
  const proofs = new Set(absent.flatMap((one) => nsecAtOrBefore(zone.nsecs, one)));
  const authorities = [...(isAnswered ? [] : [zone.soa]), ...proofs];
  return {
    rcode: exists || hasName(zone, source) ? rcode.noError : rcode.nxDomain,
    answers: answers.map((set) => ({ zone, set, name })),
    authorities: authorities.map((set) => ({ zone, set, name: set.name })),
  };
}

/** A CNAME answers for every type that its name does not have. */
function setsFor(here: readonly RRset[], type: number): readonly RRset[] {
  // The signatures are added to each set later.
  if (type === TYPE_ANY || type === dnssecType.RRSIG) return here;
  const exact = here.filter((set) => set.type === type);
  return exact.length > 0 ? exact : here.filter((set) => set.type === recordType.CNAME);
}

function aliasTarget({ answers }: Found, type: number): string | undefined {
  const last = answers.at(-1)?.set;
  const isAlias = last?.type === recordType.CNAME && type !== recordType.CNAME && type !== TYPE_ANY;
  const [rdata] = isAlias ? last.rdatas : [];
  return rdata && decodeHostName(rdata);
}

/** A name with names below it exists, though it has no records of its own (RFC 8020 §2). */
function hasName({ sets }: ZoneSets, name: string): boolean {
  return sets.some((set) => isAtOrBelow(set.name, name));
}

function closestEncloser(zone: ZoneSets, name: string): string {
  return hasName(zone, name) ? name : closestEncloser(zone, nameAbove(name));
}
