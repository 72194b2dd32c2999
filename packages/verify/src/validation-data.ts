// The member `validation_data` of a token response, and its strict reader.

import { decodeBase64url } from "./base64url.ts";
import { VerificationError } from "./errors.ts";
import { isTimestamp } from "./expectations.ts";
import { isJsonObject, type JsonObject } from "./json.ts";

/** As it travels. Everything that is octets is base64url without padding. */
export type ValidationData = {
  readonly v: 1;
  readonly domain: string;
  /** A compact JWS by the service. */
  readonly attestation: string;
  readonly dnssec?: DnssecPart;
  readonly owner_proof?: OwnerProofPart;
};

/** `not_before` and `not_after` are hints for who stores it: the chain itself says them. */
export type DnssecPart = {
  readonly name: string;
  readonly type: "TXT";
  readonly chain: string;
  readonly not_before: number;
  readonly not_after: number;
};

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

export type ReadValidationData = {
  readonly domain: string;
  readonly attestation: string;
  readonly dnssec: { readonly name: string; readonly chain: Uint8Array } | undefined;
  readonly ownerProof: ReadOwnerProof | undefined;
};

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

// Characters. A chain has at most 64 KiB; what else is there has at most a few long URLs in it.
const maxChain = Math.ceil((65_536 * 4) / 3);
const maxPart = 16_384;
/** An SP record's name takes 15 octets of the 255 that a name may have: see the domain's rules. */
const maxDomain = 228;

// The last label begins with a letter, so that no IPv4 address passes as a domain.
const domainForm = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Reads all parts, also those that nobody asked for. Members that are not known are ignored, so
 * that later versions can add some. Throws VerificationError `malformed_data` or
 * `unsupported_version`.
 */
export function readValidationData(data: unknown): ReadValidationData {
  if (!isJsonObject(data)) throw malformed("validation_data");
  if (data.v === undefined) {
    const message = "v is missing: pass the member validation_data, not the token response";
    throw new VerificationError("malformed_data", message);
  }
  if (data.v !== 1) throw new VerificationError("unsupported_version", "v is not 1");
  const domain = readText(data, "domain", maxDomain);
  if (!domainForm.test(domain)) throw malformed("domain");
  return {
    domain,
    attestation: readText(data, "attestation", maxPart),
    dnssec: data.dnssec === undefined ? undefined : readDnssec(data.dnssec),
    ownerProof: data.owner_proof === undefined ? undefined : readOwnerProof(data.owner_proof),
  };
}

function readDnssec(part: unknown): { name: string; chain: Uint8Array } {
  if (!isJsonObject(part) || part.type !== "TXT") throw malformed("dnssec");
  if (!isTimestamp(part.not_before) || !isTimestamp(part.not_after)) throw malformed("dnssec");
  return { name: readText(part, "name", 256), chain: readOctets(part, "chain", maxChain) };
}

function readOwnerProof(part: unknown): ReadOwnerProof {
  if (!isJsonObject(part) || !isJsonObject(part.key)) throw malformed("owner_proof");
  const { kind, key } = part;
  switch (kind) {
    case "webauthn":
      return {
        kind,
        key,
        statement: readOctets(part, "statement", maxPart),
        authenticatorData: readOctets(part, "authenticator_data", maxPart),
        clientDataJson: readOctets(part, "client_data_json", maxPart),
        signature: readOctets(part, "signature", maxPart),
      };
    case "jws":
      return { kind, key, jws: readText(part, "jws", maxPart) };
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
  return new VerificationError("malformed_data", `${member} is missing or not as it should be`);
}
