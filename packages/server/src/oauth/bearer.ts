// The access token that a request bears (RFC 6750), and the live grant that it is of.

import { FormError, readForm } from "../http/form.ts";
import type { HttpRequest } from "../http/message.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import type { Account } from "../store/accounts.ts";
import type { Grant, GrantStore } from "../store/grants.ts";
import type { Client, Clients } from "./client.ts";
import { BearerError, shown } from "./errors.ts";
import { readAccessToken } from "./grant-token.ts";
import { ClientDocumentError } from "./remote-json.ts";

export interface LiveAccess {
  readonly accessToken: string;
  /** Which scopes of the grant's list it is for. */
  readonly scopeMask: number;
  readonly grant: Grant;
  readonly account: Account;
  readonly client: Client;
}

/**
 * Throws `BearerError`: 401 without a token, for one that is unknown, expired or revoked, and for
 * one of a removed client or of an account that sleeps or has ended; 400 for another kind of header,
 * a form that cannot be read, and a token sent in both.
 */
export async function liveAccess(
  http: HttpRequest,
  {
    store,
    clients,
    keyring,
    clock,
  }: {
    readonly store: GrantStore;
    readonly clients: Clients;
    readonly keyring: Keyring;
    readonly clock: Clock;
  },
): Promise<LiveAccess> {
  const accessToken = await sentToken(http);
  const token = await readAccessToken(keyring, accessToken);
  if (token === null || token.expiresAt <= clock.seconds()) throw invalid();
  const found = await store.readGrant(token.grantId);
  if (found === null || found.grant.revokedAt !== null) throw invalid();
  const { grant, account } = found;
  // A client that was removed a moment ago may still be remembered, but not for long.
  const client = await clients.find(grant.clientId).catch(noClient);
  if (client === null) throw invalid();
  if (account.endedAt !== null || account.asleepSince !== null) throw invalid();
  return { accessToken, scopeMask: token.scopeMask, grant, account, client };
}

/** One that has put something else into its document is gone; of one that cannot be reached nothing is known. */
function noClient(error: unknown): null {
  if (error instanceof ClientDocumentError && error.kind === "bad") return null;
  throw error;
}

/** In the header, or in the form of a POST (RFC 6750 §2.2): in one of them (§2). */
async function sentToken(http: HttpRequest): Promise<string> {
  const header = http.header("authorization");
  // Beside the header a body of another kind says nothing.
  const mayHold = header === null ? hasBody(http) : isForm(http);
  const inForm = http.method === "POST" && mayHold ? await tokenInForm(http) : undefined;
  if (inForm === undefined) return readBearer(header);
  if (header === null) return inForm;
  throw badRequest("the access token was sent in both the Authorization header and the form");
}

function hasBody(http: HttpRequest): boolean {
  const marks = [http.header("content-type"), http.header("transfer-encoding")];
  return marks.some((mark) => mark !== null) || (http.header("content-length") ?? "0") !== "0";
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
    throw new FormError(`duplicate parameter: ${shown(duplicate)}`);
  } catch (error) {
    if (error instanceof FormError) throw badRequest(error.message);
    throw error;
  }
}

/** RFC 6750 §2.1. */
function readBearer(authorization: string | null): string {
  if (authorization === null) {
    throw new BearerError(
      401,
      undefined,
      "the access token is missing: send it as Authorization: Bearer",
    );
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
