// An OpenID Provider on loopback that does all as it should, but for what a test bends.

import { createHash, type KeyObject, randomBytes, scryptSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { SignJWT } from "jose";
import { makeKeyPair } from "./key-pair.ts";

export type Json = Record<string, unknown>;
export type SpPath = "metadata" | "oauth-metadata" | "authorize" | "token" | "jwks" | "register";

/** What one answers with; without it the request waits until the SP is closed. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Null is silence. */
export type Replying = (request: SpRequest) => Reply | null | Promise<Reply | null>;

/** What is bent of an SP; a test may change it between two requests. */
export interface Bends {
  metadata?: (metadata: Json) => Json;
  /** The whole answer of a path. */
  reply?: Partial<Record<SpPath, Replying>> | undefined;
  /** Where the browser is sent back to. */
  callback?: ((to: URL, request: SpRequest) => URL | undefined) | undefined;
  claims?: (claims: Json) => Json;
  /** The ID token; `sign` makes the right one of any claims and header. */
  idToken?: (claims: Json, sign: Sign) => string | Promise<string>;
  tokens?: (body: Json) => Json;
  keys?: (keys: Json[]) => unknown;
}

export type Sign = (claims: Json, header?: Json) => Promise<string>;

export interface SpRequest {
  readonly method: string;
  readonly path: SpPath | "other";
  readonly url: URL;
  readonly form: URLSearchParams;
  /** Of a registration. */
  readonly json: Json;
  readonly authorization: string | undefined;
}

export interface BentSp {
  readonly issuer: string;
  readonly host: string;
  readonly bends: Bends;
  /** All that came, oldest first. */
  readonly requests: readonly SpRequest[];
  /** Codes, tokens, states, nonces, verifiers: what neither a log nor a page may hold. */
  readonly secrets: readonly string[];
  asked(path: SpRequest["path"]): readonly SpRequest[];
  /** The `acct` of its one account for the domain, as a record has it. */
  acct(domain: string, sub?: string): string;
  /** Ends all connections, whatever is waited for on them. */
  hangUp(): void;
  close(): Promise<void>;
}

export const SP_SUB = "alice at the SP";
const PATHS: Readonly<Record<string, SpPath>> = {
  "/.well-known/openid-configuration": "metadata",
  "/.well-known/oauth-authorization-server": "oauth-metadata",
  ...{ "/authorize": "authorize", "/token": "token", "/jwks": "jwks", "/register": "register" },
};

/** One for all SPs of a file: keys cost time to make. */
const { privateKey, publicKey } = makeKeyPair("ec");
export const SP_KEY: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } = {
  privateKey,
  publicKey,
};
export const SP_KID = "the-sp's-key";

export function publicJwk(key: KeyObject = publicKey, kid: string = SP_KID): Json {
  return { ...key.export({ format: "jwk" }), kid, use: "sig", alg: "ES256" };
}

export const signedBySp: Sign = (claims, header = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: SP_KID, ...header }).sign(privateKey);

/** The owner's statement of an account at a provider that knows nothing of domains, in the form without a salt. */
export function hashedAcct(issuer: string, sub: string, domain: string): string {
  return createHash("sha256").update(`${issuer}\n${sub}\n${domain}`).digest("base64url");
}

/** Whether `acct` is such a statement in the form with a salt. */
export function isSaltedAcct(acct: string, issuer: string, sub: string, domain: string): boolean {
  const salt = Buffer.from(acct, "base64url").subarray(0, 16);
  const cost = { N: 16384, r: 8, p: 1 };
  const hash = scryptSync(`${issuer}\n${sub}\n${domain}`, salt, 32, cost);
  return acct === Buffer.concat([salt, hash]).toString("base64url");
}

