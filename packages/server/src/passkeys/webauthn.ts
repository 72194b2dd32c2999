// WebAuthn: the options of both ceremonies, and the verification of what an authenticator returns.

import { createHash, createPublicKey } from "node:crypto";
import { VerificationError } from "domain-signin-verify/errors";
import { type PublicJwk, readPublicJwk, thumbprintOf } from "domain-signin-verify/jwk";
import type { MadePasskey, PasskeyOfAccount } from "../store/passkeys.ts";
import { CEREMONY_LIFETIME_S } from "./challenge.ts";
import {
  authenticatorDataProblem,
  type CredentialProblem,
  clientDataProblem,
  type ReadAssertion,
  type Refused,
  readRegistration,
  refused,
} from "./credential.ts";

const ALGORITHMS = { ES256: -7, EdDSA: -8, RS256: -257 } as const;

/** Loaded when the first credential arrives: it takes half a second. */
const library = async () => ({
  ...(await import("@simplewebauthn/server")),
  ...(await import("@simplewebauthn/server/helpers")),
});

/**
 * The options of `navigator.credentials.create()` in their JSON form (`PublicKeyCredentialCreationOptionsJSON`).
 * `challenge` and `userHandle` are base64url. An authenticator replaces a passkey that has the same `userHandle`, and
 * makes none if it has one of `exclude`.
 */
export function registrationOptions({
  issuer,
  challenge,
  userHandle,
  domain,
  exclude = [],
}: {
  readonly issuer: string;
  readonly challenge: string;
  readonly userHandle: string;
  readonly domain: string;
  readonly exclude?: readonly PasskeyOfAccount[];
}) {
  const { hostname } = new URL(issuer);
  return {
    rp: { id: hostname, name: hostname },
    user: { id: userHandle, name: domain, displayName: domain },
    challenge,
    pubKeyCredParams: Object.values(ALGORITHMS).map((alg) => ({ type: "public-key", alg })),
    timeout: CEREMONY_LIFETIME_S * 1000,
    excludeCredentials: exclude.map(({ credentialId: id }) => ({ type: "public-key", id })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    attestation: "none",
  };
}

interface Registered {
  readonly outcome: "registered";
  readonly passkey: MadePasskey;
}

/**
 * Verifies the credential of `navigator.credentials.create()` for `registrationOptions`. `json` may have any content
 * and length. The caller must ensure that `challenge` is used once.
 *
 * @example
 * const result = await verifyRegistration(form.credential, { issuer, challenge });
 * if (result.outcome === "refused") return showProblem(result.problem);
 * record.jkt = [result.passkey.thumbprint];
 */
export async function verifyRegistration(
  json: string,
  { issuer, challenge }: { readonly issuer: string; readonly challenge: string },
): Promise<Registered | Refused> {
  const read = readRegistration(json);
  if (read.outcome === "refused") return read;
  const { origin, hostname } = new URL(issuer);
  const expected = { type: "webauthn.create", challenge, origin } as const;
  const problem = clientDataProblem(read.clientDataJson, expected);
  if (problem !== null) return refused(problem);
  try {
    const attestation = await readAttestation(read.attestationObject, rpIdHash(hostname));
    if (typeof attestation === "string") return refused(attestation);
    const { verifyRegistrationResponse } = await library();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...credentialOf(read),
        response: {
          clientDataJSON: read.clientDataJson,
          attestationObject: read.attestationObject,
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
      supportedAlgorithmIDs: Object.values(ALGORITHMS),
    });
    if (!verified) return refused("bad_signature");
    const { credential, credentialBackedUp } = registrationInfo;
    // The library compares neither of the two ids with that in the authenticator data.
    if (credential.id !== read.credentialId) return refused("wrong_credential");
    const passkey = {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      thumbprint: await thumbprintOf(attestation.jwk),
      counter: credential.counter,
      backedUp: credentialBackedUp ? 1 : 0,
    } as const;
    return { outcome: "registered", passkey };
  } catch (error) {
    return refused(problemOf(error));
  }
}

/** What an assertion is verified with. A set-up has no row of its passkey yet. */
export interface AssertingPasskey extends MadePasskey {
  readonly userHandle: string;
}

/** A verified assertion: what is to be recorded as the use of the passkey. */
export interface Asserted {
  readonly outcome: "asserted";
  readonly counter: number;
  readonly backedUp: 0 | 1;
  readonly jwk: PublicJwk;
}

/**
 * Verifies an assertion for `assertionOptions`. The caller must ensure that `challenge` is used once and that the
 * passkey is of the account to sign in, and must record the use (`usePasskey`).
 */
