// Parses client metadata documents (draft-ietf-oauth-client-id-metadata-document).

import type { JSONWebKeySet } from "jose";
import { z } from "zod";
import { ASSERTION_ALGORITHMS, type Client } from "./client.ts";
import { CLIENT_DEFAULTS } from "./client-registration.ts";
import { ClientDocumentError } from "./errors.ts";
import { logoutUriProblem, redirectUriProblem, registrationProblem } from "./redirect-target.ts";
import { chooseScopes, spaceSeparated } from "./scopes.ts";

/** Private members of a JWK (RFC 7518 §6). */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

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

const listWith = (required: string) =>
  z
    .array(z.string())
    .max(20)
    .refine((list) => list.includes(required), `must include ${required}`)
    .optional();

const absent = z.undefined({ error: "must not be present: the document is public" }).optional();

const document = z.object({
  client_id: z.string(),
  client_name: z
    .string()
    .trim()
    .max(100, "is longer than 100 characters")
    .regex(/^\P{C}*$/u, "contains a control character")
    .optional(),
  application_type: z.enum(["web", "native"]).default(CLIENT_DEFAULTS.application_type),
  redirect_uris: z.array(z.string()).min(1, "must contain at least one entry").max(50),
  post_logout_redirect_uris: z.array(z.string()).max(50).default([]),
  backchannel_logout_uri: z.string().default(""),
  owner_proof: z.enum(["none", "when_available", "required"]).default(CLIENT_DEFAULTS.owner_proof),
  grant_types: listWith("authorization_code"),
  response_types: listWith("code"),
  token_endpoint_auth_method: z.enum(["none", "private_key_jwt"]).default("none"),
  token_endpoint_auth_signing_alg: z.enum(ASSERTION_ALGORITHMS).optional(),
  client_secret: absent,
  client_secret_expires_at: absent,
  jwks: keySet.optional(),
  jwks_uri: z.string().optional(),
  scope: z.string().max(1000).default("openid"),
  issuer: z.string().optional(),
  id_token_signed_response_alg: z.enum(["RS256", "ES256", "EdDSA"]).default("RS256"),
});

type Document = z.infer<typeof document>;

/** The client that the document at `url` describes. Throws `ClientDocumentError`. */
export function readClientDocument(body: unknown, url: string): Client {
  const read = parsed(document, body, url);
  const problem = problemOf(read, url);
  const { host } = new URL(url);
  if (problem !== null) throw new ClientDocumentError("bad", host, problem);
  return toClient(read, host);
}

/** The keys at a client's `jwks_uri`. Throws `ClientDocumentError`. */
export function readClientKeys(body: unknown, url: string): JSONWebKeySet {
  return parsed(keySet, body, url);
}

function parsed<T>(schema: z.ZodType<T>, body: unknown, url: string): T {
  const { success, data, error } = schema.safeParse(body, { error: messageOf });
  if (success) return data;
  const [issue] = error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "document" : issue.path.join(".");
  throw new ClientDocumentError("bad", new URL(url).host, `${where}: ${issue?.message}`);
}

/** Replaces zod's messages about missing members and wrong types. */
function messageOf({ code, input, expected }: z.core.$ZodRawIssue): string | undefined {
  if (code !== "invalid_type") return undefined;
  return input === undefined ? "is missing" : `must be of type ${expected}`;
}

/** Checks that involve several members. Returns the first problem or null. */
function problemOf(read: Document, url: string): string | null {
  const { origin } = new URL(url);
  const { jwks, jwks_uri, issuer, application_type: type } = read;
  if (read.client_id !== url) return "client_id: does not match the URL of this document";
  const lists = [
    ["redirect_uris", "response"],
    ["post_logout_redirect_uris", "logout"],
  ] as const;
  for (const [name, kind] of lists) {
    for (const [index, uri] of read[name].entries()) {
      const problem =
        redirectUriProblem(uri, type) ??
        originProblem(uri, origin, type) ??
        registrationProblem(uri, kind);
      if (problem !== null) return `${name}.${index}: ${problem}`;
    }
  }
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
  return null;
}

/** The author of a document controls only its origin and, for native apps, the user's device. */
function originProblem(uri: string, origin: string, type: Document["application_type"]) {
  if (new URL(uri).origin === origin) return null;
  if (type !== "native") return "must have the same origin as client_id";
  if (uri.startsWith("http://")) return null;
  return "must have the same origin as client_id or be a loopback URI";
}

function isAt(origin: string, text: string): boolean {
  return URL.canParse(text) && text.startsWith(origin) && new URL(text).origin === origin;
}

function toClient(read: Document, host: string): Client {
  const { client_name, grant_types: _, response_types: __, scope, ...settings } = read;
  const { granted } = chooseScopes(spaceSeparated(scope), CLIENT_DEFAULTS);
  return {
    ...CLIENT_DEFAULTS,
    ...settings,
    document: true,
    secrets: [],
    // Anyone can choose any name, so the host comes first.
    name: client_name && !client_name.includes(host) ? `${host} (${client_name})` : host,
    type: settings.token_endpoint_auth_method === "none" ? "public" : "confidential",
    // Its author decides what it is granted with each request, and the user consents to that.
    scope: CLIENT_DEFAULTS.scope,
    default_scope: granted.join(" ") || "openid",
    consent: "always",
    require_pkce: true,
    // A service forwards the provider statement for its app and needs no validation_data itself.
    validation_data: settings.issuer === undefined,
  };
}
