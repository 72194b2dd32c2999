// THE MAP: path, method, handler, error channel.

import { Hono } from "hono";
import { type Exchange, type Handler, withChannel } from "./http/channels.ts";
import { json } from "./http/headers.ts";
import { PageError } from "./interaction/page-error.ts";
import { completeInteraction } from "./oauth/authorization-response.ts";
import { authorizationEndpoint, postedAuthorizationRequest } from "./oauth/authorize.ts";
import { decideConsent, showConsent } from "./oauth/consent.ts";
import { jsonErrors, pageErrors } from "./oauth/error-channels.ts";
import { metadataEndpoint } from "./oauth/metadata.ts";
import type { OAuthParts } from "./oauth/parts.ts";
import { revocationEndpoint } from "./oauth/revoke.ts";
import { tokenEndpoint } from "./oauth/token.ts";
import { userinfoEndpoint } from "./oauth/userinfo.ts";
import { assets } from "./pages/assets.ts";
import { continueSession } from "./sign-in/continue.ts";
import { checkDnsChallenge, showDnsChallenge } from "./sign-in/dns-challenge.ts";
import { checkDnsSetUp, showDnsSetUp, startOver } from "./sign-in/dns-setup.ts";
import { enterDomain, returnToRequest } from "./sign-in/domain.ts";

type Channel = "json" | "page";
type Route = readonly [method: "GET" | "POST", path: string, channel: Channel, handler: Handler];

function routesOf(parts: OAuthParts): readonly Route[] {
  return [
    ["GET", "/oauth/authorize", "page", authorizationEndpoint(parts)],
    ["POST", "/oauth/authorize", "page", postedAuthorizationRequest],
    ["POST", "/sign-in", "page", enterDomain(parts)],
    ["GET", "/sign-in", "page", returnToRequest],
    ["POST", "/sign-in/continue", "page", continueSession(parts)],
    ["GET", "/sign-in/continue", "page", returnToRequest],
    ["GET", "/interaction/:id/dns-setup", "page", showDnsSetUp(parts)],
    ["POST", "/interaction/:id/dns-setup", "page", checkDnsSetUp(parts)],
    ["POST", "/interaction/:id/start-over", "page", startOver(parts)],
    ["GET", "/interaction/:id/dns-challenge", "page", showDnsChallenge(parts)],
    ["POST", "/interaction/:id/dns-challenge", "page", checkDnsChallenge(parts)],
    ["GET", "/interaction/:id/consent", "page", showConsent(parts)],
    ["POST", "/interaction/:id/consent", "page", decideConsent(parts)],
    ["GET", "/interaction/:id/complete", "page", completeInteraction(parts)],
    ["POST", "/oauth/token", "json", tokenEndpoint(parts)],
    ["GET", "/oauth/userinfo", "json", userinfoEndpoint(parts)],
    ["POST", "/oauth/revoke", "json", revocationEndpoint(parts)],
    ["GET", "/.well-known/oauth-authorization-server", "json", metadataEndpoint(parts.issuer)],
    ["GET", "/livez", "json", () => json(200, { status: "alive" })],
    ["GET", "/readyz", "json", () => parts.store.ping().then(() => json(200, { status: "ready" }))],
  ];
}

/** The service as one web-standard handler. */
export function routesHandler(
  parts: OAuthParts,
): (request: Request, info: { clientAddress: string }) => Promise<Response> {
  const app = new Hono<{ Bindings: { clientAddress: string } }>();
  const channels = { json: jsonErrors(parts), page: pageErrors(parts) };
  const onPath = new Map<string, { channel: Channel; allowed: string[] }>();

  for (const [method, path, channel, handler] of routesOf(parts)) {
    const guarded = withChannel(handler, channels[channel]);
    app.on(method, path, ({ req, env }) => guarded(exchangeOf(req.raw, req.param(), env)));
    const known = onPath.get(path) ?? { channel, allowed: [] };
    known.allowed.push(...(method === "GET" ? ["GET", "HEAD"] : [method]));
    onPath.set(path, known);
  }
  for (const [path, { channel, allowed }] of onPath) {
    app.all(path, ({ req }) => otherMethod(req.method, channel, allowed.join(", ")));
  }
  for (const [path, { body, contentType }] of assets) {
    const headers = {
      "content-type": contentType,
      "cache-control": "public, max-age=31536000, immutable",
    };
    app.get(path, () => new Response(body, { headers }));
  }
  const nowhere = withChannel(() => {
    throw new PageError(404, "notFound");
  }, channels.page);
  app.notFound(({ req, env }) => nowhere(exchangeOf(req.raw, {}, env)));
  return async (request, info) => app.fetch(request, info);
}

/** Host and scheme of the request's URL are the caller's own words, and are left out. */
function exchangeOf(
  request: Request,
  params: Record<string, string>,
  { clientAddress }: { clientAddress: string },
): Exchange {
  const { pathname, search } = new URL(request.url);
  return { request, path: pathname, query: search.slice(1), params, clientAddress };
}

/** 405, or the answer to a CORS preflight: JSON endpoints never depend on a cookie. */
function otherMethod(method: string, channel: Channel, allow: string): Response {
  if (channel === "page")
    return new Response("405 method not allowed\n", { status: 405, headers: { allow } });
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
