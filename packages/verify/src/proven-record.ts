// The SP record of a domain, proven by DNSSEC.

import { labelsOf } from "./dns/name.ts";
import { decodeTxt, recordType } from "./dns/records.ts";
import { verifyChain } from "./dnssec/chain.ts";
import { VerificationError, type VerificationErrorCode } from "./errors.ts";
import { type Expectations, mustEqual } from "./expectations.ts";
import type { Issuer } from "./issuer.ts";
import { type ChosenRecord, chooseSpRecord, type RecordKeys } from "./record.ts";

/**
 * The record, authenticated by DNSSEC. It is public, so that by itself it proves nothing about the
 * person who signs in.
 */
export interface ProvenRecord extends RecordKeys {
  readonly sp: Issuer;
  readonly acct: string;
  /** Seconds since 1970: the period in which all signatures of the chain are valid. */
  readonly notBefore: number;
  readonly notAfter: number;
}

const LABEL = "_domain-signin";

const CODES: Record<Exclude<ChosenRecord["outcome"], "one">, VerificationErrorCode> = {
  none: "no_record",
  invalid: "invalid_record",
  ambiguous: "ambiguous_record",
  unsupported: "unsupported_record",
};

/**
 * Verifies the chain and reads the record from the verified set only. Throws VerificationError: all
 * that `verifyChain` throws, `wrong_domain` (`name` is not that of the domain's record),
 * `foreign_alias`, `no_record`, `invalid_record`, `ambiguous_record`,
 * `unsupported_record`, and `disabled` (`sp=none`: nobody may sign in as this domain).
 */
export async function proveRecord(
  { name, chain }: { readonly name: string; readonly chain: Uint8Array },
  domain: string,
  expected: Expectations,
): Promise<ProvenRecord> {
  const recordName = `${LABEL}.${domain}`;
  mustEqual(name, `${recordName}.`, "wrong_domain", `name of dnssec must be ${recordName}.`);
  const { now, trustAnchors, maxSignatureAge } = expected;
  const verified = await verifyChain(chain, {
    name: recordName,
    type: recordType.TXT,
    now,
    ...(trustAnchors && { trustAnchors }),
    ...(maxSignatureAge !== undefined && { maxSignatureAge }),
  });
  // Otherwise a wildcard alias to a web host would let that host publish the record.
  if (!labelsOf(verified.name).includes(LABEL)) {
    throw new VerificationError("foreign_alias", `no ${LABEL} in alias target ${verified.name}.`);
  }
  const values = verified.values.map((rdata) => textOf(decodeTxt(rdata)));
  const chosen = chooseSpRecord(values, {
    // The operator of the service already decided on ports. A demo's issuer is on loopback.
    allowIssuerPort: true,
    allowLoopbackIssuer: /^https?:\/\/(?:[a-z0-9-]+\.)?localhost(?::|$)/.test(expected.issuer),
  });
  if (chosen.outcome !== "one") {
    throw new VerificationError(CODES[chosen.outcome], "there is not exactly one valid SP record");
  }
  const { record } = chosen;
  if (record.sp === "none") throw new VerificationError("disabled", "sp of the record is none");
  const { sp, acct, jkt, spk } = record;
  const { notBefore, notAfter } = verified;
  return { sp, acct, jkt, spk, notBefore, notAfter };
}

/** One character per octet: the record parser rejects those above ASCII. */
function textOf(octets: Uint8Array): string {
  return Array.from(octets, (octet) => String.fromCharCode(octet)).join("");
}
