// A WebAuthn assertion over a statement (Web Authentication Level 3 §7.2).

import { encodeBase64url } from "./base64url.ts";
import { VerificationError } from "./errors.ts";
import { mustEqual } from "./expectations.ts";
import type { Issuer } from "./issuer.ts";
import { readJsonObject } from "./json.ts";
import { algorithmOf, isSignedByJwk, type PublicJwk, sha256 } from "./jwk.ts";
import type { ReadOwnerProof } from "./validation-data.ts";

type Assertion = Extract<ReadOwnerProof, { kind: "webauthn" }>;

// Authenticator data: 32 octets of RP ID hash, one of flags, four of a counter (§6.1).
const FLAGS_OFFSET = 32;
const MIN_AUTHENTICATOR_DATA_OCTETS = 37;
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;

/**
 * Verifies that the key signed the statement on a page of the service provider, for a user who was
 * present and verified. Throws VerificationError: `malformed_owner_proof`, `wrong_type`,
 * `wrong_challenge`, `wrong_origin`, `wrong_rp_id`, `user_not_verified`, `bad_signature`,
 * `platform_unsupported`.
 */
export async function verifyAssertion(
  assertion: Assertion,
  key: PublicJwk,
  sp: Issuer,
): Promise<void> {
  const { authenticatorData, clientDataJson } = assertion;
  const clientData = readJsonObject(clientDataJson);
  if (!clientData) throw malformed("the client data is not a JSON object");
  mustEqual(clientData.type, "webauthn.get", "wrong_type", "type is not webauthn.get");
  const challenge = encodeBase64url(await sha256(assertion.statement));
  mustEqual(
    clientData.challenge,
    challenge,
    "wrong_challenge",
    "challenge is not the hash of the statement",
  );
  const { origin, hostname } = new URL(sp);
  mustEqual(clientData.origin, origin, "wrong_origin", "origin does not match sp of the record");
  // In a cross-origin frame, the user cannot see which site asks.
  const { crossOrigin = false, topOrigin } = clientData;
  if (crossOrigin !== false || topOrigin !== undefined) {
    throw new VerificationError("wrong_origin", "the page was in a cross-origin frame");
  }

  const flags = authenticatorData[FLAGS_OFFSET] ?? 0;
  if (authenticatorData.length < MIN_AUTHENTICATOR_DATA_OCTETS) {
    throw malformed("the authenticator data is too short");
  }
  const rpIdHash = encodeBase64url(await sha256(new TextEncoder().encode(hostname)));
  const foundHash = encodeBase64url(authenticatorData.subarray(0, FLAGS_OFFSET));
  mustEqual(foundHash, rpIdHash, "wrong_rp_id", "the RP ID is not the host of the record's sp");
  if ((flags & USER_PRESENT) === 0 || (flags & USER_VERIFIED) === 0) {
    throw new VerificationError("user_not_verified", "the user was not present or not verified");
  }

  const clientDataHash = await sha256(clientDataJson);
  const signed = Uint8Array.from([...authenticatorData, ...clientDataHash]);
  const isEcdsa = algorithmOf(key) === "ES256";
  const signature = isEcdsa ? readDerSignature(assertion.signature) : assertion.signature;
  if (await isSignedByJwk(key, signed, signature)) return;
  throw new VerificationError("bad_signature", "the assertion has an invalid signature");
}

/** Converts a strict DER SEQUENCE of two INTEGERs to two numbers of 32 octets (IEEE P1363). */
function readDerSignature(der: Uint8Array): Uint8Array {
  const [sequence, length, ...content] = der;
  const first = readDerInteger(content);
  const second = readDerInteger(first.rest);
  if (sequence !== 0x30 || length !== content.length || second.rest.length > 0) {
    throw malformed("the signature is not DER");
  }
  return Uint8Array.from([...first.number, ...second.number]);
}

function readDerInteger(from: readonly number[]): { number: number[]; rest: number[] } {
  const [tag, length = 0] = from;
  const octets = from.slice(2, 2 + length);
  const [first = 0, second = 0] = octets;
  const isWhole = tag === 0x02 && length >= 1 && octets.length === length;
  const isNegative = first >= 0x80;
  const isPadded = first === 0 && length > 1 && second < 0x80;
  const number = first === 0 ? octets.slice(1) : octets;
  if (!isWhole || isNegative || isPadded || number.length > 32) {
    throw malformed("the signature is not DER");
  }
  const zeros = Array.from({ length: 32 - number.length }, () => 0);
  return { number: [...zeros, ...number], rest: from.slice(2 + length) };
}

function malformed(message: string): VerificationError {
  return new VerificationError("malformed_owner_proof", message);
}
