// The member `validation_data` of a token response, and its strict parser.

import { decodeBase64url } from "./base64url.ts";
import { VerificationError } from "./errors.ts";
import { isTimestamp } from "./expectations.ts";
import { isJsonObject, type JsonObject } from "./json.ts";

/** As it is sent. Octet strings are base64url without padding. */
export interface ValidationData {
  readonly v: 1;
  readonly domain: string;
  /** A compact JWS by the service. */
  readonly attestation: string;
  readonly dnssec?: DnssecPart;
  readonly provider_proof?: ProviderProofPart;
  readonly owner_proof?: OwnerProofPart;
}

/** `not_before` and `not_after` are hints for storage: the chain itself determines them. */
export interface DnssecPart {
  readonly name: string;
  readonly type: "TXT";
  readonly chain: string;
  readonly not_before: number;
  readonly not_after: number;
}

/** `statement` is a compact JWS by `key`, which the record lists in `spk`. */
export interface ProviderProofPart {
  readonly statement: string;
  readonly key: object;
}

export type OwnerProofPart =
  | {
      readonly kind: "webauthn";
      readonly statement: string;
      readonly key: object;
      readonly authenticator_data: string;
      readonly client_data_json: string;
      readonly signature: string;
    }
  | {
      readonly kind: "jws";
      readonly key: object;
      /** A compact JWS whose payload is the statement. */
      readonly jws: string;
    };

export interface ReadValidationData {
  readonly domain: string;
  readonly attestation: string;
  readonly dnssec: { readonly name: string; readonly chain: Uint8Array } | undefined;
  readonly providerProof: ReadProviderProof | undefined;
  readonly ownerProof: ReadOwnerProof | undefined;
}

export interface ReadProviderProof {
  readonly statement: string;
  readonly key: JsonObject;
}

export type ReadOwnerProof =
  | {
      readonly kind: "webauthn";
      readonly statement: Uint8Array;
      readonly key: JsonObject;
      readonly authenticatorData: Uint8Array;
      readonly clientDataJson: Uint8Array;
      readonly signature: Uint8Array;
    }
  | { readonly kind: "jws"; readonly key: JsonObject; readonly jws: string };

// A chain has at most 64 KiB; the other parts contain at most a few long URLs.
const MAX_CHAIN_CHARS = Math.ceil((65_536 * 4) / 3);
const MAX_PART_CHARS = 16_384;
/** Leaves room for the labels of our records in the 255 octets that a name may have. */
const MAX_DOMAIN_CHARS = 228;

// The last label begins with a letter, so that no IPv4 address passes as a domain.
const DOMAIN_RE = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Reads all parts, including those that are not required. Unknown members are ignored, so that later
 * versions can add some. Throws VerificationError `malformed_data` or `unsupported_version`.
 */
export function readValidationData(data: unknown): ReadValidationData {
  if (!isJsonObject(data)) throw malformed("validation_data");
  if (data.v === undefined) {
    const message = "v is missing: pass the member validation_data, not the token response";
    throw new VerificationError("malformed_data", message);
  }
  if (data.v !== 1) throw new VerificationError("unsupported_version", "v must be 1");
  const domain = readText(data, "domain", MAX_DOMAIN_CHARS);
  if (!DOMAIN_RE.test(domain)) throw malformed("domain");
  const { dnssec, provider_proof, owner_proof } = data;
  return {
    domain,
    attestation: readText(data, "attestation", MAX_PART_CHARS),
    dnssec: dnssec === undefined ? undefined : readDnssec(dnssec),
    providerProof: provider_proof === undefined ? undefined : readProviderProof(provider_proof),
    ownerProof: owner_proof === undefined ? undefined : readOwnerProof(owner_proof),
  };
}

function readDnssec(part: unknown): { name: string; chain: Uint8Array } {
  if (!isJsonObject(part) || part.type !== "TXT") throw malformed("dnssec");
  if (!isTimestamp(part.not_before) || !isTimestamp(part.not_after)) throw malformed("dnssec");
  return { name: readText(part, "name", 256), chain: readOctets(part, "chain", MAX_CHAIN_CHARS) };
}

/** Throws VerificationError `malformed_data`, as below. */
export function readProviderProof(part: unknown): ReadProviderProof {
  if (!isJsonObject(part) || !isJsonObject(part.key)) throw malformed("provider_proof");
  return { key: part.key, statement: readText(part, "statement", MAX_PART_CHARS) };
}

export function readOwnerProof(part: unknown): ReadOwnerProof {
  if (!isJsonObject(part) || !isJsonObject(part.key)) throw malformed("owner_proof");
  const { kind, key } = part;
  switch (kind) {
    case "webauthn":
      return {
        kind,
        key,
        statement: readOctets(part, "statement", MAX_PART_CHARS),
        authenticatorData: readOctets(part, "authenticator_data", MAX_PART_CHARS),
        clientDataJson: readOctets(part, "client_data_json", MAX_PART_CHARS),
        signature: readOctets(part, "signature", MAX_PART_CHARS),
      };
    case "jws":
      return { kind, key, jws: readText(part, "jws", MAX_PART_CHARS) };
    default:
      throw malformed("owner_proof");
  }
}

function readOctets(from: JsonObject, member: string, maxLength: number): Uint8Array {
  const octets = decodeBase64url(readText(from, member, maxLength));
  if (!octets) throw malformed(member);
  return octets;
}

function readText(from: JsonObject, member: string, maxLength: number): string {
  const text = from[member];
  if (typeof text !== "string" || text === "" || text.length > maxLength) throw malformed(member);
  return text;
}

function malformed(member: string): VerificationError {
  return new VerificationError("malformed_data", `${member} is missing or malformed`);
}
