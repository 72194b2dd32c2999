// Verifies the signatures of one record set by the keys of one zone.

import { signedOctets } from "../dns/canonical.ts";
import type { Dnskey, Rrsig } from "../dns/dnssec-records.ts";
import { labelsOf } from "../dns/name.ts";
import { VerificationError, type VerificationErrorCode } from "../errors.ts";
import { allowedSkew } from "./bounds.ts";
import { checkSize, type Rrset, refusal } from "./rrsets.ts";
import { validityOf } from "./rrsig.ts";
import { isSignatureBy, isSupportedAlgorithm } from "./signature.ts";

/** How the signatures of one proof are verified. */
export interface SignatureCheck {
  /** Seconds since 1970. */
  readonly now: number;
  /**
   * "all": every signature must be valid, so that any changed bit is detected. "any": one must be
   * valid; the one that expires last is selected.
   */
  readonly signatures: "all" | "any";
  /** Checks one signature, if the platform is not to be asked each time. */
  readonly isSignatureBy?: typeof isSignatureBy | undefined;
  /** Includes failed checks: an attacker can make key tags collide (KeyTrap, CVE-2023-50387). */
  checksLeft: number;
}

/**
 * Which wildcards are accepted: "owner", a set whose own name begins with `*`; "any", also a set that
 * was made from one (RFC 4035 §5.3.2).
 */
export type WildcardRule = "none" | "owner" | "any";

/** A set with its verified signatures, and the keys that made them. */
export interface CheckedSet {
  readonly set: Rrset;
  readonly keys: readonly Dnskey[];
}

/** In the order of the checks of a signature. The error of the check that came furthest is thrown. */
const STAGES: readonly VerificationErrorCode[] = [
  "unsupported_algorithm",
  "wildcard",
  "not_yet_valid",
  "expired",
  "no_such_key",
  "platform_unsupported",
  "unsuitable_key",
  "bad_signature",
];

/** Throws VerificationError. */
export async function checkSignatures(
  check: SignatureCheck,
  set: Rrset,
  keys: readonly Dnskey[],
  wildcard: WildcardRule = "none",
): Promise<CheckedSet> {
  checkSize(set);
  const good: { rrsig: Rrsig; key: Dnskey }[] = [];
  const errors: VerificationError[] = [];
  for (const rrsig of inOrder(check, set)) {
    try {
      checkFields(check, set, rrsig, wildcard);
      good.push({ rrsig, key: await signingKey(check, set, rrsig, keys) });
    } catch (error) {
      if (check.signatures === "all" || !(error instanceof VerificationError)) throw error;
      if (error.code === "too_many_signatures") throw error;
      errors.push(error);
    }
    if (check.signatures === "any" && good.length > 0) break;
  }
  if (good.length === 0) throw furthest(errors) ?? refusal("not_signed", set, "are not signed");
  return {
    set: { ...set, signatures: good.map(({ rrsig }) => rrsig) },
    keys: good.map(({ key }) => key),
  };
}

/** Whether the set was made from a wildcard (RFC 4035 §5.3.2). The owner of a wildcard is none. */
export function isFromWildcard({ name }: Rrset, { labels }: Rrsig): boolean {
  const own = labelsOf(name);
  return labels < own.length - (own[0] === "*" ? 1 : 0);
}

function inOrder({ signatures, now }: SignatureCheck, set: Rrset): readonly Rrsig[] {
  if (signatures === "all") return set.signatures;
  const rank = (rrsig: Rrsig) => (isFromWildcard(set, rrsig) ? 1 : 0);
  const end = (rrsig: Rrsig) => validityOf(rrsig, now).notAfter;
  return set.signatures.toSorted((one, other) => rank(one) - rank(other) || end(other) - end(one));
}

function furthest(errors: readonly VerificationError[]): VerificationError | undefined {
  const stage = ({ code }: VerificationError) => STAGES.indexOf(code);
  return errors.toSorted((one, other) => stage(other) - stage(one))[0];
}

/** Checks the fields of a signature, before any cryptography. */
function checkFields(
  { now }: SignatureCheck,
  set: Rrset,
  rrsig: Rrsig,
  wildcard: WildcardRule,
): void {
  const labels = labelsOf(set.name);
  if (!isSupportedAlgorithm(rrsig.algorithm)) {
    throw refusal("unsupported_algorithm", set, `use unsupported algorithm ${rrsig.algorithm}`);
  }
  const isOwner = labels[0] === "*";
  const own = labels.length - (isOwner ? 1 : 0);
  const isAccepted =
    rrsig.labels === own
      ? !isOwner || wildcard !== "none"
      : rrsig.labels < own && wildcard === "any";
  if (!isAccepted) {
    throw refusal("wildcard", set, "are signed as a wildcard or with a wrong label count");
  }
  const { notBefore, notAfter } = validityOf(rrsig, now);
  if (notBefore > now + allowedSkew) throw refusal("not_yet_valid", set, "are not yet valid");
  const isOver = notAfter < now - allowedSkew || notAfter < notBefore;
  if (isOver) throw refusal("expired", set, "have an expired signature");
}

/** The key that made the signature. */
async function signingKey(
  check: SignatureCheck,
  set: Rrset,
  rrsig: Rrsig,
  keys: readonly Dnskey[],
): Promise<Dnskey> {
  const candidates = keys.filter(
    (key) => key.keyTag === rrsig.keyTag && key.algorithm === rrsig.algorithm,
  );
  if (candidates.length === 0) throw refusal("no_such_key", set, "are signed by an unknown key");
  const signed = signedOctets(set, rrsig);
  const isGood = check.isSignatureBy ?? isSignatureBy;
  let failure: VerificationError | null = null;
  for (const key of candidates) {
    if (check.checksLeft === 0) throw refusal("too_many_signatures", set, "need too many checks");
    check.checksLeft--;
    try {
      if (await isGood(key, signed, rrsig.signature)) return key;
    } catch (error) {
      // Another key with the same tag may be suitable.
      if (!(error instanceof VerificationError)) throw error;
      failure = error;
    }
  }
  throw failure ?? refusal("bad_signature", set, "have an invalid signature");
}
