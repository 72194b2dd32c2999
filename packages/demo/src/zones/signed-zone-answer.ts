// Answers of signed zones, with everything that a resolver needs to validate them (RFC 4035 §3).

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
import { KEY_TTL_S, setsOfZones, type ZoneSets, zoneAbove } from "./signed-zone-sets.ts";
import { anchorText, createZoneKeys, dnssecType, type ZoneAlgorithm } from "./zone-keys.ts";
import {
  appliesTo,
  type Misbehaviour,
  type SignedSet,
  signCorrectly,
  signWithFault,
} from "./zone-misbehaviour.ts";
import type { ZoneRecord } from "./zone-records.ts";
import { type RRset, rrset } from "./zone-signing.ts";

export interface SignedZones {
  /**
   * Answers like a recursive resolver that has only these zones: the DS of a zone comes from the
   * parent zone, aliases are followed if recursion is desired, and signatures are included if requested.
   */
  answer(query: DnsMessage): DnsMessage;
  /** Delay of the answer in milliseconds; 0 unless the misbehaviour is `slow`. */
  delayMs(query: DnsMessage): number;
  /** DS records in presentation format, one for each signed zone without a parent zone. */
  readonly trustAnchors: readonly string[];
  /** Applies from the next answer until the next call; null ends the misbehaviour. */
  misbehave(misbehaviour: Misbehaviour | null): void;
  /** Replaces the keys of the zone and its DS. Throws if the zone is unsigned or has no parent. */
  rollKeys(zone: string): void;
  /** Makes the zone unsigned, without a DS in the parent zone, or restores its previous keys. */
  setSigned(zone: string, isSigned: boolean): void;
}

/** A set as it is sent: `name` differs from the set's own name if that is a wildcard. */
type ServedSet = SignedSet & { readonly name: string };

type Answer = Pick<DnsMessage, "rcode"> & {
  readonly answers: readonly ServedSet[];
  readonly authorities: readonly ServedSet[];
};

/** The zones with one version of the records. Sets are signed on first use. */
interface Snapshot {
  readonly json: string;
  readonly signedAt: number;
  readonly zones: readonly ZoneSets[];
  readonly signed: Map<RRset, SignedSet>;
}

const HOUR_S = 3600;
const VALIDITY_S = 14 * 24 * HOUR_S;
const RESIGN_S = HOUR_S / 2;

/** `now` is in seconds since 1970. A changed record appears in the next answer. */
export function createSignedZones(setup: {
  zones: readonly { name: string; algorithm: ZoneAlgorithm; signed: boolean }[];
  records: () => readonly ZoneRecord[];
  now: () => number;
  /** For how many seconds resolvers may remember an absence; the default is 60. */
  negativeTtl?: number;
}): SignedZones {
  const tree = setup.zones.map(({ name, algorithm, signed }) => {
    const keys = signed ? createZoneKeys(algorithm) : null;
    const otherKeys = signed ? createZoneKeys(algorithm) : null;
    return { name: canonicalName(name), algorithm, keys, savedKeys: keys, otherKeys };
  });
  let misbehaviour: Misbehaviour | null = null;
  let snapshot: Snapshot | null = null;
  let serial = 0;

  /** Signs again when a record changes, and long before a signature expires. */
  function current(): Snapshot {
    const records = setup.records();
    const json = JSON.stringify(records);
    const signedAt = setup.now();
    if (snapshot?.json !== json || Math.abs(signedAt - snapshot.signedAt) >= RESIGN_S) {
      serial += 1;
      const zones = setsOfZones(tree, records, serial, setup.negativeTtl);
      snapshot = { json, signedAt, zones, signed: new Map() };
    }
    return snapshot;
  }

  function signedSet({ signedAt, signed }: Snapshot, { zone, set }: FoundSet): SignedSet {
    const known = signed.get(set);
    if (known) return known;
    const validity = { inception: signedAt - HOUR_S, expiration: signedAt + VALIDITY_S };
    const others = tree.find(({ name }) => name === zone.name)?.otherKeys ?? null;
    const made =
      misbehaviour && appliesTo(misbehaviour, { zone: zone.name, type: set.type })
        ? signWithFault(misbehaviour.how, set, zone.name, { own: zone.keys, others }, validity)
        : signCorrectly(set, zone.name, zone.keys, validity);
    signed.set(set, made);
    return made;
  }

  function answerTo(question: DnsQuestion, isRecursive: boolean): Answer {
    const at = current();
    const wrong = misbehaviourFor(at, question);
    if (wrong?.how === "servfail") return failure(rcode.servFail);
    const found = findSets(at.zones, question, isRecursive);
    const give = (one: FoundSet): ServedSet => ({ ...signedSet(at, one), name: one.name });
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

  /** The misbehaviour that applies to this question, if any. */
  function misbehaviourFor({ zones }: Snapshot, { name, type }: DnsQuestion): Misbehaviour | null {
    const zone = zoneFor(zones, name, type);
    const applies = zone && misbehaviour && appliesTo(misbehaviour, { zone: zone.name, type });
    return applies ? misbehaviour : null;
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
      const wrong = question ? misbehaviourFor(current(), question) : null;
      return wrong?.how === "slow" ? wrong.delayMs : 0;
    },

    trustAnchors: tree.flatMap(({ name, keys }) =>
      keys && !zoneAbove(tree, name) ? [anchorText(name, keys.keySigning, KEY_TTL_S)] : [],
    ),

    misbehave(next) {
      misbehaviour = next;
      snapshot = null;
    },

    rollKeys(name) {
      const zone = tree.find((one) => one.name === canonicalName(name));
      // Verifiers that trust a zone by its trust anchor would not learn of a new key.
      if (!zone?.keys || !zoneAbove(tree, zone.name))
        throw new Error(`zone "${name}" cannot roll its keys`);
      zone.keys = createZoneKeys(zone.algorithm);
      zone.savedKeys = zone.keys;
      snapshot = null;
    },

    setSigned(name, isSigned) {
      const zone = tree.find((one) => one.name === canonicalName(name));
      if (!zone) throw new Error(`"${name}" is not a zone`);
      zone.keys = isSigned ? zone.savedKeys : null;
      snapshot = null;
    },
  };
}

function failure(code: number): Answer {
  return { rcode: code, answers: [], authorities: [] };
}

function forged({ name }: DnsQuestion, value: string, answers: readonly ServedSet[]): ServedSet[] {
  const found = answers.find(({ set }) => set.type === recordType.TXT);
  const target = found ?? { name, set: { ttl: HOUR_S }, signatures: [] };
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

function recordsOf({ name, set, signatures }: ServedSet, withSignatures: boolean): DnsRecord[] {
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
