// Access tokens (RFC 6750): the checks of a request's token, and the endpoints that accept one.

import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { json } from "../http/responses.ts";
import { isOver } from "../lib/lifetime.ts";
import { ACCESS_TOKEN_LIFETIME_S } from "../store/shared-values.ts";
import { subjectOf } from "./client.ts";
import type { Deps, SigningDeps } from "./deps.ts";
import { BearerError, ClientDocumentError, readUniqueForm } from "./errors.ts";
import { readEvidence } from "./evidence.ts";
import { readAccessToken, scopesOf } from "./grant-token.ts";
import { profileClaims } from "./scopes.ts";
import { validationData } from "./validation-data.ts";

type AccessDeps = Pick<Deps, "grants" | "clients" | "keyring" | "clock">;

export function createResourceEndpoints(deps: AccessDeps & SigningDeps & Pick<Deps, "evidences">) {
  return { userinfoEndpoint, validationDataEndpoint };

  /** GET and POST /oauth/userinfo (OIDC Core §5.3). */
  async function userinfoEndpoint(http: HttpRequest): Promise<HttpResponse> {
    const { grant, account, client, scopeMask } = await liveAccess(http, deps);
    const scopes = scopesOf(grant, scopeMask);
    if (!scopes.includes("openid")) {
      throw new BearerError(403, "insufficient_scope", "the access token lacks the openid scope");
    }
    const { domain, createdAt } = account;
    return json(200, {
      ...{ sub: subjectOf(client, account), domain, domain_since: createdAt },
      ...(scopes.includes("profile") && profileClaims(domain)),
    });
  }

  /**
   * GET /oauth/validation_data, for client libraries that drop unknown members of a token response.
   * No scope is required, because the token response contains the same data.
   */
  async function validationDataEndpoint(http: HttpRequest): Promise<HttpResponse> {
    const { accessToken, grant, client } = await liveAccess(http, deps);
    const evidence = client.validation_data
      ? await readEvidence(deps.evidences, grant.id, deps.clock.seconds())
      : null;
    if (evidence === null) {
      const description = "validation_data is not available for this grant or has expired";
      return json(404, { error: "not_found", error_description: description });
    }
    // The redemption has removed the nonce, unless a node of an earlier version did it.
    const { nonce = grant.nonce } = evidence;
    const issued = { grant: { ...grant, nonce }, client, accessToken };
    return json(200, validationData({ evidence, ...issued }, deps));
  }
}

/**
 * The grant, account and client of the access token, and the mask of its scopes. Throws `BearerError`:
 * 401 if the token is missing, invalid, expired or revoked, its client is removed, or its account is
 * asleep or has ended; 400 for a malformed header or form, or a token in both.
 */
export async function liveAccess(
  http: HttpRequest,
  { grants, clients, keyring, clock }: AccessDeps,
) {
  const accessToken = await sentToken(http);
  const token = await readAccessToken(keyring, accessToken, clock.seconds());
  if (token === null) throw invalid();
  const { expiresAt: end } = token;
  if (isOver({ since: end - ACCESS_TOKEN_LIFETIME_S, end }, clock)) throw invalid();
  const found = await grants.readGrant(token.grantId);
  if (found === null || found.grant.revokedAt !== null) throw invalid();
  const { grant, account } = found;
  // A removed client may stay in the cache for a few seconds.
  const client = await clients.find(grant.clientId).catch(nullIfBadDocument);
  if (client === null) throw invalid();
  if (account.endedAt !== null || account.asleepSince !== null) throw invalid();
  return { accessToken, scopeMask: token.scopeMask, grant, account, client };
}

/** A client with a bad document no longer exists. One that is unreachable may still exist. */
function nullIfBadDocument(error: unknown): null {
  if (error instanceof ClientDocumentError && error.kind === "bad") return null;
  throw error;
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
    throw new BearerError(401, undefined, "the access token is missing");
  }
  if (inForm !== undefined) {
    throw badRequest("access_token was sent in both the Authorization header and the form");
  }
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
