// Parses and validates an authorization request: first the client and redirect_uri, then the rest.

import { FormError, type Parameters, parseParameters } from "../http/form.ts";
import { UntrustedRequestError } from "../interaction/page-error.ts";
import type { PendingRequest } from "../interaction/pending-request.ts";
import type { Client, Clients } from "./client.ts";
import {
  AuthorizationError,
  type AuthorizationErrorCode,
  printable,
  sanitizeDescription,
} from "./errors.ts";
import { isCodeChallenge } from "./pkce.ts";
import {
  hostOf,
  proveRedirectTarget,
  type RedirectTarget,
  responseUri,
} from "./redirect-target.ts";
import { readStatementFor, type StatementFor } from "./statement-for.ts";

/** An authorization request with validated parameters. */
export interface AuthorizationRequest extends PendingRequest {
  readonly client: Client;
  readonly target: RedirectTarget;
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  readonly loginHint: string | undefined;
  /** Only for a client with `issuer`: the app request that the owner statement is for. */
  readonly statementFor: StatementFor | null;
}

interface ReadDeps {
  readonly clients: Clients;
  readonly issuer: string;
  /** The address of the sender; undefined if the request is of an open interaction. */
  readonly requesterAddress?: string | undefined;
}

/** Limits `state` and `nonce`. */
const MAX_VALUE_BYTES = 2048;
const PROMPTS = new Set(["none", "login", "consent", "select_account"]);

/**
 * Throws `UntrustedRequestError` if the client or redirect_uri is invalid, `AuthorizationError` for
 * any other mistake, and what `clients.find` throws.
 */
export async function readAuthorizationRequest(
  query: string,
  deps: ReadDeps,
): Promise<AuthorizationRequest> {
  const parameters = readQuery(query);
  const { client, target } = await proveTarget(parameters, deps);
  return { query, ...checkParameters(parameters, client, target) };
}

function readQuery(query: string): Parameters {
  try {
    return parseParameters(query);
  } catch (error) {
    if (error instanceof FormError) throw new UntrustedRequestError("malformedRequest");
    throw error;
  }
}

async function proveTarget(
  { values, repeated }: Parameters,
  { clients, issuer, requesterAddress }: ReadDeps,
): Promise<{ client: Client; target: RedirectTarget }> {
  const duplicate = ["client_id", "redirect_uri"].find((name) => repeated.includes(name));
  if (duplicate !== undefined) throw new UntrustedRequestError({ repeated: duplicate });
  const clientId = values.get("client_id");
  if (clientId === undefined) throw new UntrustedRequestError("missingClientId");
  const client = await clients.find(clientId, requesterAddress);
  if (client === null) throw new UntrustedRequestError("unknownClient", { clientId });
  const redirectUri = values.get("redirect_uri");
  if (redirectUri === undefined)
    throw new UntrustedRequestError("missingRedirectUri", { clientId });
  // A `state` that is too long or repeated is not returned with the error.
  const state = repeated.includes("state") ? undefined : values.get("state");
  const fits = state !== undefined && Buffer.byteLength(state) <= MAX_VALUE_BYTES;
  const target = proveRedirectTarget(client, {
    redirectUri,
    state: fits ? state : undefined,
    issuer,
  });
  if (target === null) {
    const sent = { clientId, found: redirectUri };
    throw new UntrustedRequestError("redirectUriNotRegistered", sent);
  }
  return { client, target };
}

/** Creates an error that is sent to the client. */
type Refuse = (code: AuthorizationErrorCode, description: string) => AuthorizationError;

