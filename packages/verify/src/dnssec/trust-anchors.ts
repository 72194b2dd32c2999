// The trust anchors: keys of the DNS root that are trusted without a signature.

import type { Ds } from "../dns/dnssec-records.ts";
import { VerificationError } from "../errors.ts";
import { isJsonObject } from "../json.ts";
import { isSupportedAlgorithm } from "./signature.ts";

/** The fields of a DS record of the root. */
export type TrustAnchor = Ds;

// . [TTL] [IN] DS <key tag> <algorithm> <digest type> <digest, optionally in groups>
const ANCHOR_RE =
  /^\.(?:\s+\d{1,10})?(?:\s+IN)?\s+DS\s+(\d{1,5})\s+(\d{1,3})\s+(\d{1,3})\s+([0-9A-F][0-9A-F\s]*)$/i;

/** Of each digest type that is supported. */
export const DIGEST_OCTETS = new Map([
  [2, 32],
  [4, 48],
]);

/**
 * Reads a trust anchor written as the DS record of the root: `. 3600 IN DS 20326 8 2 E06D…`.
 * Throws VerificationError `malformed_trust_anchor`, also for unsupported algorithms such as SHA-1.
 */
export function parseTrustAnchor(text: string): TrustAnchor {
  // Callers in JavaScript may pass anything.
  const record = typeof text === "string" ? text.trim() : "";
  const [, keyTag, algorithm, digestType, hex = ""] = ANCHOR_RE.exec(record) ?? [];
  const pairs = hex.replace(/\s+/g, "").match(/../g) ?? [];
  const anchor = {
    keyTag: Number(keyTag),
    algorithm: Number(algorithm),
    digestType: Number(digestType),
    digest: Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)),
  };
  const isGood =
    anchor.keyTag <= 0xffff &&
    isSupportedAlgorithm(anchor.algorithm) &&
    hex.replace(/\s+/g, "").length === 2 * (DIGEST_OCTETS.get(anchor.digestType) ?? -1);
  if (isGood) return anchor;
  const message = "a trust anchor must be a DS record of the root with a SHA-256 or SHA-384 digest";
  throw new VerificationError("malformed_trust_anchor", message);
}

/** Whether a value has the form of what `parseTrustAnchor` returns. */
export function isTrustAnchor(value: unknown): value is TrustAnchor {
  if (!isJsonObject(value)) return false;
  const { keyTag, algorithm, digestType, digest } = value;
  const areNumbers = [keyTag, algorithm, digestType].every((number) => Number.isInteger(number));
  return areNumbers && digest instanceof Uint8Array;
}

/** KSK-2017 and KSK-2024, as IANA publishes them at data.iana.org/root-anchors. */
export const rootTrustAnchors: readonly TrustAnchor[] = [
  ". IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D",
  ". IN DS 38696 8 2 683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16",
].map(parseTrustAnchor);
