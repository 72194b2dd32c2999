// An issuer on loopback that signs access tokens, for tests of what checks them.
//
// It has the endpoints that a resource and its clients use, and no user: tests sign what they need, and
// every code is redeemed. The real service can take its place.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from "jose";

export type Algorithm = "ES256" | "RS256" | "EdDSA";

export interface TestIssuer {
  readonly issuer: string;
  /** The credentials of every resource at the introspection endpoint. */
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  /** Claims of a token that is valid for an hour, with these added or changed; `undefined` removes one. */
  claims(changes?: Record<string, unknown>): JWTPayload;
  /** An access token for the resource. */
  sign(claims: JWTPayload, changes?: SignOptions): Promise<string>;
  /** The public key that signs with this algorithm. */
  publicKey(alg: Algorithm): JWK;
  /** From now on, introspection calls the token inactive. */
  revoke(token: string): void;
  /** How often each path was requested. */
  requests(path: string): number;
  /** Until this is called again, the path answers so: a status, a body, or no answer at all. */
  answer(path: string, how: { status?: number; body?: string } | "hang" | undefined): void;
  /** Signs ES256 with a new key from now on. The key set no longer has the former one. */
  rotate(): Promise<void>;
  close(): Promise<void>;
}

export interface SignOptions {
  readonly alg?: Algorithm;
  readonly header?: Record<string, unknown>;
  /** Instead of the issuer's. */
  readonly key?: CryptoKey;
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

type Keys = Record<Algorithm, SigningKey>;
type Answer = { status?: number; body?: string } | "hang";

export const JWKS_PATH = "/.well-known/jwks.json";
export const INTROSPECTION_PATH = "/oauth/introspect";
export const TOKEN_PATH = "/oauth/token";
export const TEST_RESOURCE = "https://notes.example/api";

const LIFETIME_S = 3600;
/** Shared by all issuers of a process, since RSA keys take long to make. */
let firstKeys: Promise<Keys> | undefined;

export async function startTestIssuer({ resource = TEST_RESOURCE } = {}): Promise<TestIssuer> {
  const credentials = { clientId: "dsr_notes", clientSecret: "s+e/c r:e%41t" };
  const revoked = new Set<string>();
  const counts = new Map<string, number>();
  const answers = new Map<string, Answer>();
  firstKeys ??= makeKeys();
  let keys = await firstKeys;

  const server = createServer((request, response) => {
    const path = request.url ?? "";
    counts.set(path, (counts.get(path) ?? 0) + 1);
    const answer = answers.get(path);
    if (answer === "hang") return;
    if (answer !== undefined) {
      response.writeHead(answer.status ?? 200, { "content-type": "application/json" });
      response.end(answer.body ?? "{}");
      return;
    }
    void handle(path, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const claims: TestIssuer["claims"] = (changes = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const all = {
      ...{ iss: issuer, sub: "sub_alice", client_id: "dsid_app", aud: resource },
      ...{ iat: now, exp: now + LIFETIME_S, auth_time: now - 60, jti: crypto.randomUUID() },
      ...{ acr: "urn:domain-signin:dns", amr: ["dns"], scope: "notes:read" },
      ...{ domain: "alice.test", domain_since: now - 86_400 },
      ...changes,
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  };

  const sign: TestIssuer["sign"] = (payload, { alg = "ES256", header, key } = {}) => {
    const { kid, privateKey } = keys[alg];
    const protectedHeader = { alg, typ: "at+jwt", kid, ...header };
    return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(key ?? privateKey);
  };

  async function handle(path: string, request: IncomingMessage, response: ServerResponse) {
    const reply = (body: object, status = 200) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    switch (path) {
      case JWKS_PATH:
        return reply({ keys: Object.values(keys).map(({ publicJwk }) => publicJwk) });
      case "/.well-known/oauth-authorization-server":
      case "/.well-known/openid-configuration":
        return reply(metadataOf(issuer));
      case INTROSPECTION_PATH: {
        const form = new URLSearchParams(await text(request));
        if (request.headers.authorization !== basicOf(credentials)) return reply({}, 401);
        const token = form.get("token") ?? "";
        return reply(revoked.has(token) ? { active: false } : introspected(token));
      }
      case TOKEN_PATH: {
        const form = new URLSearchParams(await text(request));
        const [aud, client_id] = [form.get("resource") ?? resource, form.get("client_id")];
        const access_token = await sign(claims({ aud, client_id }));
        return reply({ access_token, token_type: "bearer", expires_in: LIFETIME_S });
      }
      default:
        return reply({}, 404);
    }
  }

  return {
    issuer,
    credentials,
    claims,
    sign,
    publicKey: (alg) => keys[alg].publicJwk,
    revoke: (token) => revoked.add(token),
    requests: (path) => counts.get(path) ?? 0,
    answer(path, how) {
      if (how === undefined) answers.delete(path);
      else answers.set(path, how);
    },
    async rotate() {
      keys = { ...keys, ES256: await makeKey("ES256") };
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function makeKeys(): Promise<Keys> {
  const [ES256, RS256, EdDSA] = await Promise.all([
    makeKey("ES256"),
    makeKey("RS256"),
    makeKey("EdDSA"),
  ]);
  return { ES256, RS256, EdDSA };
}

async function makeKey(alg: Algorithm): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const kid = crypto.randomUUID();
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

function metadataOf(issuer: string): object {
  return {
    ...{ issuer, jwks_uri: issuer + JWKS_PATH },
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: issuer + TOKEN_PATH,
    introspection_endpoint: issuer + INTROSPECTION_PATH,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256", "ES256", "EdDSA"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "none"],
    client_id_metadata_document_supported: true,
    scopes_supported: ["openid", "profile", "offline_access"],
  };
}

/** Independent of the package's own encoder. */
function basicOf({ clientId, clientSecret }: TestIssuer["credentials"]): string {
  const encode = (value: string) => encodeURIComponent(value).replaceAll("%20", "+");
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString("base64")}`;
}

function introspected(token: string): object {
  const [, payload = ""] = token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as JWTPayload;
  const { iss, sub, aud, client_id, scope, domain, domain_since, exp, iat } = claims;
  const known = { iss, sub, aud, client_id, scope, domain, domain_since, exp, iat };
  return { active: true, ...known, token_type: "bearer" };
}
