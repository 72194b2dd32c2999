// Reads an authorization request: the client, its redirect_uri, then everything else.

import { FormError, type Parameters, parseParameters } from "../http/form.ts";
import { UntrustedRequestError } from "../interaction/page-error.ts";
import type { PendingRequest } from "../interaction/pending-request.ts";
import type { Client, Clients } from "./client.ts";
import {
  AuthorizationError,
  type AuthorizationErrorCode,
  sanitizeDescription,
  shown,
} from "./errors.ts";
import { isCodeChallenge } from "./pkce.ts";
import { answerUri, hostOf, proveRedirectTarget, type RedirectTarget } from "./redirect-target.ts";
import { readStatementFor, type StatementFor } from "./statement-for.ts";

/** A request whose every parameter has been checked. */
export interface AuthorizationRequest extends PendingRequest {
  readonly client: Client;
  readonly target: RedirectTarget;
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  readonly loginHint: string | undefined;
  /** Of a service alone: for which request of its app it wants the owner's statement. */
  readonly statementFor: StatementFor | null;
}

interface ReadParts {
  readonly clients: Clients;
  readonly issuer: string;
  /** The address of a request that no open sign-in is for. */
  readonly requesterAddress?: string | undefined;
}

const MAX_STATE_OCTETS = 2048;
const PROMPTS = new Set(["none", "login", "consent", "select_account"]);

/**
 * Throws `UntrustedRequestError` until the redirect_uri is proven to be the client's, and from then
 * on `AuthorizationError`.
 */
export async function readAuthorizationRequest(
  query: string,
  parts: ReadParts,
): Promise<AuthorizationRequest> {
  const parameters = readQuery(query);
  const { client, target } = await proveTarget(parameters, parts);
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
  { clients, issuer, requesterAddress }: ReadParts,
): Promise<{ client: Client; target: RedirectTarget }> {
  const twice = ["client_id", "redirect_uri"].find((name) => repeated.includes(name));
  if (twice !== undefined) throw new UntrustedRequestError({ repeated: twice });
  const clientId = values.get("client_id");
  if (clientId === undefined) throw new UntrustedRequestError("missingClientId");
  const client = await clients.find(clientId, requesterAddress);
  if (client === null) throw new UntrustedRequestError("unknownClient", { clientId });
  const redirectUri = values.get("redirect_uri");
  if (redirectUri === undefined)
    throw new UntrustedRequestError("missingRedirectUri", { clientId });
  // A state that cannot be given back unchanged is not given back at all.
  const state = repeated.includes("state") ? undefined : values.get("state");
  const fits = state !== undefined && Buffer.byteLength(state) <= MAX_STATE_OCTETS;
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

/** Makes the error that leads back to the client. */
type Refuse = (code: AuthorizationErrorCode, description: string) => AuthorizationError;

/** The checks after the target is proven, in their order. A pure function. */
function checkParameters(
  parameters: Parameters,
  client: Client,
  target: RedirectTarget,
): Omit<AuthorizationRequest, "query"> {
  const { values } = parameters;
  const refuse: Refuse = (code, description) => new AuthorizationError(target, code, description);
  checkKind(parameters, target, refuse);
  const scopes = readScopes(values, client, refuse);
  const prompt = readPrompt(values, refuse);
  const maxAge = values.get("max_age");
  if (maxAge !== undefined && !/^[0-9]{1,9}$/.test(maxAge)) {
    throw refuse("invalid_request", "max_age must be a non-negative integer, in seconds");
  }
  const nonce = values.get("nonce") ?? null;
  if (nonce !== null && Buffer.byteLength(nonce) > MAX_STATE_OCTETS) {
    throw refuse("invalid_request", "nonce is longer than 2,048 bytes");
  }
  const problem = codeChallengeProblem(values, client);
  if (problem !== null) throw refuse("invalid_request", problem);
  // To others these parameters are unknown, and unknown ones are ignored.
  const isService = client.issuer !== undefined;
  const statementFor = isService
    ? readStatementFor(values, (text) => refuse("invalid_request", sanitizeDescription(text)))
    : null;
  return {
    ...{ client, target, clientId: client.client_id, clientName: client.name },
    clientHost: hostOf(target.uri),
    finalHost: statementFor ? hostOf(statementFor.redirect_uri) : undefined,
    // The mark only ever forbids, so that anybody may set it.
    mayFederate: !values.has("ds_hop"),
    statementFor,
    statementWanted: statementWantedBy(values, client, target),
    consent: client.consent,
    ...{ scopes, prompt, nonce },
    maxAge: maxAge === undefined ? undefined : Number(maxAge),
    codeChallenge: values.get("code_challenge") ?? null,
    loginHint: values.get("login_hint"),
    backToApp: answerUri(target, {
      error: "access_denied",
      error_description: "the user canceled the sign-in",
    }),
  };
}

/** A code, by a query, for parameters that each came once. */
function checkKind({ values, repeated }: Parameters, target: RedirectTarget, refuse: Refuse): void {
  const [duplicate] = repeated;
  if (duplicate !== undefined) {
    throw refuse("invalid_request", `duplicate parameter: ${shown(duplicate)}`);
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
  const scopes = wordsOf(values.get("scope"));
  if (scopes.length === 0) throw refuse("invalid_scope", "scope is missing");
  const allowed = client.scope.split(" ");
  const denied = scopes.find((scope) => !allowed.includes(scope));
  if (denied !== undefined) {
    throw refuse("invalid_scope", `scope '${shown(denied)}' is not allowed for this client`);
  }
  return scopes;
}

function readPrompt(values: Parameters["values"], refuse: Refuse): ReadonlySet<string> {
  const prompt = new Set(wordsOf(values.get("prompt")));
  const unknown = [...prompt].find((value) => !PROMPTS.has(value));
  if (unknown !== undefined) {
    throw refuse("invalid_request", `prompt '${shown(unknown)}' is not supported`);
  }
  if (prompt.has("none") && prompt.size > 1) {
    throw refuse("invalid_request", "prompt=none cannot be combined with other values");
  }
  return prompt;
}

/** The distinct values of a list that is separated by spaces. */
function wordsOf(list = ""): string[] {
  return [...new Set(list.split(" ").filter((word) => word !== ""))];
}

/** A statement that is bound to no request would be worth nothing. */
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
  // Without a method RFC 7636 means "plain", which is not supported.
  if (method !== "S256") return "code_challenge_method must be S256";
  if (!isCodeChallenge(challenge)) return "code_challenge must be a base64url-encoded SHA-256 hash";
  return null;
}
