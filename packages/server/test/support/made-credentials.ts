// Credentials in their parts, so that a test can change any octet of them before they are signed and posted.

import { createHash, type KeyObject, sign } from "node:crypto";
import { type CborMap, cbor, coseKeyOf, type KeyKind } from "./authenticator.ts";
import { makeKeyPair } from "./key-pair.ts";

export const ISSUER = "https://auth.example.com";
export const CHALLENGE = Buffer.alloc(32, 7).toString("base64url");
export const CEREMONY = { issuer: ISSUER, challenge: CHALLENGE };
export const USER_HANDLE = Buffer.alloc(16, 5).toString("base64url");
export const KINDS = ["ec", "ed25519", "rsa"] as const;
const ALGORITHMS = { ec: -7, ed25519: -8, rsa: -257 };

export interface Key {
  readonly kind: KeyKind;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** One of each kind, because a key of RSA takes as long as a hundred checks. */
export function makeKeys(): Readonly<Record<KeyKind, Key>> {
  const keyOf = (kind: KeyKind): Key => ({ kind, ...makeKeyPair(kind) });
  return { ec: keyOf("ec"), ed25519: keyOf("ed25519"), rsa: keyOf("rsa") };
}

/** Authenticator data (WebAuthn Level 3 §6.1). */
export interface Data {
  readonly rpId?: string;
  readonly flags?: number;
  readonly counter?: number;
  readonly id?: Buffer;
  /** In CBOR. */
  readonly coseKey?: Buffer;
  readonly extensions?: Buffer;
}

/** A registration has AT set, an assertion has not, and both have ED if there are extensions. */
export function dataOf({ rpId, flags = 0x05, counter = 0, id, coseKey, extensions }: Data): Buffer {
  const tail = Buffer.alloc(5);
  tail.writeUInt8(
    flags | (coseKey === undefined ? 0 : 0x40) | (extensions === undefined ? 0 : 0x80),
  );
  tail.writeUInt32BE(counter, 1);
  const attested =
    coseKey === undefined ? [] : [Buffer.alloc(16, 1), lengthOf(id ?? ID), id ?? ID, coseKey];
  const head = sha256(rpId ?? new URL(ISSUER).hostname);
  return Buffer.concat([head, tail, ...attested, extensions ?? Buffer.alloc(0)]);
}

export const ID = Buffer.alloc(32, 9);

function lengthOf(id: Buffer): Buffer {
  return Buffer.of(id.length >> 8, id.length & 0xff);
}

export function coseKeyIn(key: Key): Buffer {
  return cbor(coseKeyOf(key.kind, key.publicKey));
}

export function clientDataOf(type: "create" | "get", members: object = {}): Buffer {
  const said = { type: `webauthn.${type}`, challenge: CHALLENGE, origin: ISSUER };
  return Buffer.from(JSON.stringify({ ...said, ...members }));
}

/** What an authenticator signs. */
export function signedBy({ kind, privateKey }: Key, data: Buffer, clientData: Buffer): Buffer {
  const signed = Buffer.concat([data, sha256(clientData)]);
  return sign(kind === "ed25519" ? null : "sha256", signed, privateKey);
}

/** The statement of self attestation (§8.2). */
export function selfStatement(key: Key, data: Buffer, clientData: Buffer): CborMap {
  return [
    ["alg", ALGORITHMS[key.kind]],
    ["sig", signedBy(key, data, clientData)],
  ];
}

export function attestationOf(authData: Buffer, statement?: CborMap): Buffer {
  return cbor([
    ["fmt", statement === undefined ? "none" : "packed"],
    ["attStmt", statement ?? []],
    ["authData", authData],
  ]);
}

/** As a page posts it. */
export function postedOf(id: Buffer, response: Readonly<Record<string, Buffer | string>>): string {
  const encoded = Object.entries(response).map(([name, value]) => [
    name,
    typeof value === "string" ? value : value.toString("base64url"),
  ]);
  const name = id.toString("base64url");
  const members = { id: name, rawId: name, type: "public-key", clientExtensionResults: {} };
  return JSON.stringify({ ...members, response: Object.fromEntries(encoded) });
}

export function registrationOf(
  attestationObject: Buffer,
  { id = ID, clientData = clientDataOf("create") } = {},
): string {
  return postedOf(id, { clientDataJSON: clientData, attestationObject });
}

export function assertionOf(
  key: Key,
  data: Buffer,
  { clientData = clientDataOf("get"), signature = signedBy(key, data, clientData) } = {},
): string {
  const response = { clientDataJSON: clientData, authenticatorData: data, signature };
  return postedOf(ID, { ...response, userHandle: USER_HANDLE });
}

/** The row of a passkey with this key. */
export function storedWith(publicKey: Buffer, counter = 0) {
  const row = { credentialId: ID.toString("base64url"), thumbprint: "", backedUp: 0 } as const;
  return { ...row, userHandle: USER_HANDLE, publicKey: publicKey.toString("base64url"), counter };
}

function sha256(data: string | Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}
