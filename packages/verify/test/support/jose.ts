// Creates keys and JWS without the code under test.

import { createHash, type webcrypto } from "node:crypto";

const subtle = globalThis.crypto.subtle;

export type Bytes = Uint8Array<ArrayBuffer>;
export type KeyType = "EC" | "OKP" | "RSA";
export type Json = Record<string, unknown>;

export interface SigningKey {
  readonly kty: KeyType;
  readonly alg: string;
  readonly jwk: Json;
  readonly jkt: string;
  readonly sign: (data: Bytes) => Promise<Bytes>;
}

const kinds = {
  EC: { alg: "ES256", how: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } },
  OKP: { alg: "EdDSA", how: { name: "Ed25519" } },
  RSA: {
    alg: "RS256",
    how: {
      name: "RSASSA-PKCS1-v1_5",
      hash: "SHA-256",
      modulusLength: 2048,
      publicExponent: Uint8Array.of(1, 0, 1),
    },
  },
};

export async function makeSigningKey(kty: KeyType = "EC"): Promise<SigningKey> {
  const { alg, how } = kinds[kty];
  const pair = (await subtle.generateKey(how, true, ["sign", "verify"])) as webcrypto.CryptoKeyPair;
  const { crv, e, n, x, y } = await subtle.exportKey("jwk", pair.publicKey);
  const jwk: Json = JSON.parse(JSON.stringify({ crv, e, kty, n, x, y }));
  const sign = async (data: Bytes) => new Uint8Array(await subtle.sign(how, pair.privateKey, data));
  return { kty, alg, jwk, jkt: base64url(sha256(utf8(JSON.stringify(jwk)))), sign };
}

export async function compactJws(key: SigningKey, header: Json, payload: unknown): Promise<string> {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const signed = `${base64url(utf8(JSON.stringify(header)))}.${base64url(utf8(text))}`;
  return `${signed}.${base64url(await key.sign(utf8(signed)))}`;
}

/** The authenticators' format: two numbers in DER (RFC 3279 §2.2.3). */
export function derSignature(p1363: Bytes): Bytes {
  const numbers = [p1363.slice(0, 32), p1363.slice(32)].flatMap((number) => {
    const start = number.findIndex((octet) => octet !== 0);
    const short = [...number.slice(start)];
    const positive = (short[0] ?? 0) >= 0x80 ? [0, ...short] : short;
    return [0x02, positive.length, ...positive];
  });
  return Uint8Array.of(0x30, numbers.length, ...numbers);
}

export function sha256(data: Bytes): Bytes {
  return new Uint8Array(createHash("sha256").update(data).digest());
}

export function utf8(text: string): Bytes {
  return new Uint8Array(Buffer.from(text));
}

export function base64url(octets: Uint8Array): string {
  return Buffer.from(octets).toString("base64url");
}
