// Tests of error responses: each kind of error as JSON, as a page and in the log.

import { beforeEach, describe, expect, test } from "vitest";
import { requestTo } from "../../test/support/oauth-world.ts";
import type { Everything } from "../assemble.ts";
import { ClientDocumentError } from "../clients/client-errors.ts";
import { proveRedirectTarget, type RedirectTarget } from "../clients/redirect-target.ts";
import { TooManyRequestsError } from "../http/rate-limit.ts";
import { MethodError } from "../http/router.ts";
import { PageError } from "../interaction/pending-request.ts";
import { UnavailableError } from "../lib/errors.ts";
import { createErrorResponses, isRefusal } from "./error-channels.ts";
import {
  AuthorizationError,
  BearerError,
  TokenError,
  UntrustedRequestError,
} from "./protocol-errors.ts";

const ID = "abcd2345";
const PATH = "/oauth/somewhere";

let logged: [string, object][];
beforeEach(() => {
  logged = [];
});

const events = new Proxy({} as Everything["events"], {
  get: (_, event) => (fields: object) => void logged.push([String(event), fields]),
});

async function asJson(error: unknown) {
  const response = await createErrorResponses({ events }).json(error, ID, requestTo(PATH));
  const { status, headers } = response;
  expect(headers["content-type"]).toBe("application/json");
  const body = JSON.parse(response.body) as Record<string, unknown>;
  expect(body.error_id).toBe(ID);
  const retryAfter = headers["retry-after"] ?? null;
  const challenge = headers["www-authenticate"] ?? null;
  return { status, says: `${body.error}: ${body.error_description}`, retryAfter, challenge };
}

async function asPage(error: unknown, acceptLanguage = "en") {
  const http = requestTo(PATH, { headers: { "accept-language": acceptLanguage } });
  const response = await createErrorResponses({ events }).page(error, ID, http);
  const html = response.body;
  const { status, headers } = response;
  const [, title] = /<h1>([^<]*)<\/h1>/.exec(html) ?? [];
  if (title !== undefined) expect(html).toContain(`<code id="error-id">${ID}</code>`);
  const retryAfter = headers["retry-after"] ?? null;
  return { status, title, html, retryAfter, to: headers.location ?? null };
}

const refused = (fields: object) => [["refused", { errorId: ID, path: PATH, ...fields }]];

function targetOf(document: boolean): RedirectTarget {
  const uri = "https://app.example.org/cb";
  const rules = { redirect_uris: [uri], application_type: "web" as const };
  const target = proveRedirectTarget(
    { ...rules, ...(document && { document: true as const }) },
    { redirectUri: uri, state: "s", issuer: "https://auth.example.com" },
  );
  if (target === null) throw new Error("not proven");
  return target;
}

const DOCUMENT = { bad: "jwks: is empty.", unreachable: "app.example did not answer." } as const;
const documentError = (kind: keyof typeof DOCUMENT) =>
  new ClientDocumentError(kind, "app.example", DOCUMENT[kind]);

describe("as JSON", () => {
  test("an error of the token endpoint is 400, and its detail is for the log alone", async () => {
    const [reason, detail] = ["the code is used", "already redeemed"];
    const error = new TokenError("invalid_grant", reason, { detail });
    const says = "invalid_grant: the code is used";
    expect(await asJson(error)).toEqual({ status: 400, says, retryAfter: null, challenge: null });
    expect(logged).toEqual(refused({ error: "invalid_grant", reason, found: detail }));
  });

  test("a client that used Basic gets a challenge with that scheme (RFC 6749 §5.2)", async () => {
    const error = new TokenError("invalid_client", "who is it", { challenge: true });
    expect((await asJson(error)).challenge).toBe('Basic realm="domain-signin"');
  });

  test("a refused access token gets a challenge with an error code, a missing one without", async () => {
    const error = new BearerError(403, "insufficient_scope", "openid is missing");
    expect(await asJson(error)).toEqual({
      ...{ status: 403, says: "insufficient_scope: openid is missing", retryAfter: null },
      challenge:
        'Bearer realm="domain-signin", error="insufficient_scope", error_description="openid is missing"',
    });
    expect(await asJson(new BearerError(401, undefined, "send a token"))).toEqual({
      ...{ status: 401, says: "invalid_token: send a token", retryAfter: null },
      challenge: 'Bearer realm="domain-signin"',
    });
    expect(logged).toEqual([
      ...refused({ error: "insufficient_scope", reason: "openid is missing" }),
      ...refused({ error: "no token", reason: "send a token" }),
    ]);
  });

  test("a client's document that cannot be had is 503, in characters that a description may hold", async () => {
    const error = new ClientDocumentError("unreachable", "app.example", 'it said "no".');
    expect(await asJson(error)).toEqual({
      ...{ status: 503, retryAfter: "2", challenge: null },
      says: "temporarily_unavailable: could not fetch the client metadata document: it said no.",
    });
    const found = "unreachable at app.example";
    expect(logged).toEqual(refused({ error: "client document", reason: error.message, found }));
  });

  test("a flood is 429, and only its first request is logged", async () => {
    const says = "temporarily_unavailable: too many requests";
    const answer = { status: 429, says, retryAfter: "41", challenge: null };
    expect(await asJson(new TooManyRequestsError(41, true))).toEqual(answer);
    expect(await asJson(new TooManyRequestsError(41, false))).toEqual(answer);
    const reason = "too many requests: retry after 41 s";
    expect(logged).toEqual(refused({ error: "rate limit", reason }));
  });

  test("a failure of ours is 503 or 500, and the log has its cause", async () => {
    const [outage, bug] = [new UnavailableError("away"), new Error("secret words")];
    expect(await asJson(outage)).toEqual({
      ...{ status: 503, says: "temporarily_unavailable: try again later" },
      ...{ challenge: null, retryAfter: "2" },
    });
    expect(await asJson(bug)).toEqual({
      ...{ status: 500, says: "server_error: internal server error" },
      ...{ challenge: null, retryAfter: null },
    });
    expect(logged).toEqual(
      [outage, bug].map((cause) => ["failed", { errorId: ID, path: PATH, cause }]),
    );
  });
});

