// An authenticator in software, in the browser of a test: makes passkeys and assertions, and spoils them.

import { createHash, type KeyObject, randomBytes, sign } from "node:crypto";
import { makeKeyPair } from "./key-pair.ts";

/** What an honest authenticator and browser would return, but for these. */
export interface Spoiled {
  readonly type?: string;
  readonly challenge?: string;
  readonly origin?: string;
  /** More members of the client data, or other values. */
  readonly clientData?: Record<string, unknown>;
  readonly rpId?: string;
  /** UP 0x01, UV 0x04, BE 0x08, BS 0x10, AT 0x40, ED 0x80. */
  readonly flags?: number;
  readonly counter?: number;
  /** Only of assertions. */
  readonly userHandle?: string | null;
  readonly signature?: Uint8Array;
  /** Only of registrations. */
  readonly coseKey?: CborMap;
  readonly format?: string;
  readonly statement?: CborMap;
  readonly attestationObject?: Uint8Array;
  /** Other members of the outermost object. */
  readonly outer?: Record<string, unknown>;
}

export interface SoftPasskey {
  readonly credentialId: string;
  readonly userHandle: string;
  readonly kind: KeyKind;
  readonly key: KeyObject;
  readonly publicKey: KeyObject;
  counter: number;
}

export type KeyKind = "ec" | "ed25519" | "rsa";
/** What authenticators choose. */
export interface NewKey {
  readonly kind?: KeyKind;
  /** Of at most 1,023 octets. */
  readonly id?: Uint8Array;
}

export type CborKey = string | number;
export type CborValue = string | number | boolean | Uint8Array | CborMap;
export type CborMap = readonly (readonly [CborKey, CborValue])[];

interface CreationOptions {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly challenge: string;
}

interface RequestOptions {
  readonly rpId: string;
  readonly challenge: string;
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
const encode = (octets: Uint8Array | string) => Buffer.from(octets).toString("base64url");

/** `origin` is that of the page which asks. Options and results are in the JSON form. */
export function createAuthenticator(origin: string) {
  return { create, get };

  /** As `navigator.credentials.create()`: a new passkey, and what the page posts. */
  function create(
    options: CreationOptions,
    { kind = "ec", id = randomBytes(32), ...spoiled }: Spoiled & NewKey = {},
  ): { readonly passkey: SoftPasskey; readonly json: string } {
    const { privateKey: key, publicKey } = makeKeyPair(kind);
    const passkey = { credentialId: encode(id), userHandle: options.user.id, kind, key, publicKey };
    const clientData = clientDataOf("webauthn.create", options.challenge, spoiled);
    const idLength = Buffer.from([id.length >> 8, id.length & 0xff]);
    const coseKey = cbor(spoiled.coseKey ?? coseKeyOf(kind, publicKey));
    const authData = Buffer.concat([
      authenticatorHead(options.rp.id, { flags: 0x45, ...spoiled }),
      ...[Buffer.alloc(16), idLength, id, coseKey],
    ]);
    const { format = "none", statement = [] } = spoiled;
    const object = cbor([
      ["fmt", format],
      ["attStmt", statement],
      ["authData", authData],
    ]);
    const attestationObject = encode(spoiled.attestationObject ?? object);
    const response = { clientDataJSON: encode(clientData), attestationObject };
    const json = credentialJson(passkey.credentialId, response, spoiled);
    return { passkey: { ...passkey, counter: spoiled.counter ?? 0 }, json };
  }

  /** As `navigator.credentials.get()` with this passkey. */
  function get(passkey: SoftPasskey, options: RequestOptions, spoiled: Spoiled = {}): string {
    const clientData = clientDataOf("webauthn.get", options.challenge, spoiled);
    const counter = passkey.counter === 0 ? 0 : ++passkey.counter;
    const head = { flags: 0x05, counter, ...spoiled };
    const authenticatorData = authenticatorHead(options.rpId, head);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    const hash = passkey.kind === "ed25519" ? null : "sha256";
    const signature = spoiled.signature ?? sign(hash, signed, passkey.key);
    const userHandle = spoiled.userHandle === undefined ? passkey.userHandle : spoiled.userHandle;
    const response = {
      clientDataJSON: encode(clientData),
      authenticatorData: encode(authenticatorData),
      signature: encode(signature),
      userHandle,
    };
    return credentialJson(passkey.credentialId, response, spoiled);
  }

  function clientDataOf(type: string, challenge: string, spoiled: Spoiled): string {
    const said = { type, challenge, origin, crossOrigin: false };
    const { type: t = type, challenge: c = challenge, origin: o = origin } = spoiled;
    return JSON.stringify({ ...said, type: t, challenge: c, origin: o, ...spoiled.clientData });
  }
}

function authenticatorHead(rpId: string, spoiled: Spoiled): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(spoiled.counter ?? 0);
  const flags = Buffer.of(spoiled.flags ?? 0);
  return Buffer.concat([sha256(spoiled.rpId ?? rpId), flags, counter]);
}

function credentialJson(id: string, response: object, { outer }: Spoiled): string {
  const credential = { id, rawId: id, type: "public-key", response, clientExtensionResults: {} };
  return JSON.stringify({ ...credential, ...outer });
}

/** COSE_Key (RFC 9053 §7). */
export function coseKeyOf(kind: KeyKind, publicKey: KeyObject): CborMap {
  const jwk = publicKey.export({ format: "jwk" });
  const octets = (member: "x" | "y" | "n" | "e") => Buffer.from(jwk[member] ?? "", "base64url");
  const members: Record<KeyKind, () => [number, string | number | Uint8Array][]> = {
    ec: () => [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, octets("x")],
      [-3, octets("y")],
    ],
    ed25519: () => [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, octets("x")],
    ],
    rsa: () => [
      [1, 3],
      [3, -257],
      [-1, octets("n")],
      [-2, octets("e")],
    ],
  };
  return members[kind]();
}

/** CBOR (RFC 8949): integers, octet strings, text, booleans, and maps as lists of pairs. */
export function cbor(value: CborValue): Buffer {
  if (typeof value === "boolean") return Buffer.of(value ? 0xf5 : 0xf4);
  if (typeof value === "number") return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === "string") {
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value]);
  const pairs = value.flatMap(([key, member]) => [cbor(key), cbor(member)]);
  return Buffer.concat([cborHead(5, value.length), ...pairs]);
}

function cborHead(major: number, argument: number): Buffer {
  const first = major << 5;
  if (argument < 24) return Buffer.of(first | argument);
  if (argument < 256) return Buffer.of(first | 24, argument);
  return Buffer.of(first | 25, argument >> 8, argument & 0xff);
}
