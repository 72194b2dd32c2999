// One sign-in as alice.test and its validation data, valid unless a test changes it.

import type { RequiredProof, VerificationOptions } from "../../src/expectations.ts";
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
  /** Its keys for statements: the current one, and the one that follows it. */
  readonly provider: SigningKey;
  readonly standby: SigningKey;
  readonly owner: SigningKey;
  readonly jwks: { readonly keys: readonly Json[] };
  readonly options: VerificationOptions & { require: "both" };
}

export async function makeScene(ownerType: KeyType = "EC"): Promise<Scene> {
  const [world, service, provider, standby, owner] = await Promise.all([
    makeWorld(),
    ...[makeSigningKey(), makeSigningKey(), makeSigningKey()],
    makeSigningKey(ownerType),
  ] as const);
  const jwks = { keys: [{ ...service.jwk, kid: "k1", use: "sig", alg: "ES256" }] };
  const { trustAnchors = [] } = world.request;
  const asked = { clientId, redirectUri, issuer, codeVerifier, now, trustAnchors };
  const options = { ...asked, jwks, require: "both" } as const;
  return { world, service, provider, standby, owner, jwks, options };
}

/** The options of the scene that this level honours. */
export function optionsFor<R extends RequiredProof>(
  { options: { jwks, trustAnchors, ...common } }: Scene,
  require: R,
): VerificationOptions & { readonly require: R } {
  const isAttested = require !== "provider_proof" && require !== "owner_proof";
  return {
    ...common,
    require,
    ...(isAttested && { jwks }),
    ...(require !== "attestation" && { trustAnchors }),
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
    dns: { status: "secure", record: goodRecord({ jkt: "x".repeat(43) }), checked_at: now - 5 },
  };
}

/** Thumbprints, separated by commas. */
export function goodRecord({ jkt, spk }: { jkt?: string; spk?: string }): string {
  const keys = [jkt && `jkt=${jkt}`, spk && `spk=${spk}`].filter(Boolean);
  return [`v=dsi1 sp=${sp} acct=${acct}`, ...keys].join(" ");
}

/** The record of the scene: the provider's two keys, and the owner's. */
export function recordOf({ provider, standby, owner }: Scene): string {
  return goodRecord({ spk: `${provider.jkt},${standby.jkt}`, jkt: owner.jkt });
}

/** The chain for records of alice.test, by default for that of the scene. */
export async function chainOf(scene: Scene, ...records: string[]): Promise<Octets> {
  const texts = records.length > 0 ? records : [recordOf(scene)];
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
    ...{ svc: issuer, sp, acct, cch, iat: now - 60, exp: now + 3540, jti: "s1" },
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

/** By default, signed by the current key of the provider. */
export async function providerProof(
  scene: Scene,
  more: Json = {},
  { key = scene.provider, header = {} as Json } = {},
): Promise<{ statement: string; key: Json }> {
  const goodHeader = { typ: "domain-provider-statement+jwt", alg: key.alg };
  const stated = { ...goodStatement(), typ: "domain-provider-statement", ...more };
  return { statement: await compactJws(key, { ...goodHeader, ...header }, stated), key: key.jwk };
}

export async function goodData(scene: Scene, more: Json = {}): Promise<Json> {
  return {
    ...{ v: 1, domain, attestation: await attest(scene) },
    dnssec: dnssecPart(await chainOf(scene)),
    provider_proof: await providerProof(scene),
    owner_proof: await webauthnProof(scene),
    ...more,
  };
}

/** `good`, or the error code, for valid data changed by `more`. By default, both are required. */
export async function refusalOf(
  scene: Scene,
  more: Json = {},
  options: Partial<VerificationOptions> = {},
): Promise<string> {
  const asked = { ...optionsFor(scene, options.require ?? "both"), ...options };
  return outcomeOf(verifyValidationData(await goodData(scene, more), asked));
}
