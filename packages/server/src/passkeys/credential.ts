// Reads the JSON of a WebAuthn credential, as a page posts it, and checks its client data.

/** Registrations have about 1 KiB, assertions half of that. */
const MAX_JSON_CHARS = 8192;
/** WebAuthn Level 3 §5.8.3: a credential id has at most 1,023 octets. */
const MAX_CREDENTIAL_ID_OCTETS = 1023;
/** §5.4.3: `user.id` has at most 64 octets. */
const MAX_USER_HANDLE_OCTETS = 64;

/** Why a credential is refused. */
export type CredentialProblem =
  /** Longer than 8 KiB. */
  | "too_large"
  /** Not the JSON, base64url or CBOR that the specification requires. */
  | "malformed"
  /** A registration where an assertion is required, or the reverse. */
  | "wrong_type"
  /** Made for another challenge, for example that of another interaction. */
  | "wrong_challenge"
  | "wrong_origin"
  /** The page was in a frame of another site. */
  | "cross_origin"
  | "wrong_rp_id"
  | "user_not_present"
  | "user_not_verified"
  /** The assertion is for the `user.id` of another registration, or for none. */
  | "wrong_user"
  /** The assertion was made with another credential than that of the key. */
  | "wrong_credential"
  /** The registration has an attestation other than none or that of the key itself. */
  | "unsupported_attestation"
  /** Not P-256, Ed25519 or RSA of 2,048 to 4,096 bits, or not a valid key. */
  | "unsuitable_key"
  | "bad_signature"
  /** The signature counter did not rise: the key may have been copied. */
  | "cloned";

export interface Refused {
  readonly outcome: "refused";
  readonly problem: CredentialProblem;
}

export function refused(problem: CredentialProblem): Refused {
  return { outcome: "refused", problem };
}

/** The members that are common to registrations and assertions. Octet strings are base64url. */
interface ReadCredential {
  readonly credentialId: string;
  readonly clientDataJson: string;
}

interface ReadRegistration extends ReadCredential {
  readonly outcome: "read";
  readonly attestationObject: string;
}

export interface ReadAssertion extends ReadCredential {
  readonly outcome: "read";
  readonly authenticatorData: string;
  readonly signature: string;
  /** `user.id` of the registration; empty if the authenticator returned none. */
  readonly userHandle: string;
}

/** Reads `RegistrationResponseJSON`. Proves nothing yet. */
export function readRegistration(json: string): ReadRegistration | Refused {
  if (json.length > MAX_JSON_CHARS) return refused("too_large");
  const { common, response } = readCredential(json);
  const attestationObject = octetString(response.attestationObject);
  if (common === null || attestationObject === null) return refused("malformed");
  return { outcome: "read", ...common, attestationObject };
}

/** Reads `AuthenticationResponseJSON`. Proves nothing yet. */
export function readAssertion(json: string): ReadAssertion | Refused {
  if (json.length > MAX_JSON_CHARS) return refused("too_large");
  const { common, response } = readCredential(json);
  const authenticatorData = octetString(response.authenticatorData);
  const signature = octetString(response.signature);
  const hasHandle = response.userHandle !== undefined && response.userHandle !== null;
  const userHandle = hasHandle ? octetString(response.userHandle, MAX_USER_HANDLE_OCTETS) : "";
  if (common === null || authenticatorData === null || signature === null || userHandle === null) {
    return refused("malformed");
  }
  return { outcome: "read", ...common, authenticatorData, signature, userHandle };
}

function readCredential(json: string): { common: ReadCredential | null; response: JsonObject } {
  const credential = jsonObject(json);
  const { id, rawId, type } = credential;
  const response = isJsonObject(credential.response) ? credential.response : {};
  const credentialId = octetString(id, MAX_CREDENTIAL_ID_OCTETS);
  const clientDataJson = octetString(response.clientDataJSON);
  if (credentialId === null || clientDataJson === null || rawId !== id || type !== "public-key") {
    return { common: null, response };
  }
  return { common: { credentialId, clientDataJson }, response };
}

/** WebAuthn Level 3 §7.1 steps 7 to 11, §7.2 steps 11 to 15. `challenge` is in base64url. */
export function clientDataProblem(
  clientDataJson: string,
  expected: {
    readonly type: "webauthn.create" | "webauthn.get";
    readonly challenge: string;
    readonly origin: string;
  },
): CredentialProblem | null {
  const clientData = jsonObject(Buffer.from(clientDataJson, "base64url").toString());
  const { type, challenge, origin, crossOrigin = false, topOrigin, tokenBinding } = clientData;
  if (typeof type !== "string" || typeof challenge !== "string") return "malformed";
  // Level 2 §5.8.1: no connection to us is bound to a token, also if the browser supports that.
  const canBind = isJsonObject(tokenBinding) && tokenBinding.status === "supported";
  if (tokenBinding !== undefined && !canBind) return "malformed";
  if (type !== expected.type) return "wrong_type";
  if (challenge !== expected.challenge) return "wrong_challenge";
  if (origin !== expected.origin) return "wrong_origin";
  // In a frame of another site, the user cannot see who asks.
  if (crossOrigin !== false || topOrigin !== undefined) return "cross_origin";
  return null;
}

/** The challenge in client data, in base64url; empty if it has none. Proves nothing. */
export function challengeIn(clientDataJson: string): string {
  const { challenge } = jsonObject(Buffer.from(clientDataJson, "base64url").toString());
  return typeof challenge === "string" ? challenge : "";
}

type JsonObject = Readonly<Record<string, unknown>>;

/** An empty object for text that is not a JSON object. */
function jsonObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text, if it is the one base64url encoding of 1 to `max` octets. Null otherwise. */
function octetString(value: unknown, max = MAX_JSON_CHARS): string | null {
  if (typeof value !== "string" || value === "") return null;
  const octets = Buffer.from(value, "base64url");
  return octets.toString("base64url") === value && octets.length <= max ? value : null;
}