export async function verifyAssertion(
  read: ReadAssertion,
  passkey: AssertingPasskey,
  { issuer, challenge }: { readonly issuer: string; readonly challenge: string },
): Promise<Asserted | Refused> {
  const { origin, hostname } = new URL(issuer);
  if (read.credentialId !== passkey.credentialId) return refused("wrong_credential");
  const expected = { type: "webauthn.get", challenge, origin } as const;
  const authenticatorData = Buffer.from(read.authenticatorData, "base64url");
  const problem =
    clientDataProblem(read.clientDataJson, expected) ??
    authenticatorDataProblem(authenticatorData, rpIdHash(hostname));
  if (problem !== null) return refused(problem);
  // Required, because the list of credentials was empty (WebAuthn Level 3 §7.2 step 6).
  if (read.userHandle !== passkey.userHandle) return refused("wrong_user");
  const counter = authenticatorData.readUInt32BE(33);
  const hasCounter = counter > 0 || passkey.counter > 0;
  if (hasCounter && counter <= passkey.counter) return refused("cloned");
  try {
    const { verifyAuthenticationResponse } = await library();
    const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, "base64url"));
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...credentialOf(read),
        response: {
          clientDataJSON: read.clientDataJson,
          authenticatorData: read.authenticatorData,
          signature: read.signature,
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
      credential: { id: passkey.credentialId, publicKey, counter: passkey.counter },
    });
    if (!verified) return refused("bad_signature");
    const backedUp = authenticationInfo.credentialBackedUp ? 1 : 0;
    return { outcome: "asserted", counter, backedUp, jwk: await readCoseKey(publicKey) };
  } catch (error) {
    return refused(problemOf(error));
  }
}

/** What the library reads of both kinds of credential, besides the response of the authenticator. */
function credentialOf({ credentialId: id }: { readonly credentialId: string }) {
  return { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
}

/**
 * Checks the attestation object and returns its key. Accepts only attestations without certificates: to verify
 * certificates, the library would request addresses that they contain.
 */
async function readAttestation(
  attestationObject: string,
  expectedHash: Uint8Array,
): Promise<CredentialProblem | { readonly jwk: PublicJwk }> {
  const { decodeAttestationObject, parseAuthenticatorData } = await library();
  const decoded = decodeAttestationObject(octetsOf(attestationObject));
  const authenticatorData = decoded.get("authData");
  const problem = authenticatorDataProblem(authenticatorData, expectedHash);
  if (problem !== null) return problem;
  const format = decoded.get("fmt");
  const hasCertificates = decoded.get("attStmt").get("x5c") !== undefined;
  if ((format !== "none" && format !== "packed") || hasCertificates) {
    return "unsupported_attestation";
  }
  const { credentialPublicKey } = parseAuthenticatorData(authenticatorData);
  if (credentialPublicKey === undefined) return "malformed";
  return { jwk: await readCoseKey(credentialPublicKey) };
}

/** Reads a COSE_Key (RFC 9053 §7). Throws VerificationError `unsuitable_key`. */
async function readCoseKey(coseKey: Uint8Array<ArrayBuffer>): Promise<PublicJwk> {
  const { decodeCredentialPublicKey, cose } = await library();
  const key = decodeCredentialPublicKey(coseKey);
  const alg = key.get(cose.COSEKEYS.alg);
  const encode = (octets: Uint8Array | undefined) =>
    Buffer.from(octets ?? []).toString("base64url");
  const read = () => {
    if (alg === ALGORITHMS.ES256 && cose.isCOSEPublicKeyEC2(key)) {
      const crv = key.get(cose.COSEKEYS.crv) === cose.COSECRV.P256 ? "P-256" : undefined;
      const [x, y] = [key.get(cose.COSEKEYS.x), key.get(cose.COSEKEYS.y)];
      return readPublicJwk({ kty: "EC", crv, x: encode(x), y: encode(y) });
    }
    if (alg === ALGORITHMS.EdDSA && cose.isCOSEPublicKeyOKP(key)) {
      const crv = key.get(cose.COSEKEYS.crv) === cose.COSECRV.ED25519 ? "Ed25519" : undefined;
      return readPublicJwk({ kty: "OKP", crv, x: encode(key.get(cose.COSEKEYS.x)) });
    }
    if (alg === ALGORITHMS.RS256 && cose.isCOSEPublicKeyRSA(key)) {
      const [n, e] = [key.get(cose.COSEKEYS.n), key.get(cose.COSEKEYS.e)];
      return readPublicJwk({ kty: "RSA", n: encode(n), e: encode(e) });
    }
    throw new VerificationError("unsuitable_key", "the algorithm is not supported");
  };
  const jwk = read();
  try {
    // Refuses a point that is not on the curve.
    createPublicKey({ key: { ...jwk }, format: "jwk" });
  } catch {
    throw new VerificationError("unsuitable_key", "the key is not valid");
  }
  return jwk;
}

/** The library throws errors of any class for malformed CBOR and DER. */
function problemOf(error: unknown): CredentialProblem {
  return error instanceof VerificationError ? "unsuitable_key" : "malformed";
}

function rpIdHash(hostname: string): Buffer {
  return createHash("sha256").update(hostname).digest();
}

function octetsOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "base64url"));
}
