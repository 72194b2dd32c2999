// WebAuthn: the options of both ceremonies, and the verification of what an authenticator returns.

import { createHash } from "node:crypto";
import { type PublicJwk, thumbprintOf } from "domain-signin-verify/jwk";
import type { MadePasskey, PasskeyOfAccount } from "../store/passkeys.ts";
import { attestationProblem, readAttestationObject } from "./attestation.ts";
import { readAuthenticatorData } from "./authenticator-data.ts";
import { CEREMONY_LIFETIME_S } from "./challenge.ts";
import { ALGORITHMS, isSignedBy, readCoseKey } from "./cose-key.ts";
import {
  clientDataProblem,
  type ReadAssertion,
  type Refused,
  readRegistration,
  refused,
} from "./credential.ts";

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
  const attestation = readAttestationObject(octetsOf(read.attestationObject));
  if (attestation === null) return refused("malformed");
  const { authenticatorData } = attestation;
  const data = readAuthenticatorData(authenticatorData, hostname);
  if (data.outcome === "refused") return data;
  if (data.attested === null) return refused("malformed");
  const { credentialId, publicKey } = data.attested;
  const key = readCoseKey(publicKey);
  if (key === null) return refused("unsuitable_key");
  const signed = signedOctets(authenticatorData, read.clientDataJson);
  const attested = attestationProblem(attestation, key, signed);
  if (attested !== null) return refused(attested);
  if (credentialId.toString("base64url") !== read.credentialId) return refused("wrong_credential");
  const passkey = {
    credentialId: read.credentialId,
    publicKey: publicKey.toString("base64url"),
    thumbprint: await thumbprintOf(key.jwk),
    counter: data.counter,
    backedUp: data.backedUp,
  };
  return { outcome: "registered", passkey };
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
export function verifyAssertion(
  read: ReadAssertion,
  passkey: AssertingPasskey,
  { issuer, challenge }: { readonly issuer: string; readonly challenge: string },
): Asserted | Refused {
  const { origin, hostname } = new URL(issuer);
  if (read.credentialId !== passkey.credentialId) return refused("wrong_credential");
  const expected = { type: "webauthn.get", challenge, origin } as const;
  const problem = clientDataProblem(read.clientDataJson, expected);
  if (problem !== null) return refused(problem);
  const authenticatorData = octetsOf(read.authenticatorData);
  const data = readAuthenticatorData(authenticatorData, hostname);
  if (data.outcome === "refused") return data;
  // Required, because the list of credentials was empty (WebAuthn Level 3 §7.2 step 6).
  if (read.userHandle !== passkey.userHandle) return refused("wrong_user");
  const key = readCoseKey(octetsOf(passkey.publicKey));
  if (key === null) return refused("unsuitable_key");
  const signed = signedOctets(authenticatorData, read.clientDataJson);
  if (!isSignedBy(key, signed, octetsOf(read.signature))) return refused("bad_signature");
  const { counter, backedUp } = data;
  const hasCounter = counter > 0 || passkey.counter > 0;
  if (hasCounter && counter <= passkey.counter) return refused("cloned");
  return { outcome: "asserted", counter, backedUp, jwk: key.jwk };
}

/** What an authenticator signs: its data, and the hash of the client data. */
function signedOctets(authenticatorData: Buffer, clientDataJson: string): Buffer {
  const hash = createHash("sha256").update(octetsOf(clientDataJson)).digest();
  return Buffer.concat([authenticatorData, hash]);
}

function octetsOf(text: string): Buffer {
  return Buffer.from(text, "base64url");
}
