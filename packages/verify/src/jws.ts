// A compact JWS (RFC 7515 §7.1) in its parts; who signed it is for others to say.

import { decodeBase64url } from "./base64url.ts";
import { VerificationError } from "./errors.ts";
import { type JsonObject, readJsonObject } from "./json.ts";

export type CompactJws = {
  readonly header: JsonObject;
  readonly payload: Uint8Array;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
};

/**
 * Reads a JWS whose `typ` must be the one given, so that nothing signed for another purpose passes.
 * Its `alg` is for the key to confirm; `jwk`, `jku` and `x5c` are never looked at. Throws
 * VerificationError `malformed_jws`, `wrong_type` or `critical_header`.
 */
export function readCompactJws(text: string, typ: string): CompactJws {
  // One more than there may be: a text of dots is not cut into thousands of parts.
  const parts = text.split(".", 4);
  const [header = null, payload = null, signature = null] = parts.map(decodeBase64url);
  const headerObject = header && readJsonObject(header);
  if (parts.length !== 3 || !headerObject || !payload || !signature) {
    throw new VerificationError("malformed_jws", "a JWS is not three parts of base64url");
  }
  if (headerObject.typ !== typ) throw new VerificationError("wrong_type", `a JWS is no ${typ}`);
  // RFC 7515 §4.1.11: what is critical and not understood must be refused; no extension is.
  if ("crit" in headerObject) {
    throw new VerificationError("critical_header", "a JWS has a header that is not understood");
  }
  const signed = new TextEncoder().encode(text.slice(0, text.lastIndexOf(".")));
  return { header: headerObject, payload, signed, signature };
}
