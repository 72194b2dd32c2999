// Signed zones, each proven by the one above it up to the root, and remembered.

import {
  type Dnskey,
  type Ds,
  decodeDnskey,
  decodeDs,
  isZoneKey,
} from "domain-signin-verify/dns/dnssec-records";
import type { DnsRecord } from "domain-signin-verify/dns/message";
import { isAtOrBelow, labelsOf } from "domain-signin-verify/dns/name";
import { joinOctets } from "domain-signin-verify/dns/octets";
import { recordType } from "domain-signin-verify/dns/records";
import { type VerifiedRrset, verifyChain } from "domain-signin-verify/dnssec/chain";
import { keysThatDsMean } from "domain-signin-verify/dnssec/delegation";
import { decode } from "domain-signin-verify/dnssec/rrsets";
import { signerOf } from "domain-signin-verify/dnssec/rrsig";
import type { TrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { VerificationError } from "domain-signin-verify/errors";
import { createCache } from "../lib/cache.ts";
import { readableHere } from "./chain-kinds.ts";
import type { Look, NoChain } from "./chain-look.ts";
import { chainPart, type ReceivedSet, readSet, refuseMalformed } from "./chain-sets.ts";
import { type ChosenSignature, chooseSignature } from "./chain-signature.ts";
import { denialOf, denialSets } from "./denial.ts";

/** `freshUntil` in epoch seconds: never beyond what stands above it. */
type Proven = {
  readonly rdatas: readonly Uint8Array[];
  /** The set with its signature, as octets of a chain. */
  readonly part: Uint8Array;
  readonly freshUntil: number;
};

/** What says which keys of a zone to trust: signed by `parent`, which is null for the anchors of the root. */
type SignedDelegation = Proven & {
  readonly ds: readonly Ds[];
  readonly parent: SignedZone | null;
};

export type SignedZone = Proven & {
  readonly name: string;
  readonly keys: readonly Dnskey[];
  readonly delegation: SignedDelegation;
};

type UnsignedZone = {
  readonly outcome: "unsigned";
  /** It, or one above it. */
  readonly zone: string;
  readonly freshUntil: number;
};

/** A set with the zone that signed it; if it is not good, the verifier will refuse it. */
export type SignedSet = {
  readonly set: ReceivedSet;
  readonly zone: SignedZone;
  readonly part: Uint8Array;
  readonly chosen: ChosenSignature;
};

/** One look at zones: of each it sees one state only, so that its chains fit together. */
export type ZonesLook = {
  /** The zone that signed the set, and by which signature. Throws VerificationError. */
  signed(set: ReceivedSet): Promise<SignedSet | NoChain>;
  /** Null if the delegation of the zone is signed and verified. Throws VerificationError. */
  whyNotSigned(zone: string): Promise<NoChain | null>;
  /** Throws VerificationError for what is not proven. */
  verify(name: string, type: number, sets: readonly SignedSet[]): Promise<Verified>;
  /** How often zones were asked for afresh: what was found before may no longer fit. */
  renewals(): number;
};

export type Verified = { readonly chain: Uint8Array; readonly verified: VerifiedRrset };

const maxZones = 500;
const maxSeconds = 3600;
const maxUnsignedSeconds = 60;

/** `now` in epoch seconds. */
export function createZones(setup: {
  now: () => number;
  trustAnchors: readonly TrustAnchor[];
}): (look: Look) => ZonesLook {
  const { now, trustAnchors } = setup;
  const clock = { milliseconds: () => now() * 1000 };
  const zones = createCache<SignedZone>({ clock, maxEntries: maxZones });
  const delegations = createCache<SignedDelegation | UnsignedZone>({ clock, maxEntries: maxZones });
  const lifetime = ({ freshUntil }: { freshUntil: number }) => (freshUntil - now()) * 1000;
  const rootDelegation: SignedDelegation = {
    ...{ ds: trustAnchors, parent: null, rdatas: [], part: new Uint8Array() },
    freshUntil: Number.POSITIVE_INFINITY,
  };

  return (look) => {
    const seen = new Map<string, SignedZone>();
    const stale = new Set<string>();
    let renewals = 0;

    /** Whether something about the zone was remembered, which from now on is asked for afresh. */
    function renew(zone: string): boolean {
      if (look.hasAsked(zone)) return false;
      stale.add(zone);
      seen.clear();
      renewals++;
      return true;
    }

    async function zoneOf(name: string): Promise<SignedZone | NoChain> {
      const known = seen.get(name);
      if (known) return known;
      const kept = stale.has(name) ? undefined : zones.get(name);
      // Asked beside the delegation; if that is missing, nobody waits for the answer.
      const asking = kept || isKnownUnsigned(name) ? null : look.ask(name, recordType.DNSKEY);
      asking?.catch(() => {});
      const delegation = await delegationOf(name);
      if ("outcome" in delegation) return delegation;
      if (kept?.delegation === delegation) return see(kept);

      const records = await (asking ?? look.ask(name, recordType.DNSKEY));
      if ("outcome" in records) return records;
      const set = readSet(records, name, recordType.DNSKEY);
      if (!set) throw new VerificationError("incomplete_chain", `no keys of ${name}. are there`);
      signerOf(set, []);
      const keys = decode(set, decodeDnskey).filter(isZoneKey);
      const trusted = await keysThatDsMean(delegation.ds, name, keys);
      const chosen = await chooseSignature(set, trusted, look, look.now);
      if (!chosen.isGood && renew(name)) return zoneOf(name);

      const proven = proofOf(set, chosen, delegation.freshUntil);
      const zone = { ...proven, name, keys, delegation };
      if (!chosen.isGood) await verifyParts(name, recordType.DNSKEY, partsUpFrom(zone));
      const same = zones.get(name);
      if (same?.delegation === delegation && isSame(same, zone)) return see(same);
      zones.set(name, zone, lifetime(zone));
      return see(zone);
    }

    function isKnownUnsigned(zone: string): boolean {
      if (trustAnchors.length === 0) return true;
      const kept = stale.has(zone) ? undefined : delegations.get(zone);
      return kept !== undefined && "outcome" in kept;
    }

    function see(zone: SignedZone): SignedZone {
      seen.set(zone.name, zone);
      stale.delete(zone.name);
      return zone;
    }

    async function delegationOf(zone: string): Promise<SignedDelegation | UnsignedZone | NoChain> {
      // Where nothing is trusted, nothing is signed.
      if (trustAnchors.length === 0) return keepUnsigned(zone, "");
      if (zone === "") return rootDelegation;
      const kept = stale.has(zone) ? undefined : delegations.get(zone);
      if (kept && "outcome" in kept) return kept;
      if (kept?.parent && (await zoneOf(kept.parent.name)) === kept.parent) return kept;

      const records = await look.ask(zone, recordType.DS);
      if ("outcome" in records) return records;
      const set = readSet(records, zone, recordType.DS);
      if (!set) return withoutDs(zone, records);
      const signedSet = await signed(set);
      if ("outcome" in signedSet) {
        const isUnsigned = signedSet.outcome === "unsigned" && signedSet.zone !== null;
        if (!isUnsigned) return signedSet;
        return keepUnsigned(zone, signedSet.zone ?? zone);
      }
      const { zone: parent, chosen } = signedSet;
      const ds = await readableHere(decode(set, decodeDs), zone);
      if (!chosen.isGood || ds.length === 0) await verify(zone, recordType.DS, [signedSet]);
      if (ds.length === 0) return keepUnsigned(zone, zone);

      const delegation = { ...proofOf(set, chosen, parent.freshUntil), ds, parent };
      const same = delegations.get(zone);
      if (same && !("outcome" in same) && same.parent === parent && isSame(same, delegation)) {
        return same;
      }
      delegations.set(zone, delegation, lifetime(delegation));
      return delegation;
    }

    /**
     * That a zone has no keys above it is believed only if the zone above has signed that, or is
     * itself without keys: whoever can leave things out could else do away with any signature.
     */
    async function withoutDs(
      zone: string,
      records: readonly DnsRecord[],
    ): Promise<UnsignedZone | NoChain> {
      const sets = denialSets(records, zone);
      const [first] = sets;
      if (!first) return belowUnsigned(zone, records);
      const parent = signerOf(first, []);
      for (const set of sets) {
        const signedSet = await signed(set);
        if ("outcome" in signedSet) return signedSet;
        if (!signedSet.chosen.isGood) await verify(set.name, set.type, [signedSet]);
      }
      const denial = refuseMalformed(() => denialOf(zone, parent, sets));
      if (denial === "unsigned") return keepUnsigned(zone, zone);
      const text = denial ? "is no zone of its own" : "is not proven to have no keys";
      throw new VerificationError(
        denial ? "foreign_signer" : "incomplete_chain",
        `${zone}. ${text}`,
      );
    }

    /** Which name above is sought decides nothing: below any that is without keys, all are. */
    async function belowUnsigned(zone: string, records: readonly DnsRecord[]) {
      const soa = records.find(
        ({ type, name }) => type === recordType.SOA && name !== zone && isAtOrBelow(zone, name),
      );
      // Not every absence has one (RFC 2308 §2.2), and some have that of the zone itself.
      const above = soa?.name ?? labelsOf(zone).slice(1).join(".");
      const delegation = await delegationOf(above);
      if ("outcome" in delegation) {
        return delegation.outcome === "unsigned"
          ? keepUnsigned(zone, delegation.zone ?? zone)
          : delegation;
      }
      const message = `nothing proves that ${zone}. has no keys`;
      throw new VerificationError("incomplete_chain", message);
    }

    function keepUnsigned(zone: string, unsigned: string): UnsignedZone {
      const freshUntil = look.now + maxUnsignedSeconds;
      const entry = { outcome: "unsigned", zone: unsigned, freshUntil } as const;
      delegations.set(zone, entry, lifetime(entry));
      return entry;
    }

    async function signed(set: ReceivedSet): Promise<SignedSet | NoChain> {
      const signer = signerOf(set, []);
      const zone = await zoneOf(signer);
      if ("outcome" in zone) return zone;
      const chosen = await chooseSignature(set, zone.keys, look, look.now);
      // Keys are rolled while they are remembered.
      if (!chosen.isGood && renew(signer)) return signed(set);
      return { set, zone, chosen, part: chainPart(set, chosen.rrsig) };
    }

    function verify(name: string, type: number, sets: readonly SignedSet[]): Promise<Verified> {
      const parts = sets.flatMap(({ part, zone }) => [part, ...partsUpFrom(zone)]);
      return verifyParts(name, type, parts);
    }

    async function verifyParts(name: string, type: number, parts: readonly Uint8Array[]) {
      const chain = joinOctets([...new Set(parts)]);
      const verified = await verifyChain(chain, { name, type, now: look.now, trustAnchors });
      return { chain, verified };
    }

    function proofOf(set: ReceivedSet, chosen: ChosenSignature, above: number): Proven {
      const seconds = Math.min(set.ttl, chosen.originalTtl, maxSeconds);
      return {
        rdatas: set.rdatas,
        part: chainPart(set, chosen.rrsig),
        freshUntil: Math.min(look.now + seconds, chosen.notAfter, above),
      };
    }

    return {
      signed,
      verify,
      renewals: () => renewals,

      async whyNotSigned(zone) {
        const delegation = await delegationOf(zone);
        if ("outcome" in delegation) return delegation;
        const { parent, part } = delegation;
        if (parent) await verifyParts(zone, recordType.DS, [part, ...partsUpFrom(parent)]);
        return null;
      },
    };
  };
}

/** The parts of a chain from the keys of the zone up to those of the root. */
function partsUpFrom({ part, delegation }: SignedZone): Uint8Array[] {
  const { parent } = delegation;
  return parent ? [part, delegation.part, ...partsUpFrom(parent)] : [part];
}

function isSame(one: Proven, other: Proven): boolean {
  return (
    one.rdatas.length === other.rdatas.length &&
    one.rdatas.every((rdata, index) => Buffer.compare(rdata, other.rdatas[index] ?? rdata) === 0)
  );
}
