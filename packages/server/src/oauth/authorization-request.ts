// Parses and validates an authorization request: first the client and redirect_uri, then the rest.

import { type Parameters, parseParameters } from "../http/form.ts";
import type { PendingRequest } from "../interaction/pending-request.ts";
import type { Client, Clients } from "./client.ts";
import {
  AuthorizationError,
  type AuthorizationErrorCode,
  printable,
  refuseMalformed,
  sanitizeDescription,
  UntrustedRequestError,
} from "./errors.ts";
import { isCodeChallenge } from "./pkce.ts";
import {
  hostOf,
  proveRedirectTarget,
  type RedirectTarget,
  redirectUriProblem,
  responseUri,
} from "./redirect-target.ts";

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

/** The request of the app. `cch` is its code_challenge. At least one of `cch` and `nonce` is set. */
export interface StatementFor {
  readonly aud: string;
  readonly redirect_uri: string;
  readonly cch?: string;
  readonly nonce?: string;
}

/** Limits `state`, `nonce` and `ds_nonce`. */
const MAX_VALUE_BYTES = 2048;
const PROMPTS = new Set(["none", "login", "consent", "select_account"]);

/**
 * Throws `UntrustedRequestError` if the client or redirect_uri is invalid, `AuthorizationError` for
 * any other mistake, and what `clients.find` throws. `requesterAddress` is the address of the sender;
 * undefined if the request is of an open interaction.
 */
export async function readAuthorizationRequest(
  query: string,
  deps: { clients: Clients; issuer: string; requesterAddress?: string | undefined },
): Promise<AuthorizationRequest> {
  let parameters: Parameters;
  try {
    parameters = parseParameters(query);
  } catch (error) {
    refuseMalformed(error);
  }
  const { clients, issuer, requesterAddress } = deps;
  const { values, repeated } = parameters;
  const duplicate = ["client_id", "redirect_uri"].find((name) => repeated.includes(name));
  if (duplicate !== undefined) {
    throw new UntrustedRequestError("repeatedParameter", { parameter: duplicate });
  }
  const clientId = values.get("client_id");
  if (clientId === undefined) throw new UntrustedRequestError("missingClientId");
  const client = await clients.find(clientId, requesterAddress);
  if (client === null) throw new UntrustedRequestError("unknownClient", { clientId });
  const found = values.get("redirect_uri");
  if (found === undefined) throw new UntrustedRequestError("missingRedirectUri", { clientId });
  // A `state` that is too long or repeated is not returned with the error.
  const sent = repeated.includes("state") ? "" : (values.get("state") ?? "");
  const state = sent === "" || Buffer.byteLength(sent) > MAX_VALUE_BYTES ? undefined : sent;
  const target = proveRedirectTarget(client, { redirectUri: found, state, issuer });
  if (target === null) {
    throw new UntrustedRequestError("redirectUriNotRegistered", { clientId, found });
  }
  return { query, ...checkParameters(parameters, client, target) };
}

type Values = Parameters["values"];
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
  const codeChallenge = values.get("code_challenge") ?? null;
  // Without PKCE and nonce, a statement could not be bound to the request.
  const canBind = client.validation_data && (codeChallenge !== null || nonce !== null);
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
    statementWanted: canBind
      ? { aud: client.client_id, redirect_uri: target.uri, cch: codeChallenge, nonce }
      : null,
    consent: client.consent,
    scopes,
    prompt,
    nonce,
    maxAge: maxAge === undefined ? undefined : Number(maxAge),
    codeChallenge,
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

function readScopes(values: Values, client: Client, refuse: Refuse): string[] {
  const scopes = spaceSeparated(values.get("scope"));
  if (scopes.length === 0) throw refuse("invalid_scope", "scope is missing");
  const allowed = client.scope.split(" ");
  const denied = scopes.find((scope) => !allowed.includes(scope));
  if (denied !== undefined) {
    throw refuse("invalid_scope", `scope '${printable(denied)}' is not allowed for this client`);
  }
  return scopes;
}

function readPrompt(values: Values, refuse: Refuse): ReadonlySet<string> {
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

function codeChallengeProblem(values: Values, client: Client): string | null {
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

/**
 * The parameters ds_*, by which a service requests an owner statement for one of its apps; null
 * without them. Validates every value that the statement will contain.
 */
export function readStatementFor(
  values: Values,
  refuse: (description: string) => Error,
): StatementFor | null {
  const names = ["ds_aud", "ds_redirect_uri", "ds_cch", "ds_nonce"];
  if (!names.some((name) => values.has(name))) return null;
  const aud = values.get("ds_aud");
  if (aud === undefined) throw refuse("ds_aud is missing");
  if (!/^[\x20-\x7e]{1,2048}$/.test(aud)) {
    throw refuse("ds_aud must be 1 to 2,048 printable ASCII characters");
  }
  const redirect_uri = values.get("ds_redirect_uri");
  if (redirect_uri === undefined) throw refuse("ds_redirect_uri is missing");
  const problem = redirectUriProblem(redirect_uri, "native");
  if (problem !== null) throw refuse(`ds_redirect_uri ${problem}`);
  const [cch, nonce] = [values.get("ds_cch"), values.get("ds_nonce")];
  if (cch === undefined && nonce === undefined) throw refuse("ds_cch or ds_nonce is missing");
  if (cch !== undefined && !isCodeChallenge(cch)) {
    throw refuse("ds_cch must be a base64url-encoded SHA-256 hash");
  }
  if (nonce !== undefined && Buffer.byteLength(nonce) > MAX_VALUE_BYTES) {
    throw refuse("ds_nonce is longer than 2,048 bytes");
  }
  return { aud, redirect_uri, ...(cch && { cch }), ...(nonce && { nonce }) };
}
