// THE MAP: path, method, handler, error channel.

import { Hono } from "hono";
import { clientDocument, clientKeys, publicClientDocument } from "./federation/client-document.ts";
import { type Exchange, type Handler, withChannel } from "./http/channels.ts";
import type { ClientAddress } from "./http/client-address.ts";
import { json, PAGE_HEADERS } from "./http/headers.ts";
import { limitRefusals, limitRequests, unlimited } from "./http/rate-limit.ts";
import { PageError } from "./interaction/page-error.ts";
import type { Events } from "./lib/events.ts";
import { completeInteraction } from "./oauth/authorization-response.ts";
import { authorizationEndpoint, postedAuthorizationRequest } from "./oauth/authorize.ts";
import { decideConsent, showConsent } from "./oauth/consent.ts";
import { isRefusal, jsonErrors, pageErrors } from "./oauth/error-channels.ts";
import { jwksEndpoint } from "./oauth/jwks.ts";
import { metadataEndpoint } from "./oauth/metadata.ts";
import type { OAuthParts } from "./oauth/parts.ts";
import { revocationEndpoint } from "./oauth/revoke.ts";
import { tokenEndpoint } from "./oauth/token.ts";
import { userinfoEndpoint } from "./oauth/userinfo.ts";
import { validationDataEndpoint } from "./oauth/validation-data.ts";
import { assets } from "./pages/assets.ts";
import { continueSession } from "./sign-in/continue.ts";
import { checkDnsChallenge, showDnsChallenge } from "./sign-in/dns-challenge.ts";
import { checkDnsSetUp, showDnsSetUp, startOver } from "./sign-in/dns-setup.ts";
import { chooseOtherDomain, enterDomain, returnToRequest } from "./sign-in/domain.ts";
import { showExternal } from "./sign-in/external.ts";
import { externalCallback } from "./sign-in/external-callback.ts";

/** How a path fails: as JSON, as JSON with refusals counted by address, or as a page. */
type Channel = "json" | "token" | "page";

/** Every path but those of the static files, which `pages/assets` names. */
export const routeTable: readonly (readonly [
  method: "GET" | "POST",
  path: string,
  channel: Channel,
  handler: (parts: OAuthParts) => Handler,
])[] = [
  ["GET", "/oauth/authorize", "page", authorizationEndpoint],
  ["POST", "/oauth/authorize", "page", () => postedAuthorizationRequest],
  ["POST", "/sign-in", "page", enterDomain],
  ["GET", "/sign-in", "page", () => returnToRequest],
  ["POST", "/sign-in/continue", "page", continueSession],
  ["GET", "/sign-in/continue", "page", () => returnToRequest],
  ["POST", "/sign-in/other", "page", chooseOtherDomain],
  ["GET", "/sign-in/other", "page", () => returnToRequest],
  ["GET", "/interaction/:id/dns-setup", "page", showDnsSetUp],
  ["POST", "/interaction/:id/dns-setup", "page", checkDnsSetUp],
  ["POST", "/interaction/:id/start-over", "page", startOver],
  ["GET", "/interaction/:id/dns-challenge", "page", showDnsChallenge],
  ["POST", "/interaction/:id/dns-challenge", "page", checkDnsChallenge],
  ["GET", "/interaction/:id/external", "page", showExternal],
  ["GET", "/federation/callback/:h", "page", externalCallback],
  ["GET", "/interaction/:id/consent", "page", showConsent],
  ["POST", "/interaction/:id/consent", "page", decideConsent],
  ["GET", "/interaction/:id/complete", "page", completeInteraction],
  ["POST", "/oauth/token", "token", tokenEndpoint],
  ["GET", "/oauth/userinfo", "json", userinfoEndpoint],
  ["POST", "/oauth/userinfo", "json", userinfoEndpoint],
  ["GET", "/oauth/validation_data", "json", validationDataEndpoint],
  ["POST", "/oauth/revoke", "token", revocationEndpoint],
  [
    "GET",
    "/.well-known/oauth-authorization-server",
    "json",
    ({ issuer }) => metadataEndpoint(issuer),
  ],
  ["GET", "/.well-known/openid-configuration", "json", ({ issuer }) => metadataEndpoint(issuer)],
  ["GET", "/.well-known/jwks.json", "json", jwksEndpoint],
  ["GET", "/federation/client/:h", "json", clientDocument],
  ["GET", "/federation/public-client/:h", "json", publicClientDocument],
  ["GET", "/federation/jwks.json", "json", clientKeys],
  ["GET", "/livez", "json", () => () => json(200, { status: "alive" })],
  ["GET", "/readyz", "json", readiness],
];

