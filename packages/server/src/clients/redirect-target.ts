// Redirect URIs: which ones can be registered, and how the one of a request is validated.

declare const proven: unique symbol;

/** A validated redirect_uri. Only this file can create one. */
export interface RedirectTarget {
  readonly [proven]: true;
  /** The redirect_uri as it was sent in the request. */
  readonly uri: string;
  /** Returned unchanged with every response. */
  readonly state: string | undefined;
  readonly issuer: string;
  /** Anyone can publish such a client, so errors are not redirected to it without a user decision. */
  readonly isSelfRegistered: boolean;
}

export const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Null if the redirect_uri is not registered. URIs are compared as strings: normalization could be abused (RFC 9700
 * §4.1.3). A native client may vary the port of a registered loopback URI (RFC 8252 §7.3).
 */
export function proveRedirectTarget(
  client: {
    readonly redirect_uris: readonly string[];
    readonly application_type: "web" | "native";
    readonly document?: true;
    readonly dynamic?: true;
  },
  request: { redirectUri: string; state: string | undefined; issuer: string },
): RedirectTarget | null {
  const { redirectUri: uri, state, issuer } = request;
  const { redirect_uris: registered, application_type: type } = client;
  if (!isAmong(registered, uri, type)) return null;
  return { uri, state, issuer, isSelfRegistered: isSelfRegistered(client) } as RedirectTarget;
}

/** Whether nobody vetted the client: it published a document or registered itself. */
export function isSelfRegistered(client: {
  readonly document?: true;
  readonly dynamic?: true;
}): boolean {
  return client.document === true || client.dynamic === true;
}

function isAmong(registered: readonly string[], uri: string, type: "web" | "native"): boolean {
  if (registered.includes(uri)) return true;
  return type === "native" && registered.some((other) => differsInLoopbackPortOnly(other, uri));
}

/** For example `http://127.0.0.1:8000/cb` and `http://127.0.0.1:51234/cb`. */
function differsInLoopbackPortOnly(registered: string, presented: string): boolean {
  const pattern = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::([1-9][0-9]{0,4}))?(\/.*)?$/;
  const left = pattern.exec(registered);
  const right = pattern.exec(presented);
  if (left === null || right === null) return false;
  return left[1] === right[1] && left[3] === right[3] && Number(right[2] ?? 80) <= 65535;
}

/** The redirect_uri with the parameters of a response, `state` and `iss` (RFC 9207). */
export function responseUri(
  target: RedirectTarget,
  response: Readonly<Record<string, string>>,
): string {
  const parameters = new URLSearchParams(response);
  if (target.state !== undefined) parameters.append("state", target.state);
  parameters.append("iss", target.issuer);
  return withParameters(target.uri, parameters);
}

function withParameters(uri: string, parameters: URLSearchParams): string {
  const separator = !uri.includes("?") ? "?" : /[?&]$/.test(uri) ? "" : "&";
  return uri + separator + parameters.toString();
}

/** A validated post_logout_redirect_uri. Only this file can create one. */
export interface LogoutTarget {
  readonly [proven]: true;
  readonly uri: string;
  readonly state: string | undefined;
}

/** Null if the post_logout_redirect_uri is not registered. It is compared like a redirect_uri. */
export function proveLogoutTarget(
  client: {
    readonly post_logout_redirect_uris: readonly string[];
    readonly application_type: "web" | "native";
  },
  { uri, state }: { readonly uri: string; readonly state: string | undefined },
): LogoutTarget | null {
  const { post_logout_redirect_uris: registered, application_type: type } = client;
  return isAmong(registered, uri, type) ? ({ uri, state } as LogoutTarget) : null;
}

/** The post_logout_redirect_uri with `state`, its only parameter (RP-Initiated Logout §3). */
export function logoutUri({ uri, state }: LogoutTarget): string {
  return state === undefined ? uri : withParameters(uri, new URLSearchParams({ state }));
}

/** The origin of a URI; "null" for one that has none. */
export function originOf(uri: unknown): string {
  return typeof uri === "string" && URL.canParse(uri) ? new URL(uri).origin : "null";
}

