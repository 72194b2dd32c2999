// Reads the file in which IANA publishes the trust anchors of the root (RFC 9718).

import { VerificationError } from "../errors.ts";
import { isSupportedAlgorithm } from "./signature.ts";
import { DIGEST_OCTETS, parseTrustAnchor, type TrustAnchor } from "./trust-anchors.ts";

/** Longer than any that was ever published: it has 2 KB. */
const MAX_LENGTH = 65_536;
const MAX_DIGESTS = 50;

/**
 * Reads the text of `root-anchors.xml`: the anchors that are valid at `now`, in epoch seconds. What the algorithm or the
 * digest of an anchor is not supported here is left out, and so is what is not valid yet, or no longer. Throws
 * VerificationError `malformed_trust_anchor` for anything that is not such a file, and if no anchor is left.
 *
 * Source: RFC 9718 §2. Check the signature of the file before you trust it; this function does not.
 *
 * Not in the entry of the package: few need it, and the verifier in a browser shall stay small.
 *
 * @example
 * import { parseRootAnchors } from "domain-signin-verify/dnssec/root-anchors";
 * const trustAnchors = parseRootAnchors(readFileSync("root-anchors.xml", "utf8"));
 */
export function parseRootAnchors(xml: string, now = Math.floor(Date.now() / 1000)): TrustAnchor[] {
  if (typeof xml !== "string" || xml.length > MAX_LENGTH) throw refusal("is too long, or no text");
  // An entity could hide or repeat an element. IANA's file has none.
  if (/<!(?:DOCTYPE|ENTITY|\[CDATA\[)/i.test(xml)) throw refusal("has a document type");
  const text = xml.replace(/<!--[\s\S]*?-->/g, "");
  const [, body = ""] = /<TrustAnchor\b[^>]*>([\s\S]*)<\/TrustAnchor>\s*$/.exec(text) ?? [];
  if (elementIn(body, "Zone") !== ".") throw refusal("is not for the root");
  const digests = [...body.matchAll(/<KeyDigest\b([^>]*)>([\s\S]*?)<\/KeyDigest>/g)];
  if (digests.length > MAX_DIGESTS) throw refusal("has too many anchors");
  const anchors = digests.flatMap(([, attributes = "", fields = ""]) =>
    isValidAt(now, attributes) ? (anchorIn(fields) ?? []) : [],
  );
  if (anchors.length === 0) throw refusal("has no anchor that is valid now");
  return anchors;
}

/** Null if it is not supported. */
function anchorIn(fields: string): TrustAnchor | null {
  const names = ["KeyTag", "Algorithm", "DigestType", "Digest"];
  const values = names.map((name) => elementIn(fields, name));
  const [missing] = names.filter((_, index) => values[index] === null);
  if (missing !== undefined) throw refusal(`has an anchor without a ${missing}`);
  const [, algorithm = Number.NaN, digestType = Number.NaN] = values.map(Number);
  if (!Number.isInteger(algorithm) || !Number.isInteger(digestType)) {
    throw refusal("has an anchor whose Algorithm or DigestType is no number");
  }
  if (!isSupportedAlgorithm(algorithm) || !DIGEST_OCTETS.has(digestType)) return null;
  try {
    return parseTrustAnchor(`. IN DS ${values.join(" ")}`);
  } catch {
    throw refusal("has an anchor whose KeyTag or Digest is malformed");
  }
}

function isValidAt(now: number, attributes: string): boolean {
  const from = timeIn(attributes, "validFrom");
  const until = timeIn(attributes, "validUntil");
  if (from === null) throw refusal("has an anchor without validFrom");
  return from <= now && (until === null || now < until);
}

/** In epoch seconds; null without the attribute. */
function timeIn(attributes: string, name: string): number | null {
  const [, quoted] = new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes) ?? [];
  if (quoted === undefined) return null;
  const time = Date.parse(quoted);
  if (Number.isNaN(time)) throw refusal(`has a ${name} that is no time`);
  return time / 1000;
}

function elementIn(text: string, name: string): string | null {
  const [, value] = new RegExp(`<${name}\\s*>([^<]*)</${name}\\s*>`).exec(text) ?? [];
  return value?.trim() ?? null;
}

const refusal = (why: string) =>
  new VerificationError("malformed_trust_anchor", `the file of root anchors ${why}.`);
