// What the parts of a proof share: the state of one proof, and the shapes of what it finds out.

import type { Dnskey, Ds } from "../dns/dnssec-records.ts";
import type { VerificationError } from "../errors.ts";
import type { Rrset } from "./rrsets.ts";
import type { SignatureCheck } from "./signatures.ts";
import type { TrustAnchor } from "./trust-anchors.ts";

/** Where record sets come from: a received chain, or a resolver. */
export interface RecordSource {
  /**
   * The answer for `type` at `name`: the set, aliases that lead to it, and the sets that prove an
   * absence, all with their signatures. Other sets in it are ignored. Rejects without an answer.
   */
  rrsets(name: string, type: number): Promise<readonly Rrset[]>;
}

/** A zone with its verified keys. */
export interface Zone {
  readonly name: string;
  readonly keys: readonly Dnskey[];
  /** The DNSKEY set, and the DS set except for the root, with the verified signatures. */
  readonly sets: readonly Rrset[];
  /** Null for the root. */
  readonly parent: Zone | null;
  /** Seconds since 1970; not after that of the parent. Only if it is remembered. */
  readonly freshUntil?: number;
}

/** It is proven that no chain of trust leads to the data (RFC 4035 §4.3). */
export interface Insecure {
  /** The zone without a secure delegation; "" without trust anchors. */
  readonly insecure: string;
  /** For callers that need a secure answer. */
  readonly error: VerificationError;
  /** Whether it is signed, but only in ways that are not supported here (RFC 4035 §5.2). */
  readonly isUnsupported?: boolean;
}

/** A verified set. Its signatures are those that were verified. */
export interface VerifiedSet {
  readonly set: Rrset;
  readonly zone: Zone;
}

export interface Delegation {
  readonly ds: readonly Ds[];
  /** Null for the root. */
  readonly verified: VerifiedSet | null;
}

/** It is proven that no zone begins at the name, which therefore lies in the zone `parent`. */
export interface NoDelegation {
  readonly parent: Zone;
  /** Whether nothing has the name or is below it. */
  readonly isAbsent: boolean;
}

/** One name on the way to the answer. */
export interface Stop {
  readonly name: string;
  readonly set: Rrset | null;
  /** Everything that was received for this name. */
  readonly received: readonly Rrset[];
  /** Whether the aliases that lead here form a loop, or are too many. */
  readonly isRefused: boolean;
}

export interface ProvenStop {
  readonly zone: Zone;
  readonly sets: readonly Rrset[];
  readonly isWildcard: boolean;
}

/** Both: a signed zone leaves open whether an insecure zone is there (opt-out, RFC 5155 §6). */
export type StopResult = ProvenStop | Insecure | (ProvenStop & Insecure);

/** Proofs that only answers of resolvers need: that data is insecure, absent or made from a wildcard. */
export interface Insecurity {
  /** The proof that the name lies in an insecure zone. Throws `error` without one. */
  mustBeInsecure(run: Run, name: string, error: VerificationError): Promise<Insecure>;
  /** What an answer without DS records proves about the delegation of a name. */
  withoutDs(run: Run, name: string, received: readonly Rrset[]): Promise<Insecure | NoDelegation>;
  /** Null if keys of the zone can be verified here. */
  ofUnsupported(run: Run, name: string, ds: readonly Ds[]): Promise<Insecure | null>;
  /** Like `verifySet`, and for sets that were made from a wildcard or a DNAME record. */
  proveSet(run: Run, set: Rrset, stop: Stop): Promise<StopResult>;
  proveAbsence(run: Run, type: number, stop: Stop): Promise<StopResult>;
}

/** Remembers verified zones, and names that are proven to be in no signed zone. */
export interface ZoneMemory {
  /** A zone that was verified with another state of its parent does not count. */
  recall(run: Run, name: string): Promise<Zone | Insecure | null>;
  /** Returns the remembered zone if it is the same, so that the zones below it stay valid. */
  keep(run: Run, zone: Zone): Zone;
  keepInsecure(name: string, found: Insecure): void;
}

/** The state of one proof. */
export interface Run extends SignatureCheck {
  readonly source: RecordSource;
  /** Without any, everything is insecure. */
  readonly trustAnchors: readonly TrustAnchor[];
  /** Null: nothing can be proven to be insecure or absent. */
  readonly insecurity: Insecurity | null;
  readonly memory: ZoneMemory | null;
  /** Everything that was read. */
  readonly received: Set<Rrset>;
  /** The zones of this proof: it sees one state of each, so that its chain fits together. */
  readonly seen: Map<string, Zone | Insecure>;
  /** What this proof found out about the delegation of names. */
  readonly delegations: Map<string, Promise<Delegation | Insecure | NoDelegation>>;
  /** The NSEC and NSEC3 sets that were verified: one may be needed for several aliases in an answer. */
  readonly denials: Map<Rrset, VerifiedSet | Insecure>;
  /** Whether remembered zones count. */
  readonly usesMemory: boolean;
  /** Whether one counted. */
  isFromMemory: boolean;
}
