// What a resource tells this package about itself and its issuer, checked once at the start.

/** See {@link protectResource}. */
export interface ResourceOptions {
  /** The URL of the service, exactly as in its metadata: `https://auth.example.com`. */
  readonly issuer: string;
  /**
   * The identifier of this API (RFC 8707): the value of `resource` that clients send and of `aud` in its
   * access tokens, compared character by character. An https URL without a fragment, which should be the
   * URL that clients call: `https://notes.example/api`.
   */
  readonly resource: string;
  /** The scopes of this API, which its metadata document publishes: `["notes:read", "notes:write"]`. */
  readonly scopes?: readonly string[];
  /** The name of this API for people, which its metadata document publishes. */
  readonly name?: string;
  /**
   * Asks the issuer about each token too (RFC 7662), so that a revoked token is refused at once, not within
   * the hour. The credentials are those that `domain-signin resources add` printed.
   */
  readonly introspection?: IntrospectionOptions;
}

export interface IntrospectionOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /**
   * For how many seconds an answer is reused, at most 10. The default is 0: the issuer is asked for
   * each request.
   */
  readonly cacheSeconds?: number;
}

const LOOPBACK_HOSTS: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
const MAX_CACHE_S = 10;
/** Printable ASCII without space, quotation mark and backslash: what can be quoted in a header. */
const QUOTABLE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Throws `TypeError` if an option could never work. */
export function checkOptions(options: ResourceOptions): void {
  const { issuer, resource, scopes = [], introspection } = options;
  const issuerUrl = readUrl("issuer", issuer);
  // Also refuses a slash at the end, which the claim `iss` does not have.
  if (issuerUrl.origin !== issuer)
    throw new TypeError("issuer must have no path, query or fragment");
  const resourceUrl = readUrl("resource", resource);
  // No URI has others (RFC 3986 §2), though a URL parser accepts them.
  if (!QUOTABLE.test(resource)) throw new TypeError("resource has a character that is not allowed");
  if (resource.includes("#")) throw new TypeError("resource must have no fragment (RFC 8707 §2)");
  if (resourceUrl.username !== "" || resourceUrl.password !== "")
    throw new TypeError("resource must have no user name and no password");
  const wrong = scopes.find((scope) => !QUOTABLE.test(scope));
  if (wrong !== undefined) throw new TypeError(`"${wrong}" is not a scope (RFC 6749 §3.3)`);
  if (introspection !== undefined) checkIntrospection(introspection);
}

function checkIntrospection({ clientId, clientSecret, cacheSeconds = 0 }: IntrospectionOptions) {
  if (!clientId || !clientSecret)
    throw new TypeError("introspection needs clientId and clientSecret");
  if (!(cacheSeconds >= 0 && cacheSeconds <= MAX_CACHE_S))
    throw new TypeError(`introspection.cacheSeconds must be from 0 to ${MAX_CACHE_S}`);
}

/**
 * The scopes that a route requires. Throws `TypeError` for a scope that the resource does not have: no
 * token could ever pass.
 */
export function readRequiredScopes(
  scope: string | undefined,
  { scopes }: ResourceOptions,
): string[] {
  const required = scope === undefined || scope === "" ? [] : scope.split(" ");
  const wrong = required.find((one) => !QUOTABLE.test(one) || (scopes && !scopes.includes(one)));
  if (wrong !== undefined) throw new TypeError(`scope "${wrong}" is not one of this resource`);
  return required;
}

function readUrl(name: string, value: string): URL {
  if (typeof value !== "string" || !URL.canParse(value))
    throw new TypeError(`${name} must be a URL`);
  const url = new URL(value);
  const isLoopback = url.protocol === "http:" && LOOPBACK_HOSTS.includes(url.hostname);
  if (url.protocol !== "https:" && !isLoopback)
    throw new TypeError(`${name} must be an https URL, or http on localhost`);
  return url;
}
