// Decides whether a domain is shown to a person in U-labels or in A-labels.

import { createCache } from "../lib/cache.ts";
import { systemClock } from "../lib/clock.ts";
import { tldts, tr46 } from "../lib/lazy-libraries.ts";
import { misleadingPlaces, writingSystems } from "./writing-systems.ts";

/** The same options as for parsing typed domains: what cannot be typed is not shown. */
const TR46_OPTIONS = {
  checkBidi: true,
  checkHyphens: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
};

const MAX_OCTETS = 253;

interface DisplayedDomain {
  readonly shown: string;
  readonly inDns: string | null;
}

/** Of domains that have U-labels. A page shows a domain several times. */
const displayed = createCache<DisplayedDomain>({ clock: systemClock, maxEntries: 1000 });

/**
 * `domain` is in A-labels, lower case, without a final dot; anything else is returned unchanged. `shown` is in U-labels
 * if no letter can be confused with another, else in A-labels. `inDns` is `domain` if `shown` is in U-labels, or null.
 */
export function displayDomain(domain: string): DisplayedDomain {
  const asIs = { shown: domain, inDns: null };
  // Decoding Punycode takes quadratic time.
  if (domain.length > MAX_OCTETS || !/(?:^|\.)xn--/.test(domain)) return asIs;
  const known = displayed.get(domain);
  if (known !== undefined) return known;
  const unicode = decode(domain);
  // All labels or none: a mixture of U-labels and A-labels is hard to read.
  const isShown = unicode !== null && isSafe(unicode, domain);
  const display = isShown ? { shown: unicode, inDns: domain } : asIs;
  displayed.set(domain, display);
  return display;
}

/** The domain in U-labels; null if they do not encode to the same A-labels. */
function decode(domain: string): string | null {
  const decoded = tr46().toUnicode(domain, TR46_OPTIONS).domain;
  // This also detects invalid A-labels: `xn--example-.org` decodes to `example.org`.
  return tr46().toASCII(decoded, TR46_OPTIONS) === domain ? decoded : null;
}

function isSafe(unicode: string, domain: string): boolean {
  const labels = unicode.split(".");
  const chosen = labels.length - countSuffixLabels(domain);
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

/** Of the ICANN public suffix. `рус` may look Latin: ICANN delegates no suffix that can be confused with another. */
function countSuffixLabels(domain: string): number {
  const { publicSuffix, isIcann } = tldts().parse(domain);
  return publicSuffix !== null && isIcann === true ? publicSuffix.split(".").length : 0;
}

/** Adjacent right-to-left labels swap places: beside left-to-right labels, the wrong one would be next to the suffix. */
function isInReadingOrder(labels: readonly string[]): boolean {
  const rightToLeft = labels.filter((label) =>
    /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(label),
  ).length;
  return rightToLeft <= 1 || rightToLeft === labels.length;
}
