// Verifies a compact JWS (RFC 7515 §7.1).

import { decodeBase64url } from "./base64url.ts";
import { VerificationError } from "./errors.ts";
import { type JsonObject, readJsonObject } from "./json.ts";
import { isAlgorithmOf, isSignedByJwk, type PublicJwk } from "./jwk.ts";

/**
 * The payload of a JWS that must have this `typ`, so that nothing signed for another purpose is accepted.
 * `keyFor` chooses the key by the header, whose `jwk`, `jku` and `x5c` are ignored. Throws
 * VerificationError `malformed_jws`, `wrong_type`, `critical_header`, `wrong_algorithm`,
 * `bad_signature` or `platform_unsupported`.
 */
export async function verifyJws(
  text: string,
  typ: string,
  keyFor: (header: JsonObject) => PublicJwk,
): Promise<Uint8Array> {
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
  const key = keyFor(headerObject);
  if (!isAlgorithmOf(key, headerObject.alg)) {
    throw new VerificationError("wrong_algorithm", "alg of a JWS does not match its key");
  }
  const signed = new TextEncoder().encode(text.slice(0, text.lastIndexOf(".")));
  if (await isSignedByJwk(key, signed, signature)) return payload;
  throw new VerificationError("bad_signature", `${typ} has an invalid signature`);
}
