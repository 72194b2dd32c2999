// Attestation objects (WebAuthn Level 3 §6.5.4). Only those without certificates are accepted.

import { type CborMap, type CborValue, readCbor } from "./cbor.ts";
import { type CoseKey, isSignedBy } from "./cose-key.ts";
import type { CredentialProblem } from "./credential.ts";

interface AttestationObject {
  readonly format: CborValue | undefined;
  readonly statement: CborMap;
  readonly authenticatorData: Buffer;
}

/** Null if the octets are no attestation object. */
export function readAttestationObject(octets: Buffer): AttestationObject | null {
  const item = readCbor(octets);
  const object = item?.rest.length === 0 ? item.value : null;
  if (!(object instanceof Map)) return null;
  const statement = object.get("attStmt");
  const authenticatorData = object.get("authData");
  if (!(statement instanceof Map) || !Buffer.isBuffer(authenticatorData)) return null;
  return { format: object.get("fmt"), statement, authenticatorData };
}

/**
 * Accepts `none` (§8.7) and self attestation (§8.2), with which some authenticators answer although none is asked for,
 * and which browsers let through (§5.1.3). `key` is that of the passkey.
 */
export function attestationProblem(
  { format, statement }: AttestationObject,
  key: CoseKey,
  signed: Buffer,
): CredentialProblem | null {
  if (format === "none") return statement.size === 0 ? null : "malformed";
  const isOfKey = format === "packed" && !statement.has("x5c") && statement.get("alg") === key.alg;
  if (!isOfKey) return "unsupported_attestation";
  const signature = statement.get("sig");
  if (!Buffer.isBuffer(signature)) return "malformed";
  return isSignedBy(key, signed, signature) ? null : "bad_signature";
}
