// Access tokens (RFC 6750): the checks of a request's token, and the endpoints that accept one.

import { subjectOf } from "../clients/client.ts";
import { profileClaims } from "../clients/scopes.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { json } from "../http/responses.ts";
import type { Clock } from "../lib/clock.ts";
import type { EvidenceStore } from "../store/evidence.ts";
import type { AccessTokens } from "./access-tokens.ts";
import { readEvidence } from "./control-evidence.ts";
import { BearerError, readUniqueForm } from "./protocol-errors.ts";
import type { Statements } from "./statements.ts";

interface Deps {
  readonly issuer: string;
  readonly accessTokens: AccessTokens;
  readonly statements: Statements;
  readonly evidences: EvidenceStore;
  readonly clock: Clock;
}

export function createResourceEndpoints(deps: Deps) {
  const { issuer, accessTokens, statements, evidences, clock } = deps;
  return { userinfoEndpoint, validationDataEndpoint };

  /** GET and POST /oauth/userinfo (OIDC Core §5.3). */
  async function userinfoEndpoint(http: HttpRequest): Promise<HttpResponse> {
    const { account, client, scopes, resource, isForUserinfo } = await liveAccess(
      http,
      accessTokens,
    );
    if (!isForUserinfo) throw invalid();
    if (!scopes.includes("openid")) {
      throw new BearerError(403, "insufficient_scope", "the access token lacks the openid scope");
    }
    const { domain, createdAt } = account;
    return json(200, {
      sub: subjectOf(client, account),
      domain,
      domain_since: createdAt,
      ...(scopes.includes("profile") && profileClaims(domain)),
      // Tells an API for whom the token was issued. Client libraries merge the response into the claims of the ID
      // token, whose `aud` must not change for clients that request no resource.
      ...(resource !== null && { aud: [resource.uri, issuer] }),
      client_id: client.client_id,
    });
  }

  /**
   * GET /oauth/validation_data, for client libraries that drop unknown members of a token response.
   * No scope is required, because the token response contains the same data.
   */
  async function validationDataEndpoint(http: HttpRequest): Promise<HttpResponse> {
    const { accessToken, grant, client, resource } = await liveAccess(http, accessTokens);
    // A token for a resource is accepted only at userinfo.
    if (resource !== null) throw invalid();
    const evidence = client.validation_data
      ? await readEvidence(evidences, grant.id, clock.seconds())
      : null;
    if (evidence === null) {
      const description = "validation_data is not available for this grant or has expired";
      return json(404, { error: "not_found", error_description: description });
    }
    const issued = { grant: { ...grant, nonce: evidence.nonce }, client, accessToken };
    return json(200, statements.validationData({ evidence, ...issued }));
  }
}

/** Throws `BearerError`: 401 without a live token; 400 for a malformed request, or two tokens. */
export async function liveAccess(http: HttpRequest, { findLive }: AccessTokens) {
  const accessToken = await sentToken(http);
  const live = await findLive(accessToken);
  if (live === null) throw invalid();
  return Object.assign(live, { accessToken });
}

/** Reads the token from the header or the form of a POST (RFC 6750 §2.2), but not from both (§2). */
async function sentToken(http: HttpRequest): Promise<string> {
  const header = http.header("authorization");
  // With a header, a body that is not a form is ignored.
  const readsForm = http.method === "POST" && (header === null ? hasBody(http) : isForm(http));
  const values = readsForm ? await readUniqueForm(http, badRequest) : null;
  const inForm = values?.get("access_token");
  if (header === null) {
    if (inForm !== undefined) return inForm;
  } else if (inForm !== undefined) {
    throw badRequest("access_token was sent in both the Authorization header and the form");
  }
  return readBearer(header);
}

/** The token in the Authorization header. Throws `BearerError` if there is none. */
export function readBearer(header: string | null): string {
  if (header === null) throw new BearerError(401, undefined, "the access token is missing");
  const [, token] = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header) ?? [];
  if (token !== undefined) return token;
  throw badRequest("the Authorization header must contain exactly one Bearer token");
}

function hasBody(http: HttpRequest): boolean {
  const headers = [http.header("content-type"), http.header("transfer-encoding")];
  return headers.some((value) => value !== null) || (http.header("content-length") ?? "0") !== "0";
}

function isForm(http: HttpRequest): boolean {
  const type = http.header("content-type")?.trim().toLowerCase();
  return type?.startsWith("application/x-www-form-urlencoded") === true;
}

function badRequest(description: string): BearerError {
  return new BearerError(400, "invalid_request", description);
}

function invalid(): BearerError {
  return new BearerError(401, "invalid_token", "the access token is invalid, expired or revoked");
}
