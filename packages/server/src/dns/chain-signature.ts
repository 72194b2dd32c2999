// Which one signature of a set goes into a chain.

import { signedOctets } from "domain-signin-verify/dns/canonical";
import type { Dnskey, Rrsig } from "domain-signin-verify/dns/dnssec-records";
import { labelsOf } from "domain-signin-verify/dns/name";
import { allowedSkew } from "domain-signin-verify/dnssec/bounds";
import { refusal } from "domain-signin-verify/dnssec/rrsets";
import { validityOf } from "domain-signin-verify/dnssec/rrsig";
import { isSignatureBy, isSupportedAlgorithm } from "domain-signin-verify/dnssec/signature";
import { VerificationError } from "domain-signin-verify/errors";
import type { ReceivedSet } from "./chain-sets.ts";

/** `rrsig` is the rdata of the signature, `notAfter` in epoch seconds. */
export type ChosenSignature = {
  readonly rrsig: Uint8Array;
  readonly originalTtl: number;
  readonly notAfter: number;
  /** Whether one of the keys made it; else it is the one that came nearest, for the verifier to say why. */
  readonly isGood: boolean;
};

/** Key tags collide as their maker likes (KeyTrap): what may still be checked for a look. */
export type CheckBudget = { checksLeft: number };

/**
 * `keys` are those which may sign the set; `now` in epoch seconds. Throws VerificationError
 * `not_signed`, and `too_many_signatures` when the budget is spent.
 */
export async function chooseSignature(
  set: ReceivedSet,
  keys: readonly Dnskey[],
  budget: CheckBudget,
  now: number,
): Promise<ChosenSignature> {
  const [nearest, ...others] = set.signatures
    .map((rrsig, index) => ({ rrsig, rank: rankOf(set, rrsig, keys, now), index }))
    .sort((one, other) => other.rank - one.rank || latest(one.rrsig, other.rrsig, now));
  if (!nearest) throw refusal("not_signed", set, "are not signed");

  const chosen = ({ rrsig, index }: typeof nearest, isGood: boolean): ChosenSignature => ({
    rrsig: set.rrsigs[index] ?? new Uint8Array(),
    originalTtl: rrsig.originalTtl,
    notAfter: validityOf(rrsig, now).notAfter,
    isGood,
  });
  for (const candidate of [nearest, ...others].filter(({ rank }) => rank === fullRank)) {
    if (await isMade(set, candidate.rrsig, keys, budget)) return chosen(candidate, true);
  }
  return chosen(nearest, false);
}

async function isMade(
  set: ReceivedSet,
  rrsig: Rrsig,
  keys: readonly Dnskey[],
  budget: CheckBudget,
): Promise<boolean> {
  const signed = signedOctets(set, rrsig);
  for (const key of keys.filter((one) => isNamed(one, rrsig))) {
    if (budget.checksLeft === 0) {
      throw refusal("too_many_signatures", set, "are one check too many");
    }
    budget.checksLeft--;
    try {
      if (await isSignatureBy(key, signed, rrsig.signature)) return true;
    } catch (error) {
      // A key of odd size, or an algorithm that this platform lacks: another may do.
      if (!(error instanceof VerificationError)) throw error;
    }
  }
  return false;
}

const fullRank = 15;

/** What a signature lacks first, in the order in which the verifier looks, weighs most. */
function rankOf(set: ReceivedSet, rrsig: Rrsig, keys: readonly Dnskey[], now: number): number {
  const labels = labelsOf(set.name);
  const { notBefore, notAfter } = validityOf(rrsig, now);
  const isInTime =
    notBefore <= now + allowedSkew && notAfter >= now - allowedSkew && notAfter >= notBefore;
  return (
    (isSupportedAlgorithm(rrsig.algorithm) ? 8 : 0) +
    (rrsig.labels === labels.length && labels[0] !== "*" ? 4 : 0) +
    (isInTime ? 2 : 0) +
    (keys.some((key) => isNamed(key, rrsig)) ? 1 : 0)
  );
}

function isNamed(key: Dnskey, rrsig: Rrsig): boolean {
  return key.keyTag === rrsig.keyTag && key.algorithm === rrsig.algorithm;
}

/** A proof is worth more the longer it holds. */
function latest(one: Rrsig, other: Rrsig, now: number): number {
  return validityOf(other, now).notAfter - validityOf(one, now).notAfter;
}
