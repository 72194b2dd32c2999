// Decides about a request: it gets the metadata document, a refusal, or passes with its access token.

import type { AccessToken } from "./access-token.ts";
import { AccessTokenError } from "./errors.ts";
import type { ResourceMetadata } from "./metadata.ts";

/** What is needed of a request, whatever the framework. */
export interface GateRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** The Authorization headers, joined by commas if there are several. */
  readonly authorization: string | null | undefined;
}

/** A response in plain values. */
export interface GateResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type GateDecision =
  | { readonly outcome: "pass"; readonly auth: AccessToken }
  | { readonly outcome: "respond"; readonly response: GateResponse };

export type Gate = (
  request: GateRequest,
  requiredScopes: readonly string[],
) => Promise<GateDecision>;

/** RFC 6750 §2.1. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;
const JSON_TYPE = { "content-type": "application/json" };
const METADATA_MAX_AGE_S = 300;
const RETRY_AFTER_S = 5;

export function createGate(deps: {
  metadata: ResourceMetadata;
  metadataUrl: URL;
  verify: (token: string, requiredScopes: readonly string[]) => Promise<AccessToken>;
}): Gate {
  const { metadata, metadataUrl, verify } = deps;
  const metadataTarget = metadataUrl.pathname + metadataUrl.search;
  const document = JSON.stringify(metadata);

  return async ({ method, target, authorization }, requiredScopes) => {
    if (target === metadataTarget) return respond(serveDocument(document, method));
    // No token, or a scheme that is not supported: no error code (RFC 6750 §3.1).
    if (!/^bearer(?: |$)/i.test(authorization ?? ""))
      return respond(refuse(401, challenge(metadataUrl, requiredScopes)));
    try {
      const [, token] = BEARER.exec(authorization ?? "") ?? [];
      if (token === undefined)
        throw new AccessTokenError("invalid_request", "The Authorization header is malformed");
      return { outcome: "pass", auth: await verify(token, requiredScopes) };
    } catch (error) {
      if (!(error instanceof AccessTokenError)) throw error;
      return respond(describe(error, metadataUrl, requiredScopes));
    }
  };
}

function respond(response: GateResponse): GateDecision {
  return { outcome: "respond", response };
}

/** Any page may read it, since it is public: clients that run in a browser need it. */
function serveDocument(document: string, method: string): GateResponse {
  const cors = { "access-control-allow-origin": "*" };
  if (method === "GET" || method === "HEAD") {
    const cache = { "cache-control": `public, max-age=${METADATA_MAX_AGE_S}` };
    const body = method === "HEAD" ? "" : document;
    return { status: 200, headers: { ...cors, ...cache, ...JSON_TYPE }, body };
  }
  const preflight = {
    "access-control-allow-methods": "GET, HEAD",
    "access-control-allow-headers": "*",
  };
  if (method === "OPTIONS") return { status: 204, headers: { ...cors, ...preflight }, body: "" };
  return { status: 405, headers: { ...cors, allow: "GET, HEAD, OPTIONS" }, body: "" };
}

function describe(error: AccessTokenError, metadataUrl: URL, scopes: readonly string[]) {
  const { code, message, status } = error;
  const body = JSON.stringify({ error: code, error_description: message });
  if (code === "temporarily_unavailable")
    return refuse(status, { "retry-after": String(RETRY_AFTER_S) }, body);
  const detail = `, error="${code}", error_description="${message}"`;
  return refuse(status, challenge(metadataUrl, scopes, detail), body);
}

/** RFC 6750 §3 and RFC 9728 §5.1. The scopes are what the client should ask for. */
function challenge(metadataUrl: URL, scopes: readonly string[], detail = "") {
  const scope = scopes.length === 0 ? "" : `, scope="${scopes.join(" ")}"`;
  return { "www-authenticate": `Bearer resource_metadata="${metadataUrl}"${detail}${scope}` };
}

function refuse(status: number, headers: Record<string, string>, body = ""): GateResponse {
  const type = body === "" ? {} : JSON_TYPE;
  return { status, headers: { ...headers, ...type, "cache-control": "no-store" }, body };
}
