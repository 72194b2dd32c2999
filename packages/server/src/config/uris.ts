// The URIs in settings: which ones an issuer, a contact and an origin may be.

import { LOOPBACK_HOSTS } from "../clients/redirect-target.ts";

/** Allows only what a record can name: a host with a dot that is not an IP address, or localhost. */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname, port: explicitPort } = new URL(text);
  if (origin !== text) return false;
  if (protocol === "http:") return hostname === "localhost" && explicitPort !== "";
  return protocol === "https:" && /^localhost$|^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(hostname);
}

/** One URI on one line: another line would be another field (RFC 9116 §2.2). */
export function isContact(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false;
  const { protocol, username } = new URL(text);
  if (protocol === "https:") return /^https:\/\/[^/?#]/i.test(text) && username === "";
  return /^mailto:[^@?#]+@[^@?#]+(?:\?.*)?$|^tel:\+?[0-9().-]+$/i.test(text);
}

export function isOrigin(text: string): boolean {
  if (!URL.canParse(text) || text.includes("*")) return false;
  const { origin, protocol, hostname } = new URL(text);
  const isLoopback = protocol === "http:" && LOOPBACK_HOSTS.has(hostname);
  return origin === text && (protocol === "https:" || isLoopback);
}
