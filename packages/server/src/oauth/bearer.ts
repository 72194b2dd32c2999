// Reads and checks the access token of a request (RFC 6750).

import { FormError, readForm } from "../http/form.ts";
import type { HttpRequest } from "../http/message.ts";
import type { Account } from "../store/accounts.ts";
import type { Grant } from "../store/grants.ts";
import type { Client } from "./client.ts";
import type { Deps } from "./deps.ts";
import { BearerError, printable } from "./errors.ts";
import { readAccessToken } from "./grant-token.ts";
import { ClientDocumentError } from "./remote-json.ts";

interface LiveAccess {
  readonly accessToken: string;
  /** Selects the scopes of the grant; see `scopesOf`. */
  readonly scopeMask: number;
  readonly grant: Grant;
  readonly account: Account;
  readonly client: Client;
}

/**
 * The grant, account and client of the access token. Throws `BearerError`: 401 if the token is
 * missing, invalid, expired or revoked, its client is removed, or its account is asleep or has ended;
 * 400 for a malformed header or form, or a token in both.
 */
export async function liveAccess(
  http: HttpRequest,
  { grants, clients, keyring, clock }: Pick<Deps, "grants" | "clients" | "keyring" | "clock">,
): Promise<LiveAccess> {
  const accessToken = await sentToken(http);
  const token = await readAccessToken(keyring, accessToken);
  if (token === null || token.expiresAt <= clock.seconds()) throw invalid();
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
  const readsForm = header === null ? hasBody(http) : isForm(http);
  const inForm = http.method === "POST" && readsForm ? await tokenInForm(http) : undefined;
  if (inForm === undefined) return readBearer(header);
  if (header === null) return inForm;
  throw badRequest("the access token was sent in both the Authorization header and the form");
}

function hasBody(http: HttpRequest): boolean {
  const headers = [http.header("content-type"), http.header("transfer-encoding")];
  return headers.some((value) => value !== null) || (http.header("content-length") ?? "0") !== "0";
}

function isForm(http: HttpRequest): boolean {
  const type = http.header("content-type")?.trim().toLowerCase();
  return type?.startsWith("application/x-www-form-urlencoded") === true;
}

async function tokenInForm(http: HttpRequest): Promise<string | undefined> {
  try {
    const { values, repeated } = await readForm(http);
    const [duplicate] = repeated;
    if (duplicate === undefined) return values.get("access_token");
    throw new FormError(`duplicate parameter: ${printable(duplicate)}`);
  } catch (error) {
    if (error instanceof FormError) throw badRequest(error.message);
    throw error;
  }
}

/** RFC 6750 §2.1. */
function readBearer(authorization: string | null): string {
  if (authorization === null) {
    throw new BearerError(401, undefined, "the access token is missing");
  }
  const [, token] = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization) ?? [];
  if (token !== undefined) return token;
  throw badRequest("the Authorization header must contain exactly one Bearer token");
}

function badRequest(description: string): BearerError {
  return new BearerError(400, "invalid_request", description);
}

function invalid(): BearerError {
  return new BearerError(401, "invalid_token", "the access token is invalid, expired or revoked");
}
