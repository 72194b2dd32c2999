// Parses the metadata documents of clients (draft-ietf-oauth-client-id-metadata-document) and of APIs (RFC 9728).

import type { JSONWebKeySet } from "jose";
import { z } from "zod";
import { ASSERTION_ALGORITHMS, type Client, nameBehind } from "./client.ts";
import { ClientDocumentError } from "./client-errors.ts";
import {
  applicationTypeOf,
  checkUris,
  clientMetadata,
  messageOf,
  mistakeOf,
  selfRegistered,
} from "./client-metadata.ts";
import { CLIENT_DEFAULTS } from "./client-registration.ts";
import { isClaimableByAnyone, logoutUriProblem } from "./redirect-target.ts";
import { metadataUrl } from "./resource.ts";

/** Private members of a JWK (RFC 7518 §6). */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** More scopes of a resource are of no use: a request names a few of them. */
const MAX_SCOPES = 200;
const MAX_SCOPE_CHARS = 64;

const text = z.string().optional();

/** Other members are dropped, because 64 KiB of JSON can become a megabyte of objects. */
const publicKey = z.object({
  kty: z.string(),
  kid: text,
  use: text,
  alg: text,
  crv: text,
  x: text,
  y: text,
  n: text,
  e: text,
  key_ops: z.array(z.string()).max(20).optional(),
});

const keySet = z
  .object({
    keys: z
      .array(
        z
          .looseObject({ kty: z.string() })
          .refine(({ kty }) => kty !== "oct", "must be a public key, not a shared secret")
          .refine((key) => !PRIVATE_MEMBERS.some((name) => name in key), "contains a private key")
          .pipe(publicKey),
      )
      .min(1, "is empty")
      .max(20),
  })
  // The other members of a key are validated when it is used.
  .transform((set) => set as JSONWebKeySet);

const absent = z.undefined({ error: "must not be present: the document is public" }).optional();

const document = z.object({
  ...clientMetadata,
  client_id: z.string(),
  token_endpoint_auth_method: z.enum(["none", "private_key_jwt"]).default("none"),
  token_endpoint_auth_signing_alg: z.enum(ASSERTION_ALGORITHMS).optional(),
  client_secret: absent,
  client_secret_expires_at: absent,
  jwks: keySet.optional(),
  jwks_uri: z.string().optional(),
  issuer: z.string().optional(),
});

type Document = z.infer<typeof document>;

const resourceDocument = z.object({
  resource: z.string({ error: "is missing" }),
  authorization_servers: z
    .array(z.string(), { error: "must be a list of issuers" })
    .max(100, "has more than 100 entries"),
  scopes_supported: z.array(z.string(), { error: "must be a list of scopes" }).default([]),
});

export interface ResourceDocument {
  readonly resource: string;
  /** May still contain scopes of the service or of registered resources. */
  readonly scopes: readonly string[];
}

/** The client that the document at `url` describes. Throws `ClientDocumentError`. */
export function readClientDocument(body: unknown, url: string): Client {
  const read = parsed(document, body, url);
  const { host, origin } = new URL(url);
  const type = read.application_type ?? applicationTypeOf(read.redirect_uris);
  const uris = checkUris(read, type, (uri) => originProblem(uri, origin, type));
  // A redirect URI that cannot be used is refused in requests. The others remain usable.
  const [unusable] = uris.redirect_uris.length === 0 ? uris.refused.values() : [];
  const problem = problemOf(read, url) ?? unusable;
  if (problem !== undefined) throw new ClientDocumentError("bad", host, problem);
  const { client_name, grant_types: _, response_types: __, scope, ...settings } = read;
  const { refused, ...usable } = uris;
  return {
    ...CLIENT_DEFAULTS,
    ...settings,
    ...usable,
    ...selfRegistered(scope),
    document: true,
    application_type: type,
    secrets: [],
    name: nameBehind(host, client_name),
    type: read.token_endpoint_auth_method === "none" ? "public" : "confidential",
    refused_uris: refused,
    // A service forwards the provider statement for its app and needs no validation_data itself.
    validation_data: read.issuer === undefined,
  };
}

/** The keys at a client's `jwks_uri`. Throws `ClientDocumentError`. */
export function readClientKeys(body: unknown, url: string): JSONWebKeySet {
  return parsed(keySet, body, url);
}

/** What the document at `url` says of an API. Throws `ClientDocumentError` unless it names the issuer. */
export function readResourceDocument(body: unknown, url: string, issuer: string): ResourceDocument {
  const { host } = new URL(url);
  const bad = (problem: string) => new ClientDocumentError("bad", host, problem);
  const { success, data, error } = resourceDocument.safeParse(body);
  if (!success) throw bad(mistakeOf(error, "document"));
  const { resource, authorization_servers: servers, scopes_supported: scopes } = data;
  // Also thrown for a value that is no URL, so that it is not remembered as long as good metadata.
  if (!URL.canParse(resource) || metadataUrl(resource) !== url) {
    throw bad(`resource: ${resource.slice(0, 100)} is not the resource at this address`);
  }
  if (!servers.includes(issuer)) throw bad(`authorization_servers: does not name ${issuer}`);
  return { resource, scopes: scopes.filter(isScopeOfDocument).slice(0, MAX_SCOPES) };
}

/** Shown to people as it is, so it must be short and cannot control the text around it. */
function isScopeOfDocument(name: string): boolean {
  return name.length <= MAX_SCOPE_CHARS && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name);
}

function parsed<T>(schema: z.ZodType<T>, body: unknown, url: string): T {
  const { success, data, error } = schema.safeParse(body, { error: messageOf });
  if (success) return data;
  throw new ClientDocumentError("bad", new URL(url).host, mistakeOf(error, "document"));
}

/** Checks that involve several members. Returns the first problem. */
function problemOf(read: Document, url: string): string | undefined {
  const { origin } = new URL(url);
  const { jwks, jwks_uri, issuer } = read;
  if (read.client_id !== url) return "client_id: does not match the URL of this document";
  const logoutProblem = logoutUriProblem(read.backchannel_logout_uri, [origin]);
  if (logoutProblem !== null) return `backchannel_logout_uri: ${logoutProblem}`;
  if (jwks_uri !== undefined && !isAt(origin, jwks_uri)) {
    return "jwks_uri: must have the same origin as client_id";
  }
  if (read.token_endpoint_auth_method === "private_key_jwt") {
    if (jwks === undefined && jwks_uri === undefined)
      return "jwks: private_key_jwt requires jwks or jwks_uri";
    if (jwks && jwks_uri !== undefined) return "jwks: cannot be combined with jwks_uri";
  }
  if (issuer !== undefined && !(isAt(origin, issuer) && !/[?#]/.test(issuer))) {
    return "issuer: must have the same origin as client_id, and no query or fragment";
  }
  return undefined;
}

/** The author of a document controls only its origin and, for native apps, the user's device. */
function originProblem(uri: string, origin: string, type: "web" | "native"): string | null {
  const isOfDevice = type === "native" && isClaimableByAnyone(uri);
  return isOfDevice || new URL(uri).origin === origin
    ? null
    : "must have the same origin as client_id";
}

function isAt(origin: string, text: string): boolean {
  return URL.canParse(text) && text.startsWith(origin) && new URL(text).origin === origin;
}
