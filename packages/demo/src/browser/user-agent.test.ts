// Tests of the browser without JavaScript, against a server that echoes each request.

import { afterAll, beforeAll, expect, test } from "vitest";
import { listenForWeb, type WebListener } from "../web-listener.ts";
import { createUserAgent, type Page, type TracedExchange } from "./user-agent.ts";

let listener: WebListener;
let origin: string;

const formPage = `<body data-step="form">
<form id="post" method="post" action="/echo?kept=1"><input type="hidden" name="h" value="a&amp;b">
<input name="domain" value="alice.test"></form>
<form id="get" action="/echo?dropped=1"><input type="hidden" name="q" value="1"><button>Go</button></form>
<form id="choice" method="post" action="/echo"><button name="decision" value="allow">Yes</button>
<button name="decision" value="deny">No</button></form>
<form id="file" method="post" action="/echo" enctype="multipart/form-data"></form>
<code id="value">x</code><a id="back" href="../back?a=1&amp;b=2">Back</a></body>`;

beforeAll(async () => {
  listener = await listenForWeb(answer, { host: "127.0.0.1", port: 0 });
  origin = `http://localhost:${listener.port}`;
});
afterAll(() => listener.close());

async function answer(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers({ "content-type": "text/html" });
  switch (pathname) {
    case "/page":
      return new Response(formPage, { headers });
    case "/set":
      headers.append("set-cookie", "one=1; Path=/");
      headers.append("set-cookie", "two=2; Path=/");
      headers.set("location", "/echo");
      return new Response(null, { status: 303, headers });
    case "/to-app":
      return new Response(null, {
        status: 302,
        headers: { location: "http://app.test/cb?code=1" },
      });
    case "/loop":
      return new Response(null, { status: 303, headers: { location: "/loop" } });
    case "/kept-method":
      return new Response(null, { status: 307, headers: { location: "/echo" } });
    case "/echo": {
      const { method } = request;
      const of = (name: string) => request.headers.get(name);
      const got = { method, search, body: await request.text(), cookie: of("cookie") };
      const senders = { origin: of("origin"), referer: of("referer"), type: of("content-type") };
      return Response.json({ ...got, ...senders }, { status: 418 });
    }
    default:
      return new Response("<p>none</p>", { status: 404, headers });
  }
}

test("a page is its address, its status, its step and its texts and links by id", async () => {
  const page = await createUserAgent().open(`${origin}/page`);
  expect(page).toMatchObject({ url: `${origin}/page`, status: 200, step: "form", stopped: false });
  expect(page.text("value")).toBe("x");
  expect(page.link("back")).toBe(`${origin}/back?a=1&b=2`);
  expect(page.has("value")).toBe(true);
  expect(page.has("nothing")).toBe(false);
  expect(() => page.text("nothing")).toThrow(
    '/page (status 200, step form) has no element "nothing"',
  );
  expect(() => page.link("value")).toThrow("is not a link");
});

test("a POST form sends every field, its origin and no referrer", async () => {
  const agent = createUserAgent();
  const page = await agent.open(`${origin}/page`);
  expect(readEcho(await agent.submit(page, "post", { domain: "bob.test" }))).toEqual({
    method: "POST",
    search: "?kept=1",
    body: "h=a%26b&domain=bob.test",
    cookie: null,
    origin,
    referer: null,
    type: "application/x-www-form-urlencoded",
  });
});

test("a GET form replaces the query of its action", async () => {
  const agent = createUserAgent();
  const page = await agent.open(`${origin}/page`);
  const sent = readEcho(await agent.submit(page, "get"));
  expect(sent).toMatchObject({ method: "GET", search: "?q=1", body: "", origin: null });
});

test("a button is pressed by its field, its value or its name", async () => {
  const agent = createUserAgent();
  const page = await agent.open(`${origin}/page`);
  const allowed = await agent.submit(page, "choice", { decision: "allow" });
  expect(readEcho(allowed).body).toBe("decision=allow");
  const denied = await agent.submit(page, "choice", {}, { button: "deny" });
  expect(readEcho(denied).body).toBe("decision=deny");
});

test.each([
  ["nothing", {}, {}, 'has no form "nothing"; its forms: post, get, choice, file'],
  ["post", { domian: "bob.test" }, {}, 'has no field "domian"; its fields: h, domain'],
  ["choice", {}, {}, "has several buttons, so name one of: allow, deny"],
  ["choice", { decision: "maybe" }, {}, 'has no field "decision"'],
  ["choice", {}, { button: "maybe" }, 'has no button "maybe"'],
  ["file", {}, {}, "is sent as multipart/form-data"],
])("submitting %s with %j and %j is refused: %s", async (form, fields, options, message) => {
  const agent = createUserAgent();
  const page = await agent.open(`${origin}/page`);
  await expect(agent.submit(page, form, { ...fields }, options)).rejects.toThrow(message);
});

test("cookies of a redirect are kept and sent on", async () => {
  const seen: TracedExchange[] = [];
  const agent = createUserAgent({ trace: (exchange) => seen.push(exchange) });
  expect(readEcho(await agent.open(`${origin}/set`)).cookie).toBe("one=1; two=2");
  expect(seen.map(({ status, location }) => [status, location])).toEqual([
    [303, `${origin}/echo`],
    [418, undefined],
  ]);
});

test("a redirect to the given prefix ends the way without a request", async () => {
  const page = await createUserAgent().open(`${origin}/to-app`, { stopAt: "http://app.test/cb" });
  expect(page).toMatchObject({ url: "http://app.test/cb?code=1", status: 302, stopped: true });
  expect(() => page.text("value")).toThrow(
    'the redirect to http://app.test/cb has no element "value"',
  );
});

test("a page with an error status is a page", async () => {
  expect((await createUserAgent().open(`${origin}/nowhere`)).status).toBe(404);
});

test("a redirect without end or with its method kept is not followed", async () => {
  const agent = createUserAgent();
  await expect(agent.open(`${origin}/loop`)).rejects.toThrow("redirects more than 20 times");
  await expect(agent.open(`${origin}/kept-method`)).rejects.toThrow("answered 307");
});

function readEcho(page: Page): Record<string, unknown> {
  return JSON.parse(page.html) as Record<string, unknown>;
}