/** The checks after those of client and redirect_uri, in order. A pure function. */
function checkParameters(
  parameters: Parameters,
  client: Client,
  target: RedirectTarget,
): Omit<AuthorizationRequest, "query"> {
  const { values } = parameters;
  const refuse: Refuse = (code, description) => new AuthorizationError(target, code, description);
  checkForm(parameters, target, refuse);
  const scopes = readScopes(values, client, refuse);
  const prompt = readPrompt(values, refuse);
  const maxAge = values.get("max_age");
  if (maxAge !== undefined && !/^[0-9]{1,9}$/.test(maxAge)) {
    throw refuse("invalid_request", "max_age must be a non-negative integer, in seconds");
  }
  const nonce = values.get("nonce") ?? null;
  if (nonce !== null && Buffer.byteLength(nonce) > MAX_VALUE_BYTES) {
    throw refuse("invalid_request", "nonce is longer than 2,048 bytes");
  }
  const problem = codeChallengeProblem(values, client);
  if (problem !== null) throw refuse("invalid_request", problem);
  // Other clients do not define these parameters, so they are ignored (RFC 6749 §3.1).
  const isService = client.issuer !== undefined;
  const statementFor = isService
    ? readStatementFor(values, (text) => refuse("invalid_request", sanitizeDescription(text)))
    : null;
  return {
    client,
    target,
    clientId: client.client_id,
    clientName: client.name,
    clientHost: hostOf(target.uri),
    finalHost: statementFor ? hostOf(statementFor.redirect_uri) : undefined,
    // Safe from any client, because the parameter only restricts the request.
    mayFederate: !values.has("ds_hop"),
    statementFor,
    statementWanted: statementWantedBy(values, client, target),
    consent: client.consent,
    scopes,
    prompt,
    nonce,
    maxAge: maxAge === undefined ? undefined : Number(maxAge),
    codeChallenge: values.get("code_challenge") ?? null,
    loginHint: values.get("login_hint"),
    backToApp: responseUri(target, {
      error: "access_denied",
      error_description: "the user canceled the sign-in",
    }),
  };
}

/** Only `response_type=code` with `response_mode=query`, without duplicates or request objects. */
function checkForm({ values, repeated }: Parameters, target: RedirectTarget, refuse: Refuse): void {
  const [duplicate] = repeated;
  if (duplicate !== undefined) {
    throw refuse("invalid_request", `duplicate parameter: ${printable(duplicate)}`);
  }
  if (values.has("state") && target.state === undefined) {
    throw refuse("invalid_request", "state is longer than 2,048 bytes");
  }
  const responseType = values.get("response_type");
  if (responseType === undefined) throw refuse("invalid_request", "response_type is missing");
  if (responseType !== "code")
    throw refuse("unsupported_response_type", "response_type must be code");
  if ((values.get("response_mode") ?? "query") !== "query") {
    throw refuse("invalid_request", "response_mode must be query");
  }
  if (values.has("request") || values.has("request_uri")) {
    throw refuse("invalid_request", "request and request_uri are not supported");
  }
}

function readScopes(values: Parameters["values"], client: Client, refuse: Refuse): string[] {
  const scopes = spaceSeparated(values.get("scope"));
  if (scopes.length === 0) throw refuse("invalid_scope", "scope is missing");
  const allowed = client.scope.split(" ");
  const denied = scopes.find((scope) => !allowed.includes(scope));
  if (denied !== undefined) {
    throw refuse("invalid_scope", `scope '${printable(denied)}' is not allowed for this client`);
  }
  return scopes;
}

function readPrompt(values: Parameters["values"], refuse: Refuse): ReadonlySet<string> {
  const prompt = new Set(spaceSeparated(values.get("prompt")));
  const unknown = [...prompt].find((value) => !PROMPTS.has(value));
  if (unknown !== undefined) {
    throw refuse("invalid_request", `prompt '${printable(unknown)}' is not supported`);
  }
  if (prompt.has("none") && prompt.size > 1) {
    throw refuse("invalid_request", "prompt=none cannot be combined with other values");
  }
  return prompt;
}

/** The distinct values of a space-separated list. */
function spaceSeparated(list = ""): string[] {
  return [...new Set(list.split(" ").filter((value) => value !== ""))];
}

/** Null without PKCE and nonce, because the statement could not be bound to the request. */
function statementWantedBy(
  values: Parameters["values"],
  client: Client,
  target: RedirectTarget,
): PendingRequest["statementWanted"] {
  const [cch = null, nonce = null] = [values.get("code_challenge"), values.get("nonce")];
  if (!client.validation_data || (cch === null && nonce === null)) return null;
  return { aud: client.client_id, redirect_uri: target.uri, cch, nonce };
}

function codeChallengeProblem(values: Parameters["values"], client: Client): string | null {
  const challenge = values.get("code_challenge");
  const method = values.get("code_challenge_method");
  if (challenge === undefined) {
    if (method !== undefined) return "code_challenge_method was sent without code_challenge";
    return client.require_pkce ? "code_challenge is missing: this client must use PKCE" : null;
  }
  // RFC 7636 §4.3: the default method is plain, which is not supported.
  if (method !== "S256") return "code_challenge_method must be S256";
  if (!isCodeChallenge(challenge)) return "code_challenge must be a base64url-encoded SHA-256 hash";
  return null;
}
