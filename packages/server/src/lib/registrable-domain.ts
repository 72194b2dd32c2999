// Who registered a name: by the Public Suffix List, in two ways for names below a private suffix (github.io).

import { tldts } from "./lazy-libraries.ts";

/**
 * The name that is registered at a registry; null for a name that is at or above a public suffix. In DNS a
 * private suffix is a zone of its registrant, so `alice.github.io` gives `github.io`: its name servers
 * answer for all names below, and are found from there.
 */
export function registrableDomain(name: string): string | null {
  return tldts().getDomain(name, { allowPrivateDomains: false, validateHostname: false });
}

/**
 * The domain whose owner can create any number of names like this one. Those who got names below a private
 * suffix are strangers to each other, so `alice.github.io` gives itself.
 */
export function ownedDomain(name: string): string {
  return tldts().getDomain(name, { allowPrivateDomains: true, validateHostname: false }) ?? name;
}
