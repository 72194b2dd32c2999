// Signs claims as a compact JWS (RFC 7515 §7.1).

import { sign } from "node:crypto";
import type { SigningKey } from "./signing-key.ts";

/**
 * The claims as JSON, signed with ES256. On this thread: handing one signature to another costs more
 * than making it.
 */
export function signJws(key: SigningKey, { typ }: { typ: string }, claims: object): string {
  const header = { alg: key.alg, typ, kid: key.kid };
  const signed = `${encode(header)}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(signed), {
    key: key.privateKey,
    // Both numbers, as RFC 7518 §3.4 has them, and not their DER.
    dsaEncoding: "ieee-p1363",
  });
  return `${signed}.${signature.toString("base64url")}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
