// The verdicts of a library for WebAuthn that others use: the oracle of ours.

import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import {
  cose,
  decodeAttestationObject,
  decodeCredentialPublicKey,
  parseAuthenticatorData,
  verifySignature,
} from "@simplewebauthn/server/helpers";
import type { AssertingPasskey } from "../../src/passkeys/webauthn.ts";

interface Expected {
  readonly issuer: string;
  readonly challenge: string;
}

/** What it reads of a registration that it accepts. Null if it refuses it. */
export async function registeredByLibrary(json: string, { issuer, challenge }: Expected) {
  const { origin, hostname } = new URL(issuer);
  try {
    const object = octetsOf(JSON.parse(json).response.attestationObject);
    const { credentialPublicKey } = parseAuthenticatorData(
      decodeAttestationObject(object).get("authData"),
    );
    if (credentialPublicKey !== undefined && exhaustsLibrary(credentialPublicKey)) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: JSON.parse(json),
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
      supportedAlgorithmIDs: [-7, -8, -257],
    });
    if (!verified) return null;
    const { credential, credentialBackedUp, fmt } = registrationInfo;
    const publicKey = Buffer.from(credential.publicKey).toString("base64url");
    const { id: credentialId, counter } = credential;
    return { fmt, credentialId, publicKey, counter, backedUp: credentialBackedUp ? 1 : 0 };
  } catch {
    return null;
  }
}

/** What it reads of an assertion that it accepts. Null if it refuses it. */
export async function assertedByLibrary(
  json: string,
  passkey: AssertingPasskey,
  { issuer, challenge }: Expected,
) {
  const { origin, hostname } = new URL(issuer);
  try {
    if (exhaustsLibrary(octetsOf(passkey.publicKey))) return null;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: JSON.parse(json),
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
      credential: {
        id: passkey.credentialId,
        publicKey: octetsOf(passkey.publicKey),
        counter: passkey.counter,
      },
    });
    if (!verified) return null;
    const { newCounter: counter, credentialBackedUp } = authenticationInfo;
    return { counter, backedUp: credentialBackedUp ? 1 : 0 };
  } catch {
    return null;
  }
}

/** It makes as many octets of a number that is in the place of octets: up to four gigabytes. */
function exhaustsLibrary(publicKey: Uint8Array<ArrayBuffer>): boolean {
  const key: unknown = decodeCredentialPublicKey(publicKey);
  const values = key instanceof Map ? [key.get(-1), key.get(-2), key.get(-3)] : [];
  return values.some((value) => typeof value === "number" && value > 0xffff);
}

/** Whether it accepts, at least in a registration, a key that verifies nothing, or an RSA key that nobody makes. */
export async function isOddKey(publicKey: string): Promise<boolean> {
  const credentialPublicKey = octetsOf(publicKey);
  const signature = octetsOf(Buffer.from("3006020101020101", "hex").toString("base64url"));
  try {
    if (exhaustsLibrary(credentialPublicKey)) return true;
    await verifySignature({ credentialPublicKey, signature, data: new Uint8Array(1) });
  } catch {
    return true;
  }
  const key = decodeCredentialPublicKey(credentialPublicKey);
  if (!cose.isCOSEPublicKeyRSA(key)) return false;
  const numbers: unknown[] = [key.get(cose.COSEKEYS.n), key.get(cose.COSEKEYS.e)];
  const [modulus = "", exponent = ""] = numbers.map((octets) =>
    octets instanceof Uint8Array ? Buffer.from(octets).toString("hex") : "",
  );
  return !/^[89a-f].{511}$/.test(modulus) || !/^(?!0[01]?$)(?!00).{0,7}[13579bdf]$/.test(exponent);
}

/** What it lets through in an attestation object, besides the encoding. */
export function oddlyAttested(attestationObject: Buffer, algorithm: number): string[] {
  const statement: unknown = decodeAttestationObject(new Uint8Array(attestationObject)).get(
    "attStmt",
  );
  if (!(statement instanceof Map)) return ["a statement that is no map"];
  const odd = [];
  if (statement.has("x5c")) odd.push("empty certificates");
  const signature = statement.get("sig");
  const isEcdsa = algorithm === -7 && signature instanceof Uint8Array;
  if (isEcdsa && !isDer(Buffer.from(signature))) odd.push("a signature that is not DER");
  if (statement.has("alg") && statement.get("alg") !== algorithm) odd.push("another algorithm");
  return odd;
}

/** The authenticator data in an attestation object that it accepts. */
export function dataByLibrary(attestationObject: Buffer): Buffer {
  return Buffer.from(decodeAttestationObject(new Uint8Array(attestationObject)).get("authData"));
}

function octetsOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "base64url"));
}

/** The library also accepts others. Whether a signature of ES256 is in the one encoding that X.690 calls distinguished. */
export function isDer(signature: Buffer): boolean {
  const r = signature.subarray(4, 4 + (signature[3] ?? 0));
  const s = signature.subarray(6 + r.length);
  const isShortest = ([first = 0x80, second = 0x80]: Buffer) =>
    first < 0x80 && !(first === 0 && second < 0x80);
  const heads = Buffer.of(0x30, signature.length - 2, 0x02, r.length);
  const isWhole = heads.equals(signature.subarray(0, 4)) && isShortest(r) && isShortest(s);
  return isWhole && signature[4 + r.length] === 0x02 && signature[5 + r.length] === s.length;
}
