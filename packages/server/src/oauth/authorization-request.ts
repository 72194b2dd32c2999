// Parses and validates an authorization request: first the client and redirect_uri, then the rest.

import { type Client, type Clients, nameFor } from "../clients/client.ts";
import type { KnownResources } from "../clients/known-resources.ts";
import {
  hostOf,
  proveRedirectTarget,
  type RedirectTarget,
  redirectUriProblem,
  responseUri,
} from "../clients/redirect-target.ts";
import { MAX_RESOURCE_SCOPES } from "../clients/resource.ts";
import { chooseScopes, spaceSeparated } from "../clients/scopes.ts";
import { type Parameters, printable, valuesOf } from "../http/form.ts";
import type { Sender } from "../interaction/interaction.ts";
import { canBeKept } from "../interaction/kept-request.ts";
import type { PendingRequest } from "../interaction/pending-request.ts";
import { type ClaimsRequest, readClaimsRequest } from "./claims-request.ts";
import {
  canBeGranted,
  consentsOf,
  findRequested,
  type RequestedResource,
} from "./grant-resources.ts";
import { isCodeChallenge } from "./pkce.ts";
import { type Check, checkFor, parseQuery, UntrustedRequestError } from "./protocol-errors.ts";

export interface AuthorizationRequest extends PendingRequest {
  readonly client: Client;
  readonly target: RedirectTarget;
  readonly resources: readonly RequestedResource[];
  readonly ignoredScopes: readonly string[];
  /** Whether the metadata of a resource is still unread, because the person has not acted. */
  readonly hasUnreadResource: boolean;
  readonly codeChallenge: string | null;
  readonly claims: ClaimsRequest;
  readonly nonce: string | null;
  readonly loginHint: string | undefined;
  /** An ID token of this service for the client; only `prompt=none` uses it. */
  readonly idTokenHint: string | undefined;
  /** Only for a client with `issuer`: the app request that the provider statement is for. */
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
/** The parameters that are needed after the first page. All others are dropped. */
const KEPT_PARAMETERS = [
  "client_id",
  "redirect_uri",
  "response_type",
  "scope",
  "resource",
  "state",
  "code_challenge",
  "code_challenge_method",
  "nonce",
  "prompt",
  "max_age",
  "claims",
  "ui_locales",
  "login_hint",
  "ds_hop",
  "ds_aud",
  "ds_redirect_uri",
  "ds_cch",
  "ds_nonce",
  "ds_owner_proof",
];
/** Longer values are cut. */
const MAX_KEPT_CHARS: Readonly<Record<string, number>> = { ui_locales: 200, login_hint: 300 };
/** Each has an error code of its own (OIDC Core §3.1.2.6). */
const UNSUPPORTED = ["request", "request_uri", "registration"] as const;
const PROMPTS = new Set(["none", "login", "consent", "select_account"]);

const CANCELED = {
  error: "access_denied",
  error_description: "the user canceled the sign-in",
};

interface Deps {
  readonly clients: Clients;
  readonly resources: KnownResources;
  readonly issuer: string;
}

/**
 * Reads the query of an authorization request. Throws `UntrustedRequestError` if the client or redirect_uri is
 * invalid, `AuthorizationError` for any other mistake, and what `clients.find` and `resources.find` throw.
 */
export function createReadRequest({ clients, resources: known, issuer }: Deps) {
  return async (query: string, sender: Sender): Promise<AuthorizationRequest> => {
    const { from, hasActed, isOpen = false } = sender;
    const parameters = parseQuery(query);
    const { values, repeated } = parameters;
    const duplicate = ["client_id", "redirect_uri"].find((name) => repeated.includes(name));
    if (duplicate !== undefined) {
      throw new UntrustedRequestError("repeatedParameter", { parameter: duplicate });
    }
    const clientId = values.get("client_id");
    if (clientId === undefined) throw new UntrustedRequestError("missingClientId");
    const client = await clients.find(clientId, { from });
    if (client === null) throw new UntrustedRequestError("unknownClient", { clientId });
    const redirectUri = values.get("redirect_uri");
    if (redirectUri === undefined) {
      throw new UntrustedRequestError("missingRedirectUri", { clientId });
    }
    // A `state` that is too long or repeated is not returned with the error.
    const sent = repeated.includes("state") ? "" : (values.get("state") ?? "");
    const state = sent === "" || Buffer.byteLength(sent) > MAX_VALUE_BYTES ? undefined : sent;
    const target = proveRedirectTarget(client, { redirectUri, state, issuer });
    if (target === null) {
      const reason = client.refused_uris?.get(redirectUri);
      const details = { clientId, reason, found: redirectUri };
      throw new UntrustedRequestError("redirectUriNotRegistered", details);
    }
    const checked = checkParameters(parameters, client, target);
    const lookup = { mayFetch: hasActed, acceptsOld: isOpen, from };
    const named = valuesOf(parameters, "resource");
    const requested = await findRequested(named, lookup, { known, target });
    return withScopes(checked, requested, values);
  };
}

/** A request whose resources are not known yet. */
type Checked = Omit<
  AuthorizationRequest,
  "scopes" | "ignoredScopes" | "permissions" | "resources" | "hasUnreadResource"
>;

type ParameterValues = Parameters["values"];

/** The checks after those of client and redirect_uri, in order. A pure function. */
function checkParameters(parameters: Parameters, client: Client, target: RedirectTarget): Checked {
  const { values } = parameters;
  const check: Check = checkFor(target);
  checkForm(parameters, target, check);
  const claims = readClaimsRequest(values.get("claims"), check);
  const prompt = readPrompt(values, check);
  const maxAge = values.get("max_age");
  const isSeconds = maxAge === undefined || /^[0-9]{1,9}$/.test(maxAge);
  check(isSeconds, "max_age must be a non-negative integer, in seconds");
  const nonce = values.get("nonce") ?? null;
  check(Buffer.byteLength(nonce ?? "") <= MAX_VALUE_BYTES, "nonce is longer than 2,048 bytes");
  const codeChallenge = readCodeChallenge(values, client, check);
  // Without PKCE and nonce, a statement could not be bound to the request.
  const canBind = client.validation_data && (codeChallenge !== null || nonce !== null);
  // Other clients do not define these parameters, so they are ignored (RFC 6749 §3.1).
  const statementFor = client.issuer === undefined ? null : readStatementFor(values, check);
  const isOwnerProofRequired = values.get("ds_owner_proof") === "required";
  const statementWanted = canBind
    ? { aud: client.client_id, redirect_uri: target.uri, cch: codeChallenge, nonce }
    : null;
  const query = queryOf(parameters);
  check(canBeKept(query), "the request is too long: send a shorter state, nonce or redirect_uri");
  return {
    query,
    client,
    target,
    clientId: client.client_id,
    clientName: nameFor(client, target.uri),
    clientHost: hostOf(target.uri),
    isSelfRegistered: target.isSelfRegistered,
    finalHost: statementFor ? hostOf(statementFor.redirect_uri) : undefined,
    // Safe from any client, because the parameter only restricts the request.
    mayFederate: !values.has("ds_hop"),
    statementFor,
    statementWanted,
    ownerStatement: ownerStatementOf(statementFor, statementWanted, client),
    consent: client.consent,
    ownerProof: statementFor && isOwnerProofRequired ? "required" : client.owner_proof,
    prompt,
    nonce,
    maxAge: maxAge === undefined ? undefined : Number(maxAge),
    claims,
    requiredAcr: claims.requiredAcr,
    codeChallenge,
    loginHint: values.get("login_hint"),
    idTokenHint: values.get("id_token_hint"),
    backToApp: responseUri(target, CANCELED),
  };
}

/** Refuses duplicate parameters, and what this service does not support. */
function checkForm({ values, repeated }: Parameters, target: RedirectTarget, check: Check): void {
  const duplicate = repeated.find((name) => name !== "resource");
  check(duplicate === undefined, `duplicate parameter: ${printable(duplicate ?? "")}`);
  check(!values.has("state") || target.state !== undefined, "state is longer than 2,048 bytes");
  const responseType = values.get("response_type");
  check(responseType !== undefined, "response_type is missing");
  check(responseType === "code", "response_type must be code", "unsupported_response_type");
  check((values.get("response_mode") ?? "query") === "query", "response_mode must be query");
  for (const name of UNSUPPORTED) {
    check(!values.has(name), `${name} is not supported`, `${name}_not_supported`);
  }
}

function queryOf(parameters: Parameters): string {
  const kept = new URLSearchParams();
  for (const name of KEPT_PARAMETERS) {
    for (const value of valuesOf(parameters, name)) {
      kept.append(name, value.slice(0, MAX_KEPT_CHARS[name]));
    }
  }
  return kept.toString();
}

/** A service that sends the user for one of its apps needs the statement for that app. */
function ownerStatementOf(
  app: StatementFor | null,
  own: AuthorizationRequest["statementWanted"],
  { issuer }: Client,
): AuthorizationRequest["ownerStatement"] {
  if (app === null || issuer === undefined) return own && { ...own, svc: null };
  const { aud, redirect_uri, cch = null, nonce = null } = app;
  return { aud, redirect_uri, cch, nonce, svc: issuer };
}

/** A single claim of a scope is granted as the whole scope, so that the user is asked for the scope. */
function withScopes(
  checked: Checked,
  requestedResources: readonly (RequestedResource | null)[],
  values: ParameterValues,
): AuthorizationRequest {
  const { client, claims, target } = checked;
  const check: Check = checkFor(target);
  const sent = spaceSeparated(values.get("scope"));
  const named = sent.length > 0 ? sent : spaceSeparated(client.default_scope);
  check(named.length > 0, "scope is missing", "invalid_scope");
  const requested = [...new Set([...named, ...(claims.needsProfile ? ["profile"] : [])])];
  const choice = chooseScopes(requested, client);
  const read = requestedResources.filter((resource) => resource !== null);
  const hasUnread = read.length < requestedResources.length;
  const resources = read.map(({ uri, name, scopes, isRegistered }) => ({
    ...{ uri, name, isRegistered },
    scopes: scopes.filter(({ name }) => requested.includes(name)).slice(0, MAX_RESOURCE_SCOPES),
  }));
  const isBound = !client.dynamic || checked.codeChallenge !== null;
  const hasNonce = isBound || choice.granted.includes("openid");
  check(hasNonce, "scope: without PKCE, this client must ask for openid", "invalid_scope");
  const ofResources = new Set(resources.flatMap(({ scopes }) => scopes.map(({ name }) => name)));
  const ignored = choice.ignored.filter((name) => !ofResources.has(name));
  // Metadata that is still unread may offer these scopes.
  const isAnyLeft = hasUnread || ignored.length < requested.length;
  const names = ignored.map(printable).join(" ");
  const description = `scope: none of '${names}' can be granted to this client`;
  check(isAnyLeft, description, "invalid_scope");
  const canBe = canBeGranted(resources);
  check(canBe, "the resources and their scopes are longer than 2,048 characters", "invalid_target");
  // Spreading an object of this size takes about 15 µs.
  return Object.assign(checked, {
    scopes: choice.granted,
    ignoredScopes: hasUnread ? [] : ignored,
    resources,
    hasUnreadResource: hasUnread,
    permissions: consentsOf(choice.granted, resources),
  });
}

function readPrompt(values: ParameterValues, check: Check): ReadonlySet<string> {
  const prompt = new Set(spaceSeparated(values.get("prompt")));
  const unknown = [...prompt].find((value) => !PROMPTS.has(value));
  check(unknown === undefined, `prompt '${printable(unknown ?? "")}' is not supported`);
  const isAlone = !prompt.has("none") || prompt.size === 1;
  check(isAlone, "prompt=none cannot be combined with other values");
  return prompt;
}

function readCodeChallenge(values: ParameterValues, client: Client, check: Check): string | null {
  const challenge = values.get("code_challenge");
  const method = values.get("code_challenge_method");
  if (challenge === undefined) {
    check(method === undefined, "code_challenge_method was sent without code_challenge");
    check(!client.require_pkce, "code_challenge is missing: this client must use PKCE");
    // Nobody has vetted the client, so its codes must be bound to the request in one way (RFC 9700 §2.1.1).
    const isBound = !client.dynamic || values.has("nonce");
    check(isBound, "nonce is missing: without PKCE, this client must send a nonce");
    return null;
  }
  // RFC 7636 §4.3: the default method is plain, which is not supported.
  check(method === "S256", "code_challenge_method must be S256");
  const isHash = isCodeChallenge(challenge);
  check(isHash, "code_challenge must be a base64url-encoded SHA-256 hash");
  return challenge;
}

/** Validates the parameters ds_*, by which a service requests a provider statement. Null without them. */
export function readStatementFor(values: ParameterValues, check: Check): StatementFor | null {
  const names = ["ds_aud", "ds_redirect_uri", "ds_cch", "ds_nonce"];
  const [aud, redirect_uri, cch, nonce] = names.map((name) => values.get(name));
  if ((aud ?? redirect_uri ?? cch ?? nonce) === undefined) return null;
  check(aud !== undefined, "ds_aud is missing");
  const isPrintable = /^[\x20-\x7e]{1,2048}$/.test(aud);
  check(isPrintable, "ds_aud must be 1 to 2,048 printable ASCII characters");
  check(redirect_uri !== undefined, "ds_redirect_uri is missing");
  const problem = redirectUriProblem(redirect_uri, "native");
  check(problem === null, `ds_redirect_uri ${problem}`);
  check((cch ?? nonce) !== undefined, "ds_cch or ds_nonce is missing");
  const isHash = cch === undefined || isCodeChallenge(cch);
  check(isHash, "ds_cch must be a base64url-encoded SHA-256 hash");
  check(Buffer.byteLength(nonce ?? "") <= MAX_VALUE_BYTES, "ds_nonce is longer than 2,048 bytes");
  return { aud, redirect_uri, ...(cch && { cch }), ...(nonce && { nonce }) };
}
