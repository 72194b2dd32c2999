// The SP record of a domain, as its own zone signed it.

import { labelsOf } from "./dns/name.ts";
import { decodeTxt, recordType } from "./dns/records.ts";
import { verifyChain } from "./dnssec/chain.ts";
import { VerificationError, type VerificationErrorCode } from "./errors.ts";
import { type Expectations, mustEqual } from "./expectations.ts";
import type { Issuer } from "./issuer.ts";
import { readSpRecordSet, type SpRecordSet } from "./record.ts";

/**
 * What the zone says, on the word of the DNS root. Anybody can look it up, so that by itself it says
 * nothing about the person who is at the app.
 */
export type ProvenRecord = {
  readonly sp: Issuer;
  readonly acct: string;
  /** RFC 7638 thumbprints of the owner's keys, if any are listed. */
  readonly jkt: readonly string[];
  /** Seconds since 1970: when all signatures of the chain are valid. */
  readonly notBefore: number;
  readonly notAfter: number;
};

const label = "_domain-signin";

const refusals: Record<Exclude<SpRecordSet["outcome"], "one">, VerificationErrorCode> = {
  none: "no_record",
  invalid: "invalid_record",
  ambiguous: "ambiguous_record",
  unsupported: "unsupported_record",
};

/**
 * Verifies the chain and reads the record out of the verified set, out of nothing else. Throws
 * VerificationError: all that `verifyChain` throws, `wrong_domain` (the chain says that it is about
 * another name), `foreign_alias`, `no_record`, `invalid_record`, `ambiguous_record`,
 * `unsupported_record`, and `disabled` (`sp=none`: nobody may sign in as this domain).
 */
export async function proveRecord(
  { name, chain }: { readonly name: string; readonly chain: Uint8Array },
  domain: string,
  expected: Expectations,
): Promise<ProvenRecord> {
  const asked = `${label}.${domain}`;
  mustEqual(name, `${asked}.`, "wrong_domain", `the chain is not said to be about ${asked}.`);
  const { now, trustAnchors, maxSignatureAge } = expected;
  const verified = await verifyChain(chain, {
    name: asked,
    type: recordType.TXT,
    now,
    ...(trustAnchors && { trustAnchors }),
    ...(maxSignatureAge !== undefined && { maxSignatureAge }),
  });
  // Else a wildcard alias to a web host would hand over every name below it.
  if (!labelsOf(verified.name).includes(label)) {
    throw new VerificationError("foreign_alias", `the alias leads to ${verified.name}.`);
  }
  const values = verified.values.map((rdata) => textOf(decodeTxt(rdata)));
  const set = readSpRecordSet(values, {
    // Ports are for the operator of a service to allow, who did. A demo's issuer is on loopback.
    allowIssuerPort: true,
    allowLoopbackIssuer: expected.issuer.startsWith("http://localhost:"),
  });
  if (set.outcome !== "one") {
    throw new VerificationError(refusals[set.outcome], "there is not exactly one good SP record");
  }
  const { record } = set;
  if (record.sp === "none") throw new VerificationError("disabled", "the record says sp=none");
  const { sp, acct, jkt } = record;
  const { notBefore, notAfter } = verified;
  return { sp, acct, jkt, notBefore, notAfter };
}

/** An octet a letter: no octet above ASCII can pass as one of a record. */
function textOf(octets: Uint8Array): string {
  return Array.from(octets, (octet) => String.fromCharCode(octet)).join("");
}