/**
 * Returns why a backchannel_logout_uri cannot be registered, as the end of a sentence; null if it can, or is empty.
 * `origins` are those of its document or its redirect URIs: it must not make us send requests to others.
 */
export function logoutUriProblem(uri: string, origins: readonly string[]): string | null {
  if (uri === "") return null;
  const problem = redirectUriProblem(uri, "web");
  if (problem !== null) return problem;
  return origins.includes(originOf(uri)) ? null : "must have the same origin as a redirect_uri";
}

/** The host of a redirect_uri for display, or a private-use scheme with its colon, which no host has. */
export function hostOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  // The host part after a private-use scheme is chosen freely by the app.
  return /^https?:$/.test(protocol) ? host : protocol;
}

/** Whether any app on the user's device could receive the response, and so impersonate the client. */
export function isClaimableByAnyone(uri: string): boolean {
  return !/^https:/i.test(uri);
}

/** Also true for an empty user name, which the parser drops. */
export function hasUserInfo(uri: string): boolean {
  const { username, password } = new URL(uri);
  return username !== "" || password !== "" || /^[a-z]+:\/\/[^/?]*@/i.test(uri);
}

/** Schemes that mean something to browsers or devices, so that no app has them for itself. */
const COMMON_SCHEMES = new Set([
  ...["about", "blob", "chrome", "content", "data", "edge", "file", "filesystem"],
  ...["callto", "feed", "ftp", "geo", "intent", "jar", "javascript", "ldap", "mailto", "market"],
  ...["resource", "search", "search-ms", "sip", "sips", "smb", "sms", "ssh", "tel", "urn"],
  ...["vbscript", "view-source", "ws", "wss"],
]);
/** Extensions of browsers, schemes of Windows and of app stores, and schemes that any website can have. */
const COMMON_KINDS = /-extension$|^ms-|^itms|^web\+/;

/**
 * Returns why a URI cannot be registered, as the end of a sentence; null if it can. `scheme` is the rule for a
 * private-use scheme: it contains a dot (RFC 8252 §7.1), or it is not a common one.
 */
export function redirectUriProblem(
  uri: string,
  applicationType: "web" | "native",
  scheme: "with a dot" | "uncommon" = "with a dot",
): string | null {
  if (uri.length > 2000) return "is longer than 2,000 characters";
  if (!/^[\x21-\x7e]+$/.test(uri) || /[\\"<>^`{|}]/.test(uri)) {
    return "contains a space or a character that is not allowed in a URI";
  }
  if (uri.includes("#")) return "has a fragment";
  if (!URL.canParse(uri)) return "is not an absolute URI";
  if (hasUserInfo(uri)) return "contains a user name or password";
  const url = new URL(uri);
  const namesHost = /^https?:\/\/[^/?]/i.test(uri);
  if (/^https?:$/.test(url.protocol) && !namesHost) return "has no host";
  if (url.protocol === "https:") return null;
  if (url.protocol === "http:") {
    return LOOPBACK_HOSTS.has(url.hostname) ? null : "uses http for a host that is not loopback";
  }
  if (applicationType !== "native") return "must use https";
  if (url.protocol.includes(".")) return null;
  if (scheme === "with a dot") {
    return "uses a private-use scheme without a dot (RFC 8252 section 7.1)";
  }
  const name = url.protocol.slice(0, -1);
  return COMMON_SCHEMES.has(name) || COMMON_KINDS.test(name)
    ? `uses the scheme ${name}, which no app can have for itself`
    : null;
}

/** The parameters that each kind of response adds to the URI of a client. */
const RESPONSE_PARAMETERS = {
  response: ["code", "state", "iss", "error", "error_description", "error_id"],
  logout: ["state"],
};

/**
 * Why a new registration cannot contain a valid URI, as the end of a sentence; null if it can. An app could not tell
 * its own parameter from a parameter that a response adds. Older registrations remain valid.
 */
export function registrationProblem(uri: string, kind: "response" | "logout"): string | null {
  if (uri.includes("*")) return "contains a wildcard (*), but redirect URIs are compared exactly";
  const { searchParams } = new URL(uri);
  const name = RESPONSE_PARAMETERS[kind].find((added) => searchParams.has(added));
  return name === undefined
    ? null
    : `has the parameter "${name}" in its query, which the response adds`;
}
