// Reads the domain that a person typed: forgiving in how it is written, strict in what it is.

import { isIP } from "node:net";
import { tldts, tr46 } from "../lib/lazy-libraries.ts";

/** Why the input is not a domain to sign in with; each has its own words on the page. */
export type DomainMistake =
  | "empty"
  | "email_address"
  | "url_with_path"
  | "single_label"
  | "ip_address"
  | "numeric_tld"
  | "too_long"
  | "public_suffix"
  | "special_use"
  | "bad_characters";

export type DomainInput =
  /** A-labels, lower case, no final dot. */
  | { readonly ok: true; readonly domain: string }
  /** `about` is what the words should name: the domain inside the input where there is one. */
  | { readonly ok: false; readonly mistake: DomainMistake; readonly about: string };

export interface DomainNameOptions {
  /** Special-use names that the operator allows, such as `test`. */
  readonly allowedSpecialNames: ReadonlySet<string>;
  /** Public suffixes of private owners that the operator allows, such as `github.io`. */
  readonly allowedPrivateSuffixes?: ReadonlySet<string>;
}

/** The options from the settings of their names. */
export function domainNameOptions({
  allowedSpecialNames,
  allowedPrivateSuffixes = [],
}: {
  readonly allowedSpecialNames: readonly string[];
  readonly allowedPrivateSuffixes?: readonly string[] | undefined;
}): DomainNameOptions {
  return {
    allowedSpecialNames: new Set(allowedSpecialNames),
    allowedPrivateSuffixes: new Set(allowedPrivateSuffixes),
  };
}

/** Special-use names (RFC 6761 and successors) under which nobody can own a domain. */
const SPECIAL_NAMES = [
  "alt",
  "arpa",
  "example",
  "home.arpa",
  "internal",
  "invalid",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "onion",
  "test",
  "example.com",
  "example.net",
  "example.org",
];

/** `_domain-signin-challenge.` in front of it must still fit into 253 octets. */
const MAX_OCTETS = 228;
/** Characters; the page's field takes no more either. */
const MAX_TYPED = 300;

export function readDomain(input: string, options: DomainNameOptions): DomainInput {
  const typed = input.trim();
  const no = (mistake: DomainMistake, about = typed): DomainInput => ({
    ok: false,
    mistake,
    about: about.slice(0, 100),
  });
  if (typed === "") return no("empty");
  // Punycode takes time that grows with the square of the length.
  if (typed.length > MAX_TYPED) return no("too_long");
  const isUrl = /^https?:\/\//i.test(typed);
  const bare = typed
    .replace(/^https?:\/\//i, "")
    .replace(isUrl ? "" : /^@/, "")
    .replace(/\/$/, "");
  if (isIP(bare.replace(/^\[|\]$/g, "")) !== 0) return no("ip_address");
  const host = hostIn(bare);
  if (/[/?#]/.test(bare) || (isUrl && /[@:]/.test(bare))) {
    return host === "" ? no("bad_characters") : no("url_with_path", host);
  }
  if (bare.includes("@")) return host === "" ? no("bad_characters") : no("email_address", host);
  const name = bare.replace(/[.\u3002\uff0e\uff61]$/, "");
  if (name === "") return no("empty");

  const ascii = tr46().toASCII(name, {
    checkBidi: true,
    checkHyphens: true,
    checkJoiners: true,
    useSTD3ASCIIRules: true,
    transitionalProcessing: false,
    verifyDNSLength: false,
    ignoreInvalidPunycode: false,
  });
  if (ascii === null) return no("bad_characters");
  const domain = ascii.toLowerCase();
  if (!/^[a-z0-9.-]+$/.test(domain)) return no("bad_characters");
  const labels = domain.split(".");
  if (labels.some((label) => label === "")) return no("bad_characters");
  if (domain.length > MAX_OCTETS || labels.some((label) => label.length > 63)) {
    return no("too_long");
  }
  if (isSpecial(domain, options.allowedSpecialNames)) return no("special_use", domain);
  if (labels.length < 2) return no("single_label", domain);
  // Browsers take a last label in hex for part of an IP address, too.
  if (/^([0-9]+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "")) {
    return no(labels.length === 4 ? "ip_address" : "numeric_tld");
  }
  if (isPublicSuffix(domain, options)) return no("public_suffix", domain);
  return { ok: true, domain };
}

/** Under an ending like `co.uk` nobody can be the owner; one of a company the operator may let in. */
function isPublicSuffix(domain: string, options: DomainNameOptions): boolean {
  const allowPrivateDomains = !options.allowedPrivateSuffixes?.has(domain);
  return tldts().getPublicSuffix(domain, { allowPrivateDomains }) === domain;
}

function isSpecial(domain: string, allowed: ReadonlySet<string>): boolean {
  const isAtOrBelow = (name: string) => domain === name || domain.endsWith(`.${name}`);
  return SPECIAL_NAMES.some(isAtOrBelow) && ![...allowed].some(isAtOrBelow);
}

/** The host in whatever kind of address was typed; empty if there is none. */
function hostIn(text: string): string {
  const [authority = ""] = text.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/+/i, "").split(/[/?#]/, 1);
  return authority.replace(/^.*@/, "").replace(/:\d*$/, "");
}