/** `path` is that of the issuer; `now` is its clock, in epoch seconds. */
export async function startBentSp(
  bends: Bends = {},
  { path = "", now = () => Math.floor(Date.now() / 1000) } = {},
): Promise<BentSp> {
  const requests: SpRequest[] = [];
  const secrets: string[] = [];
  const sockets = new Set<Socket>();
  const codes = new Map<string, URLSearchParams>();
  const server = createServer((incoming, outgoing) => {
    void take(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("no port was opened");
  const host = `localhost:${bound.port}`;
  const issuer = `http://${host}${path}`;

  async function take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await readRequest(incoming, `http://${host}`, path);
    requests.push(request);
    note(request.url.searchParams);
    note(request.form);
    const bent = request.path === "other" ? undefined : bends.reply?.[request.path];
    const reply = bent ? await bent(request) : await rightReply(request);
    if (reply !== null) send(outgoing, reply);
  }

  function note(parameters: URLSearchParams): void {
    for (const name of ["state", "nonce", "code", "code_verifier", "client_secret"]) {
      const value = parameters.get(name);
      if (value !== null && value.length >= 16) secrets.push(value);
    }
  }

  async function rightReply(request: SpRequest): Promise<Reply> {
    switch (request.path) {
      case "metadata":
        return { body: bends.metadata?.(metadataOf(issuer)) ?? metadataOf(issuer) };
      case "authorize":
        return authorize(request);
      case "token":
        return redeem(request);
      case "jwks":
        return { body: { keys: bends.keys?.([publicJwk()]) ?? [publicJwk()] } };
      case "register":
        return { status: 201, body: registration(request.json) };
      default:
        return { status: 404, body: { error: "not_found" } };
    }
  }

  function authorize(request: SpRequest): Reply {
    const { searchParams: asked } = request.url;
    const code = `a code of the SP ${randomBytes(24).toString("base64url")}`;
    secrets.push(code);
    codes.set(code, asked);
    const to = new URL(asked.get("redirect_uri") ?? "");
    to.searchParams.set("code", code);
    to.searchParams.set("state", asked.get("state") ?? "");
    to.searchParams.set("iss", issuer);
    return { status: 303, headers: { location: (bends.callback?.(to, request) ?? to).href } };
  }

  async function redeem({ form, authorization }: SpRequest): Promise<Reply> {
    const asked = codes.get(form.get("code") ?? "");
    const refused = (error: string): Reply => ({ status: 400, body: { error } });
    const basic = Buffer.from(authorization?.split(" ")[1] ?? "", "base64").toString();
    const clientId = form.get("client_id") ?? decodeURIComponent(basic.split(":")[0] ?? "");
    if (asked === undefined || asked.get("client_id") !== clientId) return refused("invalid_grant");
    codes.delete(form.get("code") ?? "");
    const verifier = createHash("sha256").update(form.get("code_verifier") ?? "");
    const isRight =
      verifier.digest("base64url") === asked.get("code_challenge") &&
      asked.get("redirect_uri") === form.get("redirect_uri");
    if (!isRight) return refused("invalid_grant");
    const iat = now();
    const right: Json = {
      ...{ iss: issuer, sub: SP_SUB, aud: clientId, nonce: asked.get("nonce") },
      ...{ iat, exp: iat + 600, auth_time: iat },
    };
    const claims = bends.claims?.(right) ?? right;
    const id_token = await (bends.idToken?.(claims, signedBySp) ?? signedBySp(claims));
    const access_token = `an access token ${randomBytes(24).toString("base64url")}`;
    secrets.push(id_token, access_token);
    const body = { access_token, token_type: "Bearer", expires_in: 600, id_token };
    return { body: bends.tokens?.(body) ?? body };
  }

  function registration(asked: Json): Json {
    const client_secret = randomBytes(32).toString("base64url");
    secrets.push(client_secret);
    const client_id = `client-${randomBytes(9).toString("hex")}`;
    return { ...asked, client_id, client_secret, client_secret_expires_at: 0 };
  }

  function hangUp(): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    ...{ issuer, host, bends, requests, secrets },
    asked: (wanted) => requests.filter(({ path: came }) => came === wanted),
    acct: (domain, sub = SP_SUB) => hashedAcct(issuer, sub, domain),
    hangUp,
    async close() {
      hangUp();
      server.close();
      await once(server, "close");
    },
  };
}

/** A provider as it must be that takes clients by their documents. */
export function metadataOf(issuer: string): Json {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256", "ES256"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/** Bends the metadata so that we have to register, and get a secret. */
export function withRegistration(metadata: Json): Json {
  return {
    ...metadata,
    registration_endpoint: `${metadata.issuer}/register`,
    token_endpoint_auth_methods_supported: ["client_secret_basic"],
    client_id_metadata_document_supported: false,
    id_token_signing_alg_values_supported: ["ES256"],
  };
}

/** The answer to a registration, with members that differ. */
export const registering =
  (members: Json = {}): Replying =>
  ({ json }) => ({
    status: 201,
    body: {
      ...{ ...json, client_id: "a", client_secret: "b".repeat(40), client_secret_expires_at: 0 },
      ...members,
    },
  });

export const jsonType = { "content-type": "application/json" };
export const html = { "content-type": "text/html" };

/** Metadata that declares that the SP proves domains. */
export const provingDomains = (metadata: Json): Json => ({ ...metadata, domain_signin_version: 1 });

/** Metadata with the authentication of clients by a key alone. */
export const withKeys = (metadata: Json): Json => ({
  ...metadata,
  token_endpoint_auth_methods_supported: ["private_key_jwt"],
});

async function readRequest(
  incoming: IncomingMessage,
  origin: string,
  at: string,
): Promise<SpRequest> {
  let body = "";
  for await (const chunk of incoming.setEncoding("utf8")) body += chunk;
  const url = new URL(incoming.url ?? "", origin);
  const isJson = incoming.headers["content-type"]?.startsWith("application/json") ?? false;
  return {
    method: incoming.method ?? "",
    path: PATHS[url.pathname.replace(at, "")] ?? "other",
    url,
    form: new URLSearchParams(isJson ? "" : body),
    json: isJson ? JSON.parse(body) : {},
    authorization: incoming.headers.authorization,
  };
}

function send(outgoing: ServerResponse, { status = 200, headers = {}, body = "" }: Reply): void {
  const isText = typeof body === "string";
  const type = isText ? "text/html" : "application/json";
  outgoing.writeHead(status, { "content-type": type, ...headers });
  outgoing.end(isText ? body : JSON.stringify(body));
}
