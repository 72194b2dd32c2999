// Tests of the patience of the walk's user: what is opened or submitted again when the service was too slow.

import { expect, onTestFinished, test } from "vitest";
import type { DemoClient } from "../description.ts";
import { listenForWeb } from "../web-listener.ts";
import { createWalkBrowser } from "./browser.ts";
import { createWalkClient } from "./client.ts";

type Answer = readonly [status: number, body: string, headers?: Record<string, string>];

const page = (step: string, more = "") => `<body data-step="${step}">
  <form id="domain-form" method="post" action="/post"><input name="domain"></form>
  <form id="check-form" method="post" action="/check"></form>${more}</body>`;

/** A service that gives these answers one after another, whatever is asked. */
async function service(...answers: readonly Answer[]) {
  const [left, requests]: [Answer[], string[]] = [[...answers], []];
  const { port, close } = await listenForWeb(
    async (request) => {
      requests.push(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`);
      const [status, body, headers = {}] = left.shift() ?? [500, "no answer left"];
      return new Response(body || null, { status, headers });
    },
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(close);
  const issuer = `http://localhost:${port}`;
  const [pauses, lines]: [number[], string[]] = [[], []];
  const sp = { issuer: `${issuer}1`, app: `${issuer}2`, clients: [] };
  const browser = createWalkBrowser(
    { app: `${issuer}3`, issuer, sp },
    (line) => lines.push(line),
    async (milliseconds) => pauses.push(milliseconds),
  );
  return { issuer, browser, requests, pauses, lines };
}

test("a page that says that the service is busy is opened again after the time that it names", async () => {
  const at = await service([503, "", { "retry-after": "7" }], [429, ""], [200, page("domain")]);
  expect((await at.browser.open(`${at.issuer}/start`)).step).toBe("domain");
  expect(at.requests).toEqual(["GET /start ", "GET /start ", "GET /start "]);
  expect(at.pauses).toEqual([7000, 2000]);
  expect(at.lines).toContain(
    "            The service could not do it in time. The next try is in 7 s.",
  );
});

test("a form whose answer is that the service is busy is submitted again, with its fields", async () => {
  const at = await service(
    [200, page("domain")],
    [503, page("domain")],
    [303, "", { location: "/next" }],
    [503, "busy"],
    [200, page("consent")],
  );
  const start = await at.browser.open(`${at.issuer}/start`);
  const next = await at.browser.submit(start, "domain-form", { domain: "alice.test" });
  expect(next.step).toBe("consent");
  const posted = "POST /post domain=alice.test";
  expect(at.requests).toEqual(["GET /start ", posted, posted, "GET /next ", "GET /next "]);
});

test.each(["dns-setup", "dns-challenge"])(
  "a check that leads to the page %s again is repeated",
  async (step) => {
    const at = await service(
      [200, page(step)],
      [303, "", { location: "/again" }],
      [200, page(step)],
      [200, page("consent")],
    );
    const start = await at.browser.open(`${at.issuer}/start`);
    expect((await at.browser.submit(start, "check-form")).step).toBe("consent");
    expect(at.requests).toEqual(["GET /start ", "POST /check ", "GET /again ", "POST /check "]);
    expect(at.pauses).toEqual([2000]);
  },
);

test("a sign-in at the SP that failed is tried again by the link on its page", async () => {
  const at = await service(
    [422, page("external", '<a id="try-again" href="/external">Try again</a>')],
    [303, "", { location: "http://app.test/cb?code=1" }],
  );
  const end = await at.browser.open(`${at.issuer}/callback`, { stopAt: "http://app.test/cb" });
  expect(end.stopped).toBe(true);
  expect(at.requests).toEqual(["GET /callback ", "GET /external "]);
});

test("a service that stays busy is given up after a hundred tries, and the answer is returned", async () => {
  const at = await service(...Array.from({ length: 101 }, (): Answer => [503, "busy"]));
  expect((await at.browser.open(`${at.issuer}/start`)).status).toBe(503);
  expect([at.requests.length, at.pauses.length]).toEqual([100, 99]);
});

test("any other error is not tried again", async () => {
  const at = await service([500, "broken"]);
  expect((await at.browser.open(`${at.issuer}/start`)).status).toBe(500);
  expect(at.requests).toHaveLength(1);
});

test("the app sends a refresh token again while the token endpoint asks for it", async () => {
  const tokens = { access_token: "a", refresh_token: "r", token_type: "bearer", expires_in: 3600 };
  const at = await service(
    [503, '{"error":"temporarily_unavailable"}', { "retry-after": "0" }],
    [200, JSON.stringify({ ...tokens, scope: "openid" })],
  );
  const client: DemoClient = {
    ...{ client_id: "c", client_secret: "s", type: "confidential", application_type: "web" },
    ...{ redirect_uris: ["http://app.test/cb"], scope: "openid", consent: "first" },
  };
  const demo = { issuer: at.issuer, zone_editor: at.issuer, clients: [client] };
  const narrated: string[] = [];
  const app = createWalkClient(demo, (line) => narrated.push(line));
  expect((await app.refresh("old")).refresh_token).toBe("r");
  const sent = "POST /oauth/token grant_type=refresh_token&refresh_token=old&client_id=c";
  expect(at.requests).toEqual([sent, sent]);
});
