// Protects an API: composes the checks of this package and fits them to frameworks.

import { type AccessToken, verifyAccessToken } from "./access-token.ts";
import { AccessTokenError } from "./errors.ts";
import { type ExpressMiddleware, expressMiddleware } from "./express.ts";
import { type FetchHandler, wrapFetch } from "./fetch.ts";
import { createGate } from "./gate.ts";
import { type HonoMiddleware, honoMiddleware } from "./hono.ts";
import { introspectionAt } from "./introspection.ts";
import { remoteKeySet } from "./key-set.ts";
import { metadataOf, metadataUrlOf, type ResourceMetadata } from "./metadata.ts";
import { checkOptions, type ResourceOptions, readRequiredScopes } from "./options.ts";

export interface RouteOptions {
  /** The scopes that a token must have, all of them, separated by spaces. None by default. */
  readonly scope?: string;
}

/**
 * The middleware answers a request for the metadata document (RFC 9728) with the document. Every other
 * request needs an access token for this resource in the Authorization header; a token elsewhere is
 * ignored. Without one, or with a bad one, the response is:
 *
 * | status | when |
 * |---|---|
 * | 400 | the Authorization header is malformed, or there are two |
 * | 401 | there is no token, or it is not valid here |
 * | 403 | the token lacks a scope that the route requires |
 * | 503 | the issuer did not answer, so that the token could not be checked |
 */
export interface ProtectedResource {
  /**
   * Verifies an access token, for anything that the middleware does not fit.
   *
   * Throws {@link AccessTokenError} with the code `invalid_token`, `insufficient_scope` or
   * `temporarily_unavailable`.
   *
   * ```js
   * const { sub, domain, clientId, scopes } = await api.verify(token, { scope: "notes:read" });
   * ```
   */
  verify(token: string, options?: RouteOptions): Promise<AccessToken>;

  /**
   * Wraps a web-standard handler. It receives the verified token as the second argument; further arguments
   * of the platform follow.
   *
   * ```js
   * export default { fetch: api.fetch((request, { domain }) => new Response(`Hello ${domain}`)) };
   * ```
   */
  fetch<Rest extends unknown[]>(
    handler: FetchHandler<Rest>,
    options?: RouteOptions,
  ): (request: Request, ...rest: Rest) => Promise<Response>;

  /**
   * Middleware for Express, connect and plain `node:http`. It sets `req.auth`.
   *
   * ```js
   * app.use(api.metadataPath, api.express());
   * app.get("/api/notes", api.express({ scope: "notes:read" }), (req, res) => {
   *   res.json(notesOf(req.auth.sub));
   * });
   * ```
   */
  express(options?: RouteOptions): ExpressMiddleware;

  /**
   * Middleware for Hono. It sets the variable `auth`.
   *
   * ```js
   * app.use(api.metadataPath, api.hono());
   * app.get("/api/notes", api.hono({ scope: "notes:read" }), (c) => c.json(notesOf(c.get("auth").sub)));
   * ```
   */
  hono(options?: RouteOptions): HonoMiddleware;

  /** The metadata document (RFC 9728), in case something else serves it. */
  readonly metadata: ResourceMetadata;
  /** The path of the document: route it to the middleware, unless all paths go there. */
  readonly metadataPath: string;
}

/**
 * Protects an API with the access tokens of a domain-signin service. Nothing is fetched before the first
 * token arrives. Throws `TypeError` if an option is wrong.
 *
 * ```js
 * import { protectResource } from "domain-signin-resource";
 *
 * const api = protectResource({
 *   issuer: "https://auth.example.com",
 *   resource: "https://notes.example/api",
 *   scopes: ["notes:read", "notes:write"],
 *   name: "Notes",
 * });
 * ```
 *
 * The keys of the issuer are fetched once and kept for ten minutes, and for an unknown key fetched again at
 * most once a minute. A token that the issuer has revoked stays valid here until it expires, an hour at most,
 * unless `introspection` is set.
 */
export function protectResource(options: ResourceOptions): ProtectedResource {
  checkOptions(options);
  const { issuer, resource, introspection } = options;
  const keys = remoteKeySet(issuer);
  const requireActive = introspection && introspectionAt(issuer, introspection);
  const metadata = metadataOf(options);
  const metadataUrl = metadataUrlOf(resource);
  const required = (route?: RouteOptions) => readRequiredScopes(route?.scope, options);

  async function verify(token: string, requiredScopes: readonly string[]): Promise<AccessToken> {
    // First without the network: nonsense must not cost the issuer a request.
    const auth = await verifyAccessToken(token, { issuer, resource, keys });
    await requireActive?.(token);
    if (!requiredScopes.every((scope) => auth.scopes.includes(scope)))
      throw new AccessTokenError("insufficient_scope", "The access token lacks a required scope");
    return auth;
  }

  const gate = createGate({ metadata, metadataUrl, verify });
  return {
    verify: (token, route) => verify(token, required(route)),
    fetch: (handler, route) => wrapFetch(gate, handler, required(route)),
    express: (route) => expressMiddleware(gate, required(route)),
    hono: (route) => honoMiddleware(gate, required(route)),
    metadata,
    metadataPath: metadataUrl.pathname,
  };
}
