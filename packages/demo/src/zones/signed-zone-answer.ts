// The answers of the demo's DNS once its zones are signed: all that a resolver needs to validate (RFC 4035 §3).

import {
  type DnsMessage,
  type DnsQuestion,
  type DnsRecord,
  ednsUdpSize,
  rcode,
} from "domain-signin-verify/dns/message";
import { canonicalName } from "domain-signin-verify/dns/name";
import { classIn, encodeTxt, recordType } from "domain-signin-verify/dns/records";
import { type FoundSet, findSets, zoneFor } from "./signed-zone-find.ts";
import { keyTtl, setsOfZones, type ZoneSets, zoneAbove } from "./signed-zone-sets.ts";
import { anchorText, createZoneKeys, dnssecType, type ZoneAlgorithm } from "./zone-keys.ts";
import {
  concerns,
  type Misbehaviour,
  type SignedSet,
  signBadly,
  signWell,
} from "./zone-misbehaviour.ts";
import type { ZoneRecord } from "./zone-records.ts";
import { type RRset, rrset } from "./zone-signing.ts";

export type SignedZones = {
  /**
   * As a recursive resolver that knows these zones and no others: the DS of a zone comes from the
   * zone above it, aliases are followed if recursion is desired, and signatures go to who asks for
   * them.
   */
  answer(query: DnsMessage): DnsMessage;
  /** How long the answer has to be held back; 0 unless slowness was wanted. */
  delayMs(query: DnsMessage): number;
  /** DS records in the form of a zone file, of each signed zone that has no zone above it. */
  readonly trustAnchors: readonly string[];
  /** From the next answer on, until something else is wanted; null for none. */
  misbehave(misbehaviour: Misbehaviour | null): void;
  /** Gives the zone new keys at once, named by the zone above it. Throws if there is none. */
  rollKeys(zone: string): void;
  /** Takes the keys of the zone away, as the zone above then says, or gives it back the same ones. */
  setSigned(zone: string, isSigned: boolean): void;
};

/** A set as it is sent. */
type Given = SignedSet & { readonly name: string };

type Answer = Pick<DnsMessage, "rcode"> & {
  readonly answers: readonly Given[];
  readonly authorities: readonly Given[];
};

/** The zones as they are with these records, signed as they are asked for. */
type Edition = {
  readonly edited: string;
  readonly signedAt: number;
  readonly zones: readonly ZoneSets[];
  readonly signed: Map<RRset, SignedSet>;
};

const hour = 3600;
const validSeconds = 14 * 24 * hour;
const resignSeconds = hour / 2;

