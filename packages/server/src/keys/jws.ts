// Signs claims as a compact JWS (RFC 7515 §7.1).

import { sign } from "node:crypto";
import { promisify } from "node:util";
import { memoize } from "../lib/memoize.ts";
import type { SigningKey } from "./signing-key.ts";

const signAside = promisify(sign);

/** Signs the claims as JSON on the main thread. */
export function signJws(key: SigningKey, header: { typ: string }, claims: object): string {
  const text = signingInput(key, header, claims);
  return `${text}.${sign(...argumentsFor(key, text)).toString("base64url")}`;
}

/**
 * The same for keys that may be RSA keys: their signatures take ten times as long as others, and are made in the thread
 * pool. To hand another one to the pool would take longer than to make it.
 */
export function signJwsAsync(
  key: SigningKey,
  header: { typ: string },
  claims: object,
): Promise<string> | string {
  return key.alg === "RS256"
    ? signInPool(key, signingInput(key, header, claims))
    : signJws(key, header, claims);
}

async function signInPool(key: SigningKey, text: string): Promise<string> {
  return `${text}.${(await signAside(...argumentsFor(key, text))).toString("base64url")}`;
}

/** By the type and the key, because each token of a key has the same. */
const headers = new WeakMap<SigningKey, (typ: string) => string>();

function signingInput(key: SigningKey, { typ }: { typ: string }, claims: object): string {
  const { alg, kid } = key;
  const headerOf = headers.get(key) ?? memoize((typ) => encode({ alg, typ, kid }));
  headers.set(key, headerOf);
  return `${headerOf(typ)}.${encode(claims)}`;
}

function argumentsFor({ alg, privateKey: key }: SigningKey, text: string) {
  // Ed25519 signs the text itself (RFC 8032 §5.1).
  const digest = alg === "EdDSA" ? null : "sha256";
  // ES256 uses the raw form of RFC 7518 §3.4 instead of DER. The other algorithms ignore the option.
  return [digest, Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }] as const;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
