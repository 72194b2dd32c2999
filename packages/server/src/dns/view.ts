// What one resolver says about the TXT records at a name, and how secure that is.

import type { Rrsig } from "domain-signin-verify/dns/dnssec-records";
import { labelsOf } from "domain-signin-verify/dns/name";
import { recordType } from "domain-signin-verify/dns/records";
import { verifiedRrset } from "domain-signin-verify/dnssec/chain";
import type { Proof } from "domain-signin-verify/dnssec/prove";
import { type Rrset, writeRrsets } from "domain-signin-verify/dnssec/rrsets";
import type { Unusable } from "./record-source.ts";
import { octetsOf } from "./resolver.ts";
import type { Validator } from "./validator.ts";

/** The octets of an AuthenticationChain (RFC 9102). Times are epoch seconds. */
export interface ChainProof {
  readonly chain: Uint8Array;
  readonly notBefore: number;
  readonly notAfter: number;
}

/** The TXT records that were found. `ttl` in seconds, infinite without any records. */
export interface Found {
  /** With one character for each octet. Empty if the records are absent. */
  readonly values: readonly string[];
  /** Set if an alias leads to a name without the label, which is not followed. */
  readonly aliasTarget: string | null;
  /** Whether the values were made from a wildcard: no record has the name. */
  readonly isWildcard: boolean;
  readonly ttl: number;
}

/** When the signature that shows the age of an answer is valid, in epoch seconds. */
export interface SignaturePeriod {
  readonly inception: number;
  readonly expiration: number;
}

/** `insecureZone` is the zone without a secure delegation, `insecureName` the first name in it. */
export type AnsweredView =
  | ({
      readonly security: "secure";
      readonly found: Found;
      /** Null if the records are absent or not followed. */
      readonly proof: ChainProof | null;
    } & SignaturePeriod)
  | {
      readonly security: "insecure";
      readonly found: Found;
      readonly insecureZone: string;
      readonly insecureName: string;
      /** Whether the zone is signed, but only in ways that are not supported here. */
      readonly isUnsupported?: boolean | undefined;
      /** The period of the denial, if a signed zone denies everything but `insecureZone` (opt-out, RFC 5155 §6). */
      readonly optOut?: SignaturePeriod | undefined;
    };
export type View = AnsweredView | Unusable;

/** Aliases are followed only if they lead to a name with `label`. Once `over` is aborted, nothing more is asked. */
export async function viewThrough(
  validator: Validator,
  name: string,
  label: string,
  over?: AbortSignal,
): Promise<View> {
  const isOurs = (end: string) => labelsOf(end).includes(label);
  const validated = await validator.validate(name, recordType.TXT, isOurs, over);
  if (validated.security === "bogus" || validated.security === "indeterminate") return validated;
  const { insecure, answer, received, sets, isAccepted, isWildcard } = validated;
  // RFC 4035 §5.3.3
  const originalTtls = signaturesOf(sets).map(({ originalTtl }) => originalTtl);
  const found: Found = {
    values: answer?.rdatas.map(octetsOf) ?? [],
    aliasTarget: isAccepted ? null : validated.name,
    isWildcard,
    ttl: Math.min(...received.map((set) => set.ttl), ...originalTtls),
  };
  if (insecure) {
    const { insecure: insecureZone, at: insecureName, isUnsupported } = insecure;
    const optOut = insecure.zone && periodOf(validated);
    return { security: "insecure", found, insecureZone, insecureName, isUnsupported, optOut };
  }
  // The verifier accepts no wildcards.
  const isProof = answer !== null && !isWildcard;
  const proof = isProof ? chainOf(validated, answer) : null;
  return { security: "secure", found, proof, ...periodOf(validated) };
}

const signaturesOf = (sets: readonly Rrset[]) => sets.flatMap(({ signatures }) => signatures);

/**
 * The period of the oldest signature. In a proof of absence, only the newest denial counts: when a record
 * is removed, the zone signs only the denial that covers its name, and the others stay as old as they were.
 */
function periodOf({ sets, isWildcard }: Proof): SignaturePeriod {
  const byAge = (some: readonly Rrsig[]) =>
    some.toSorted((one, other) => one.inception - other.inception);
  const isDenial = ({ type }: Rrset) => type === recordType.NSEC || type === recordType.NSEC3;
  const newestDenial = byAge(signaturesOf(sets.filter(isDenial))).slice(-1);
  // A wildcard was there before the record was removed.
  const others = isWildcard ? [] : signaturesOf(sets.filter((set) => !isDenial(set)));
  const [oldest] = byAge([...others, ...newestDenial]);
  if (oldest === undefined) throw new Error("a secure answer has no signature");
  const { inception, expiration } = oldest;
  return { inception, expiration };
}

function chainOf(proof: Proof & { readonly validatedAt: number }, answer: Rrset): ChainProof {
  const { notBefore, notAfter } = verifiedRrset(proof, answer, proof.validatedAt);
  return { chain: writeRrsets([...proof.sets, ...proof.zoneSets]), notBefore, notAfter };
}
