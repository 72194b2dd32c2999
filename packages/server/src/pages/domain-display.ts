// Decides whether a domain is shown to a person in its own letters or in A-labels.

import { tldts, tr46 } from "../lib/lazy-libraries.ts";
import { misleadingPlaces, writingSystems } from "./writing-systems.ts";

export type DisplayedDomain = {
  /** In U-labels if no letter of it can be taken for another, else the domain as it is. */
  readonly shown: string;
  /** The A-labels, where `shown` differs from them. */
  readonly inDns: string | null;
};

/** As for reading a typed domain: what could not be typed is not shown either. */
const strict = {
  checkBidi: true,
  checkHyphens: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  transitionalProcessing: false,
  ignoreInvalidPunycode: false,
};

const MAX_OCTETS = 253;

/** `domain` in A-labels, lower case, no final dot; anything else comes back as it is. */
export function displayDomain(domain: string): DisplayedDomain {
  const inOwnLetters = decode(domain);
  // For the whole domain at once: a domain half in A-labels is read as two things.
  return inOwnLetters !== null && isSafe(inOwnLetters, domain)
    ? { shown: inOwnLetters, inDns: domain }
    : { shown: domain, inDns: null };
}

/** The U-labels, if there are any and they are the only way to read the domain. */
function decode(domain: string): string | null {
  // Punycode takes time that grows with the square of the length.
  if (domain.length > MAX_OCTETS || !/(?:^|\.)xn--/.test(domain)) return null;
  const decoded = tr46().toUnicode(domain, strict).domain;
  // This finds the errors of decoding, too: `xn--example-.org` would be `example.org`.
  return tr46().toASCII(decoded, strict) === domain ? decoded : null;
}

function isSafe(inOwnLetters: string, domain: string): boolean {
  const labels = inOwnLetters.split(".");
  const chosen = labels.length - labelsOfRegistry(domain);
  return (
    labels.every((label, index) => isSafeLabel(label, index < chosen)) && isInReadingOrder(labels)
  );
}

function isSafeLabel(label: string, wasChosen: boolean): boolean {
  if (misleadingPlaces.some((place) => place.test(label))) return false;
  return writingSystems.some(
    (system) => system.label.test(label) && (!wasChosen || system.unmistakable.test(label)),
  );
}

/**
 * How many labels at the end nobody chose: a public suffix like `рус` may look Latin as a whole,
 * since ICANN delegates none that is taken for another.
 */
function labelsOfRegistry(domain: string): number {
  const { publicSuffix, isIcann } = tldts().parse(domain);
  return publicSuffix !== null && isIcann === true ? publicSuffix.split(".").length : 0;
}

/**
 * Neighbours that are written from right to left change places on the screen. In a domain that also
 * has labels from left to right, the wrong one would then stand beside the top-level domain.
 */
function isInReadingOrder(labels: readonly string[]): boolean {
  const rightToLeft = labels.filter((label) =>
    /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(label),
  ).length;
  return rightToLeft <= 1 || rightToLeft === labels.length;
}
