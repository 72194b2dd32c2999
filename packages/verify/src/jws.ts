// Splits a compact JWS (RFC 7515 §7.1) into its parts. The caller verifies the signature.

import { decodeBase64url } from "./base64url.ts";
import { VerificationError } from "./errors.ts";
import { type JsonObject, readJsonObject } from "./json.ts";

export interface CompactJws {
  readonly header: JsonObject;
  readonly payload: Uint8Array;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * Reads a JWS that must have this `typ`, so that nothing signed for another purpose is accepted.
 * The caller must compare `alg` with its key; `jwk`, `jku` and `x5c` are ignored. Throws
 * VerificationError `malformed_jws`, `wrong_type` or `critical_header`.
 */
export function readCompactJws(text: string, typ: string): CompactJws {
  // At most one part too many: a string of dots is not split into thousands of parts.
  const parts = text.split(".", 4);
  const [header = null, payload = null, signature = null] = parts.map(decodeBase64url);
  const headerObject = header && readJsonObject(header);
  if (parts.length !== 3 || !headerObject || !payload || !signature) {
    throw new VerificationError("malformed_jws", "a JWS must be three base64url parts");
  }
  if (headerObject.typ !== typ) throw new VerificationError("wrong_type", `typ is not ${typ}`);
  // RFC 7515 §4.1.11: unsupported critical extensions must be rejected, and none is supported.
  if ("crit" in headerObject) {
    throw new VerificationError("critical_header", "a JWS has the unsupported header crit");
  }
  const signed = new TextEncoder().encode(text.slice(0, text.lastIndexOf(".")));
  return { header: headerObject, payload, signed, signature };
}