/** `now` is in seconds since 1970. Records may change at any time: the next answer has them. */
export function createSignedZones(setup: {
  zones: readonly { name: string; algorithm: ZoneAlgorithm; signed: boolean }[];
  records: () => readonly ZoneRecord[];
  now: () => number;
}): SignedZones {
  const tree = setup.zones.map(({ name, algorithm, signed }) => {
    const keys = signed ? createZoneKeys(algorithm) : null;
    const otherKeys = signed ? createZoneKeys(algorithm) : null;
    return { name: canonicalName(name), algorithm, keys, heldKeys: keys, otherKeys };
  });
  let misbehaviour: Misbehaviour | null = null;
  let edition: Edition | null = null;
  let serial = 0;

  /** All is signed anew when a record changes, and long before a signature ends. */
  function current(): Edition {
    const records = setup.records();
    const edited = JSON.stringify(records);
    const signedAt = setup.now();
    if (edition?.edited !== edited || Math.abs(signedAt - edition.signedAt) >= resignSeconds) {
      serial += 1;
      const zones = setsOfZones(tree, records, serial);
      edition = { edited, signedAt, zones, signed: new Map() };
    }
    return edition;
  }

  function signedSet({ signedAt, signed }: Edition, { zone, set }: FoundSet): SignedSet {
    const known = signed.get(set);
    if (known) return known;
    const validity = { inception: signedAt - hour, expiration: signedAt + validSeconds };
    const others = tree.find(({ name }) => name === zone.name)?.otherKeys ?? null;
    const made =
      misbehaviour && concerns(misbehaviour, { zone: zone.name, type: set.type })
        ? signBadly(misbehaviour.how, set, zone.name, { own: zone.keys, others }, validity)
        : signWell(set, zone.name, zone.keys, validity);
    signed.set(set, made);
    return made;
  }

  function answerTo(question: DnsQuestion, isRecursive: boolean): Answer {
    const at = current();
    const wrong = wrongFor(at, question);
    if (wrong?.how === "servfail") return failure(rcode.servFail);
    const found = findSets(at.zones, question, isRecursive);
    const give = (one: FoundSet): Given => ({ ...signedSet(at, one), name: one.name });
    const answers = found.answers.map(give);
    if (wrong?.how === "forge" && question.type === recordType.TXT) {
      return {
        rcode: rcode.noError,
        answers: forged(question, wrong.value, answers),
        authorities: [],
      };
    }
    return { rcode: found.rcode, answers, authorities: found.authorities.map(give) };
  }

  /** How this question is to be answered badly, if it is. */
  function wrongFor({ zones }: Edition, { name, type }: DnsQuestion): Misbehaviour | null {
    const zone = zoneFor(zones, name, type);
    const isMeant = zone && misbehaviour && concerns(misbehaviour, { zone: zone.name, type });
    return isMeant ? misbehaviour : null;
  }

  return {
    answer(query) {
      const [question, second] = query.questions;
      if (query.opcode !== 0) return message(query, failure(rcode.notImp));
      if (!question || second) return message(query, failure(rcode.formErr));
      if (question.class !== classIn) return message(query, failure(rcode.refused));
      return message(query, answerTo(question, query.recursionDesired));
    },

    delayMs({ questions: [question] }) {
      const wrong = question ? wrongFor(current(), question) : null;
      return wrong?.how === "slow" ? wrong.delayMs : 0;
    },

    trustAnchors: tree.flatMap(({ name, keys }) =>
      keys && !zoneAbove(tree, name) ? [anchorText(name, keys.keySigning, keyTtl)] : [],
    ),

    misbehave(next) {
      misbehaviour = next;
      edition = null;
    },

    rollKeys(name) {
      const zone = tree.find((one) => one.name === canonicalName(name));
      // Whoever trusts a zone by its anchor would not learn of another key.
      if (!zone?.keys || !zoneAbove(tree, zone.name))
        throw new Error(`"${name}" cannot roll keys.`);
      zone.keys = createZoneKeys(zone.algorithm);
      zone.heldKeys = zone.keys;
      edition = null;
    },

    setSigned(name, isSigned) {
      const zone = tree.find((one) => one.name === canonicalName(name));
      if (!zone) throw new Error(`"${name}" is no zone.`);
      zone.keys = isSigned ? zone.heldKeys : null;
      edition = null;
    },
  };
}

function failure(code: number): Answer {
  return { rcode: code, answers: [], authorities: [] };
}

function forged({ name }: DnsQuestion, value: string, answers: readonly Given[]): Given[] {
  const found = answers.find(({ set }) => set.type === recordType.TXT);
  const target = found ?? { name, set: { ttl: hour }, signatures: [] };
  const rdata = encodeTxt(Buffer.from(value));
  const set = rrset(target.name, recordType.TXT, target.set.ttl, [rdata]);
  const before = found ? answers.filter((given) => given !== found) : [];
  return [...before, { name: target.name, set, signatures: target.signatures }];
}

function message(query: DnsMessage, { rcode: code, answers, authorities }: Answer): DnsMessage {
  const asked = query.questions[0]?.type;
  const withDnssec = query.edns?.dnssecOk === true;
  const withSignatures = withDnssec || asked === dnssecType.RRSIG;
  const shown = answers.map((given) =>
    asked === dnssecType.RRSIG ? { ...given, set: { ...given.set, rdatas: [] } } : given,
  );
  const proofs = authorities.filter(({ set }) => withDnssec || set.type === recordType.SOA);
  return {
    ...query,
    isResponse: true,
    authoritative: code === rcode.noError || code === rcode.nxDomain,
    truncated: false,
    recursionAvailable: true,
    authenticData: false,
    rcode: code,
    answers: shown.flatMap((given) => recordsOf(given, withSignatures)),
    authorities: proofs.flatMap((given) => recordsOf(given, withDnssec)),
    additionals: [],
    edns: query.edns && { ...query.edns, version: 0, udpSize: ednsUdpSize, options: [] },
  };
}

function recordsOf({ name, set, signatures }: Given, withSignatures: boolean): DnsRecord[] {
  const head = { name, class: classIn, ttl: set.ttl };
  return [
    ...set.rdatas.map((rdata) => ({ ...head, type: set.type, rdata })),
    ...(withSignatures ? signatures : []).map((rdata) => ({
      ...head,
      type: dnssecType.RRSIG,
      rdata,
    })),
  ];
}
