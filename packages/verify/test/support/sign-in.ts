// One sign-in as alice.test and its validation data, valid unless a test changes it.

import type { VerificationOptions } from "../../src/expectations.ts";
import { verifyValidationData } from "../../src/verify.ts";
import {
  base64url,
  compactJws,
  derSignature,
  type Json,
  type KeyType,
  makeSigningKey,
  type SigningKey,
  sha256,
  utf8,
} from "./jose.ts";
import { join, now, type Octets, signedSet, txt } from "./signer.ts";
import { makeWorld, outcomeOf, type World } from "./world.ts";

export const domain = "alice.test";
export const issuer = "https://auth.example.com";
export const sp = issuer;
export const acct = "m3Zk0bq2vS1nF9o7b0uHqg";
export const clientId = "https://app.example.net/client.json";
export const redirectUri = "https://app.example.net/callback";
export const codeVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
/** RFC 7636 appendix B. */
export const cch = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

export interface Scene {
  readonly world: World;
  readonly service: SigningKey;
  readonly owner: SigningKey;
  readonly options: VerificationOptions & { require: "both" };
}

export async function makeScene(ownerType: KeyType = "EC"): Promise<Scene> {
  const [world, service, owner] = await Promise.all([
    makeWorld(),
    makeSigningKey(),
    makeSigningKey(ownerType),
  ]);
  const jwks = { keys: [{ ...service.jwk, kid: "k1", use: "sig", alg: "ES256" }] };
  const { trustAnchors = [] } = world.request;
  return {
    world,
    service,
    owner,
    options: {
      ...{ clientId, redirectUri, issuer, codeVerifier, jwks, now, trustAnchors },
      require: "both",
    },
  };
}

export function attest(scene: Scene, more: Json = {}, header: Json = {}): Promise<string> {
  return compactJws(
    scene.service,
    { typ: "domain-attestation+jwt", alg: "ES256", kid: "k1", ...header },
    { ...goodClaims(), ...more },
  );
}

export function goodClaims(): Json {
  return {
    ...{ iss: issuer, aud: clientId, sub: "acc_1", domain, domain_since: now - 9000 },
    ...{ iat: now, exp: now + 600, jti: "j1", auth_time: now - 5, amr: ["hwk", "user"] },
    ...{ method: "passkey", sp, acct, redirect_uri: redirectUri, cch },
    dns: { status: "secure", record: goodRecord("x".repeat(43)), checked_at: now - 5 },
  };
}

export function goodRecord(jkt: string): string {
  return `v=dsi1; sp=${sp}; acct=${acct}; jkt=${jkt}`;
}

/** The chain for records of alice.test, which list the owner's key by default. */
export async function chainOf(scene: Scene, ...records: string[]): Promise<Octets> {
  const texts = records.length > 0 ? records : [goodRecord(scene.owner.jkt)];
  const set = { ...scene.world.answer, rdatas: texts.map(txt) };
  return join(await signedSet(scene.world.alice, set), ...scene.world.up);
}

export function dnssecPart(chain: Octets): Json {
  const name = `_domain-signin.${domain}.`;
  return { name, type: "TXT", chain: base64url(chain), not_before: now - 60, not_after: now + 60 };
}

export function goodStatement(): Json {
  return {
    ...{ typ: "domain-owner-statement", v: 1, domain, aud: clientId, redirect_uri: redirectUri },
    ...{ svc: issuer, sp, cch, iat: now - 60, exp: now + 3540, jti: "s1" },
  };
}

export interface AssertionLies {
  readonly statement?: Json;
  readonly statementText?: string;
  readonly clientData?: Json;
  readonly rpId?: string;
  readonly flags?: number;
  readonly key?: SigningKey;
}

export async function webauthnProof(scene: Scene, lies: AssertionLies = {}): Promise<Json> {
  const key = lies.key ?? scene.owner;
  const text = lies.statementText ?? JSON.stringify({ ...goodStatement(), ...lies.statement });
  const statement = utf8(text);
  const challenge = base64url(sha256(statement));
  const clientData = utf8(
    JSON.stringify({
      ...{ type: "webauthn.get", challenge, origin: sp, crossOrigin: false },
      ...lies.clientData,
    }),
  );
  const rpIdHash = sha256(utf8(lies.rpId ?? "auth.example.com"));
  const authenticatorData = join(rpIdHash, Uint8Array.of(lies.flags ?? 0x05, 0, 0, 0, 7));
  const signature = await key.sign(join(authenticatorData, sha256(clientData)));
  return {
    kind: "webauthn",
    statement: base64url(statement),
    key: key.jwk,
    authenticator_data: base64url(authenticatorData),
    client_data_json: base64url(clientData),
    signature: base64url(key.kty === "EC" ? derSignature(signature) : signature),
  };
}

export async function jwsProof(scene: Scene, more: Json = {}, header: Json = {}): Promise<Json> {
  const key = scene.owner;
  const goodHeader = { typ: "domain-owner-statement+jwt", alg: key.alg };
  const jws = await compactJws(key, { ...goodHeader, ...header }, { ...goodStatement(), ...more });
  return { kind: "jws", key: key.jwk, jws };
}

export async function goodData(scene: Scene, more: Json = {}): Promise<Json> {
  return {
    ...{ v: 1, domain, attestation: await attest(scene) },
    dnssec: dnssecPart(await chainOf(scene)),
    owner_proof: await webauthnProof(scene),
    ...more,
  };
}

/** `good`, or the error code, for valid data changed by `more`. */
export async function refusalOf(
  scene: Scene,
  more: Json = {},
  options: Partial<VerificationOptions> = {},
): Promise<string> {
  const asked = { ...scene.options, ...options } as VerificationOptions;
  return outcomeOf(verifyValidationData(await goodData(scene, more), asked));
}