test("an unsupported method is 405 with the error ID, and counts as a refusal", async () => {
  const error = new MethodError("TRACE", "GET, HEAD");
  const description = "method not allowed: use GET, HEAD";
  const asked = requestTo(PATH);
  const { status, headers, body } = await createErrorResponses({ events }).json(error, ID, asked);
  expect([status, headers.allow, JSON.parse(body)]).toEqual([
    ...[405, "GET, HEAD"],
    { error: "invalid_request", error_description: description, error_id: ID },
  ]);
  const shown = await createErrorResponses({ events }).page(error, ID, asked);
  expect([shown.status, shown.headers.allow, shown.body]).toEqual([
    ...[405, "GET, HEAD"],
    `405 ${description}\nError ID: ${ID}\n`,
  ]);
  const [line] = refused({ error: "method", reason: description, found: "TRACE" });
  expect(logged).toEqual([line, line]);
  expect(isRefusal(error)).toBe(true);
});

describe("as a page", () => {
  test("an error of a registered client goes back to it", async () => {
    const error = new AuthorizationError(targetOf(false), "invalid_scope", "scope is missing");
    const { status, to } = await asPage(error);
    expect([status, to]).toEqual([
      303,
      `https://app.example.org/cb?error=invalid_scope&error_description=scope+is+missing&error_id=${ID}&state=s&iss=https%3A%2F%2Fauth.example.com`,
    ]);
    expect(logged).toEqual(refused({ error: "invalid_scope", reason: "scope is missing" }));
  });

  test("one of a client that anybody can be stays on a page, but for the person's own answer (RFC 9700 §4.11.2)", async () => {
    const target = targetOf(true);
    const error = new AuthorizationError(target, "invalid_scope", "scope is missing");
    const { status, title, html } = await asPage(error);
    expect([status, title]).toEqual([400, "We could not read the request"]);
    expect(html).toContain("scope is missing");
    expect(html).toContain("Go back to the app and try again.");
    expect(html).toContain("https://app.example.org/cb?error=invalid_scope");
    const denied = await asPage(new AuthorizationError(target, "access_denied", "no"));
    expect(denied.to).toContain("error=access_denied");
  });

  test("a client's document says at whose host the mistake is", async () => {
    const bad = await asPage(documentError("bad"));
    expect([bad.status, bad.title]).toEqual([400, "We cannot accept this app"]);
    expect(bad.html).toContain("(jwks: is empty).");
    expect(bad.html).toContain("app.example sent you here");
    expect(bad.retryAfter).toBeNull();
    const away = await asPage(documentError("unreachable"));
    const shown = [away.status, away.title, away.retryAfter];
    expect(shown).toEqual([503, "We cannot reach the app", "2"]);
    expect(away.html).toContain("app.example did not answer.");
    const kinds = ["bad", "unreachable"] as const;
    const line = (kind: (typeof kinds)[number]) =>
      refused({
        error: "client document",
        reason: DOCUMENT[kind],
        found: `${kind} at app.example`,
      });
    expect(logged).toEqual(kinds.flatMap(line));
  });

  test("a request that proves no client never leaves", async () => {
    const sent = { found: "https://evil.example/?secret", clientId: "app" };
    const error = new UntrustedRequestError("redirectUriNotRegistered", sent);
    const { status, title } = await asPage(error);
    expect([status, title]).toEqual([400, "We cannot send you back to that address"]);
    expect(logged).toEqual(
      refused({
        ...{ error: "untrusted request", reason: "redirectUriNotRegistered", clientId: "app" },
        found: "https://evil.example/",
      }),
    );
    const parameter = "x".repeat(50);
    const repeated = await asPage(new UntrustedRequestError("repeatedParameter", { parameter }));
    expect(repeated.title).toBe("The app’s request is not clear");
    expect(repeated.html).toContain(`“${"x".repeat(40)}”`);
    expect(logged[1]).toMatchObject(["refused", { reason: "repeatedParameter" }]);
  });

  test("a step that cannot be taken leads back to the app, in its language", async () => {
    const pending = {
      ...{ query: "ui_locales=de", clientHost: "app.example.org" },
      backToApp: "https://app.example.org/cb?error=access_denied",
    };
    const { status, html } = await asPage(new PageError(403, "wrongBrowser", pending));
    expect(status).toBe(403);
    expect(html).toContain('lang="de"');
    expect(html).toContain("https://app.example.org/cb?error=access_denied");
    expect(logged).toEqual(refused({ error: "page", reason: "wrongBrowser" }));
    const bare = await asPage(new PageError(400, "expired"));
    expect([bare.status, bare.title]).toEqual([400, "This page has expired"]);
    expect(bare.html).not.toContain("app.example.org");
  });

  test("a flood is 429, and only its first request is logged", async () => {
    for (const isFirst of [true, false]) {
      const { status, title, retryAfter } = await asPage(new TooManyRequestsError(41, isFirst));
      expect([status, title, retryAfter]).toEqual([429, "Too many requests", "41"]);
    }
    const reason = "too many requests: retry after 41 s";
    expect(logged).toEqual(refused({ error: "rate limit", reason }));
  });

  test.each([
    ["en", "Try again in about a minute.", "Try again in about 9 minutes."],
    ["de", "in etwa einer Minute", "in etwa 9 Minuten"],
    ["fr", "dans environ une minute", "dans environ 9 minutes"],
    ["es", "en aproximadamente un minuto", "en aproximadamente 9 minutos"],
    ["pt", "em cerca de um minuto", "em cerca de 9 minutos"],
    ["ar", "بعد دقيقة واحدة تقريبًا", "دقائق تقريبًا"],
  ])("the page of a flood says how long the wait is (%s)", async (language, one, nine) => {
    const waits = [1, 60, 481, 540];
    const pages = await Promise.all(
      waits.map((wait) => asPage(new TooManyRequestsError(wait, false), language)),
    );
    const says = (text: string) => pages.map(({ html }) => html.includes(text));
    expect(says(one)).toEqual([true, true, false, false]);
    expect(says(nine)).toEqual([false, false, true, true]);
  });

  test("a failure of ours is 503 or 500, and the log has its cause", async () => {
    const [outage, bug] = [new UnavailableError("away"), new Error("secret words")];
    const away = await asPage(outage);
    expect([away.status, away.title]).toEqual([503, "We cannot sign you in right now"]);
    expect(away.retryAfter).toBe("2");
    const broken = await asPage(bug);
    expect([broken.status, broken.title]).toEqual([500, "Something went wrong on our side"]);
    expect([broken.retryAfter, broken.html.includes("secret words")]).toEqual([null, false]);
    expect(logged).toEqual(
      [outage, bug].map((cause) => ["failed", { errorId: ID, path: PATH, cause }]),
    );
  });
});

test("the errors have different names", () => {
  const target = targetOf(false);
  const names = [
    new TokenError("invalid_grant", "no"),
    new BearerError(401, undefined, "no"),
    new AuthorizationError(target, "invalid_scope", "no"),
    new ClientDocumentError("bad", "app.example", "no"),
  ].map(({ name }) => name);
  expect(names).toEqual(["TokenError", "BearerError", "AuthorizationError", "ClientDocumentError"]);
});

test("an address is counted for what it is refused, but not for what a proven client is", () => {
  expect(isRefusal(new TokenError("invalid_grant", "no"))).toBe(true);
  const proven = Object.assign(new TokenError("invalid_grant", "no"), { isOfClient: true });
  expect(isRefusal(proven)).toBe(false);
  expect(isRefusal(new Error("no"))).toBe(false);
});
