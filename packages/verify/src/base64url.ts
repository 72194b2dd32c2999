// base64url without padding (RFC 4648 §5). Each octet string has exactly one accepted encoding.

export function encodeBase64url(octets: Uint8Array): string {
  let binary = "";
  for (const octet of octets) binary += String.fromCharCode(octet);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Null for padding, white space, other characters, and nonzero bits after the last octet. */
export function decodeBase64url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const octets = new Uint8Array(binary.length);
  // A loop: a callback for each character took 50 ms for the longest accepted text.
  for (let at = 0; at < octets.length; at++) octets[at] = binary.charCodeAt(at);
  // Only the last group has unused bits, which would give the same octets a second encoding.
  const last = encodeBase64url(octets.subarray(octets.length - (octets.length % 3)));
  return text.slice(text.length - (text.length % 4)) === last ? octets : null;
}
