// Redirect URIs: which may be registered, and how one in a request is proven to be the client's.

declare const proven: unique symbol;

/** A place that an answer may be sent to. Only this file can make one. */
export interface RedirectTarget {
  readonly [proven]: true;
  /** The redirect_uri as the request had it. */
  readonly uri: string;
  /** Returned unchanged with every answer. */
  readonly state: string | undefined;
  readonly issuer: string;
  /** Whoever has a web page can be this client: no error sends a person there without their doing. */
  readonly isSelfRegistered: boolean;
}

/** As much of a client as decides where it may be answered. */
export interface RedirectRules {
  readonly redirect_uris: readonly string[];
  readonly application_type: "web" | "native";
  readonly document?: true;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The target of a request, or null if its redirect_uri is not the client's. Compared by code point:
 * any normalisation would be a way around. Only a native client may vary the port of a registered
 * loopback URI (RFC 8252 §7.3).
 */
export function proveRedirectTarget(
  client: RedirectRules,
  request: { redirectUri: string; state: string | undefined; issuer: string },
): RedirectTarget | null {
  const { redirectUri: uri, state, issuer } = request;
  const isRegistered =
    client.redirect_uris.includes(uri) ||
    (client.application_type === "native" &&
      client.redirect_uris.some((registered) => differsInLoopbackPortOnly(registered, uri)));
  if (!isRegistered) return null;
  return { uri, state, issuer, isSelfRegistered: client.document === true } as RedirectTarget;
}

/** `http://127.0.0.1:8000/cb` and `http://127.0.0.1:51234/cb`. */
function differsInLoopbackPortOnly(registered: string, presented: string): boolean {
  const pattern = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::([1-9][0-9]{0,4}))?(\/.*)?$/;
  const left = pattern.exec(registered);
  const right = pattern.exec(presented);
  return (
    left !== null &&
    right !== null &&
    left[1] === right[1] &&
    left[3] === right[3] &&
    Number(right[2] ?? 80) <= 65535
  );
}

/** The URI that carries an answer to the client, with `state` and `iss` (RFC 9207). */
export function answerUri(
  target: RedirectTarget,
  answer: Readonly<Record<string, string>>,
): string {
  const parameters = new URLSearchParams(answer);
  if (target.state !== undefined) parameters.append("state", target.state);
  parameters.append("iss", target.issuer);
  const { uri } = target;
  const separator = !uri.includes("?") ? "?" : /[?&]$/.test(uri) ? "" : "&";
  return uri + separator + parameters.toString();
}

/** The host of a redirect_uri as a person should see it; a private-use scheme by its name. */
export function hostOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  // What stands behind a private-use scheme looks like a host, but is the app's invention.
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1);
}

/** Whether anyone on the person's device could answer at this URI: the client's id proves nothing then. */
export function isClaimableByAnyone(uri: string): boolean {
  return !uri.startsWith("https:");
}

/** Why a URI may not be registered, or null if it may. */
export function redirectUriProblem(uri: string, applicationType: "web" | "native"): string | null {
  if (uri.length > 2000) return "is longer than 2,000 characters";
  if (!/^[\x21-\x7e]+$/.test(uri) || /[\\"<>^`{|}]/.test(uri)) {
    return "contains a space or a character that is not allowed in a URI";
  }
  if (uri.includes("#")) return "has a fragment";
  let url: URL;
  try {
    url = new URL(uri);
  } catch {
    return "is not an absolute URI";
  }
  if (url.username !== "" || url.password !== "" || /^[a-z]+:\/\/[^/?]*@/i.test(uri)) {
    return "contains a user name or password";
  }
  const namesHost = /^https?:\/\/[^/?]/i.test(uri);
  if (/^https?:$/.test(url.protocol) && !namesHost) return "has no host";
  if (url.protocol === "https:") return null;
  if (url.protocol === "http:") {
    return LOOPBACK.has(url.hostname) ? null : "uses http with a host that is not loopback";
  }
  if (applicationType === "native") {
    return url.protocol.includes(".")
      ? null
      : "uses a private-use scheme without a dot (RFC 8252 section 7.1)";
  }
  return "must use https";
}
