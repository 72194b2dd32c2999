// Parses the domain that a user typed: lenient about its spelling, strict about what it names.

import { isIP } from "node:net";
import { tldts, tr46 } from "../lib/lazy-libraries.ts";

/** Why the input cannot be used to sign in. The page has a message for each. */
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

type DomainInput =
  /** In A-labels, lower case, without a final dot. */
  | { readonly ok: true; readonly domain: string }
  /** `about` is what the message should name: the domain inside the input, if there is one. */
  | { readonly ok: false; readonly mistake: DomainMistake; readonly about: string };

export interface DomainNameOptions {
  /** Special-use names that are allowed, such as `test`. */
  readonly allowedSpecialNames: readonly string[];
  /** Privately owned public suffixes that are allowed, such as `github.io`. */
  readonly allowedPrivateSuffixes?: readonly string[] | undefined;
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

/** Leaves room for `_domain-signin-challenge.` within the 253 octets of a DNS name. */
const MAX_OCTETS = 228;
/** The same as the `maxlength` of the page's input field. */
const MAX_INPUT_CHARS = 300;

export function readDomain(input: string, options: DomainNameOptions): DomainInput {
  const typed = input.trim();
  const reject = (mistake: DomainMistake, about = typed): DomainInput => {
    return { ok: false, mistake, about: about.slice(0, 100) };
  };
  if (typed === "") return reject("empty");
  // The running time of Punycode is quadratic in the length.
  if (typed.length > MAX_INPUT_CHARS) return reject("too_long");
  const isUrl = /^https?:\/\//i.test(typed);
  const bare = typed.replace(isUrl ? /^https?:\/\//i : /^@/, "").replace(/\/$/, "");
  if (isIP(bare.replace(/^\[|\]$/g, "")) !== 0) return reject("ip_address");
  const isLink = /[/?#]/.test(bare) || (isUrl && /[@:]/.test(bare));
  if (isLink || bare.includes("@")) {
    const host = hostIn(bare);
    if (host === "") return reject("bad_characters");
    return reject(isLink ? "url_with_path" : "email_address", host);
  }
  const name = bare.replace(/[.\u3002\uff0e\uff61]$/, "");
  if (name === "") return reject("empty");

  const ascii = tr46().toASCII(name, {
    checkBidi: true,
    checkHyphens: true,
    checkJoiners: true,
    useSTD3ASCIIRules: true,
  });
  const domain = ascii?.toLowerCase() ?? "";
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain)) return reject("bad_characters");
  const labels = domain.split(".");
  if (domain.length > MAX_OCTETS || labels.some((label) => label.length > 63)) {
    return reject("too_long");
  }
  if (isSpecial(domain, options.allowedSpecialNames)) return reject("special_use", domain);
  if (labels.length < 2) return reject("single_label", domain);
  // Browsers also parse a hexadecimal last label as part of an IP address.
  if (/^([0-9]+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "")) {
    return reject(labels.length === 4 ? "ip_address" : "numeric_tld");
  }
  // No one owns a suffix such as `co.uk`. Suffixes with a private owner can be allowed.
  const allowPrivateDomains = !options.allowedPrivateSuffixes?.includes(domain);
  const suffix = tldts().getPublicSuffix(domain, { allowPrivateDomains });
  return suffix === domain ? reject("public_suffix", domain) : { ok: true, domain };
}

function isSpecial(domain: string, allowed: readonly string[]): boolean {
  const isAtOrBelow = (name: string) => domain === name || domain.endsWith(`.${name}`);
  return SPECIAL_NAMES.some(isAtOrBelow) && !allowed.some(isAtOrBelow);
}

/** The host in a URL or email address; empty if there is none. */
function hostIn(text: string): string {
  const [authority = ""] = text.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/+/i, "").split(/[/?#]/, 1);
  return authority.replace(/^.*@/, "").replace(/:\d*$/, "");
}
