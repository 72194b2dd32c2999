// Who registered a name: by the Public Suffix List, in two ways for names below a private suffix (github.io).

import { tldts } from "./lazy-libraries.ts";

/**
 * The name that is registered at a registry; null at or above a public suffix. `alice.github.io` gives `github.io`: in
 * DNS, a private suffix is a zone of its registrant, whose name servers answer for all names below.
 */
export function registrableDomain(name: string): string | null {
  return tldts().getDomain(name, { allowPrivateDomains: false, validateHostname: false });
}

/** The domain whose owner can create such names without limit. The names below `github.io` have different owners. */
export function ownedDomain(name: string): string {
  return tldts().getDomain(name, { allowPrivateDomains: true, validateHostname: false }) ?? name;
}