/** What one address gets in a minute: refusals of whoever did not prove to be a client, pages of any kind. */
const REFUSALS = 300;
const PAGES = 600;

/** The service as one web-standard handler. */
export function routesHandler(
  parts: OAuthParts,
  addressOf: ClientAddress,
): (request: Request, info: { clientAddress: string }) => Promise<Response> {
  const app = new Hono<{ Bindings: Bindings }>();
  const [json, page] = [jsonErrors(parts), pageErrors(parts)];
  const channels = { json, token: json, page };
  const limits = {
    json: unlimited,
    token: limitRefusals(REFUSALS, isRefusal),
    page: limitRequests(PAGES),
  };
  const guard = (handler: Handler, channel: Channel, path: string) =>
    reported(withChannel(limits[channel].guard(handler), channels[channel]), path, parts.events);
  const onPath = new Map<string, { channel: Channel; allowed: string[] }>();

  for (const [path, { body, contentType }] of assets) {
    const headers = {
      "content-type": contentType,
      "cache-control": "public, max-age=31536000, immutable",
    };
    app.get(path, () => new Response(body, { headers }));
    onPath.set(path, { channel: "page", allowed: ["GET", "HEAD"] });
  }
  for (const [method, path, channel, handler] of routeTable) {
    const guarded = guard(handler(parts), channel, path);
    app.on(method, path, ({ req, env }) => guarded(exchangeOf(req.raw, req.param(), env)));
    const known = onPath.get(path) ?? { channel, allowed: [] };
    known.allowed.push(...(method === "GET" ? ["GET", "HEAD"] : [method]));
    onPath.set(path, known);
  }
  for (const [path, { channel, allowed }] of onPath) {
    app.all(path, ({ req }) => otherMethod(req.method, channel, allowed.join(", ")));
  }
  const nothing = () => {
    throw new PageError(404, "notFound");
  };
  const nowhere = guard(nothing, "page", "none");
  app.notFound(({ req, env }) => nowhere(exchangeOf(req.raw, {}, env)));
  return async (request, { clientAddress: peer }) => {
    const url = soundUrl(request);
    if (url === null) return new Response(null, { status: 400 });
    return app.fetch(request, { clientAddress: addressOf(request.headers, peer), url });
  };
}

function readiness({ store, isStopping }: OAuthParts): Handler {
  return async () => {
    if (isStopping()) return json(503, { status: "stopping" });
    await store.ping();
    return json(200, { status: "ready" });
  };
}

/** The handler, with each answer told to whoever measures. */
function reported(handler: Handler, route: string, events: Events): Handler {
  return async (exchange) => {
    const began = performance.now();
    const response = await handler(exchange);
    const milliseconds = performance.now() - began;
    const { method } = exchange.request;
    events.answered({ method, route, status: response.status, milliseconds });
    return response;
  };
}

interface Bindings {
  readonly clientAddress: string;
  readonly url: URL;
}

/**
 * What `node:http` lets through although RFC 9112 §3.2 does not: two Host headers, a Host that is
 * none, a user name before the host, a fragment (behind it, a `state` would get lost unseen).
 */
function soundUrl({ url: text, headers }: Request): URL | null {
  if (!URL.canParse(text) || text.includes("#") || headers.get("host")?.includes(",")) return null;
  const url = new URL(text);
  return url.username === "" && url.password === "" ? url : null;
}

/** Host and scheme of the request's URL are the caller's own words, and are left out. */
function exchangeOf(
  request: Request,
  params: Record<string, string>,
  { clientAddress, url: { pathname, search } }: Bindings,
): Exchange {
  return { request, path: pathname, query: search.slice(1), params, clientAddress };
}

/** 405, or the answer to a CORS preflight: JSON endpoints never depend on a cookie. */
function otherMethod(method: string, channel: Channel, allow: string): Response {
  if (channel === "page") {
    const headers = { ...PAGE_HEADERS, "content-type": "text/plain; charset=utf-8", allow };
    return new Response("405 method not allowed\n", { status: 405, headers });
  }
  if (method !== "OPTIONS") {
    const description = `this endpoint takes ${allow}`;
    return json(405, { error: "invalid_request", error_description: description }, { allow });
  }
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": allow,
      "access-control-allow-headers": "Authorization, Content-Type",
      "access-control-max-age": "86400",
    },
  });
}
