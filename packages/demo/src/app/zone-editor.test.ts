// Tests of the zone editor over HTTP: as scripts use it, as a browser does, as a stranger might.

import { afterAll, beforeEach, expect, test } from "vitest";
import { createUserAgent } from "../browser/user-agent.ts";
import { listenForWeb, type WebListener } from "../web-listener.ts";
import { createZoneRecords, type ZoneRecords } from "../zones/zone-records.ts";
import { createApp } from "./app.ts";

const domains = ["alice.test", "bob.test"];
const record = {
  name: "_domain-signin.alice.test",
  type: "TXT",
  value: 'v=dsi1 "x" <y>',
  ttl: 60,
};

const listeners: WebListener[] = [];
let records: ZoneRecords;
let origin: string;

beforeEach(async () => {
  records = createZoneRecords(domains);
  let app: ReturnType<typeof createApp> | undefined;
  const listener = await listenForWeb((request) => app?.(request) ?? new Response(), {
    host: "127.0.0.1",
    port: 0,
  });
  listeners.push(listener);
  origin = `http://localhost:${listener.port}`;
  const zone = { ...records, address: "127.0.0.1:53" };
  const otherApp = "http://localhost:3";
  app = createApp({ origin, issuer: "http://localhost:1", client, zone, domains, otherApp });
});
afterAll(async () => {
  for (const listener of listeners) await listener.close();
});

const client = {
  client_id: "app",
  client_secret: null,
  type: "public",
  application_type: "web",
  redirect_uris: ["http://localhost:2/callback"],
  scope: "openid",
  consent: "first",
} as const;

test.each(["/zone", "/zone/records"])("a script adds and removes a record at %s", async (path) => {
  expect((await send("POST", path, record)).status).toBe(201);
  const listed = await fetch(`${origin}/zone/records`);
  expect(listed.status).toBe(200);
  expect(await listed.json()).toEqual([record]);
  expect((await send("DELETE", path, record)).status).toBe(204);
  expect(records.records()).toEqual([]);
  const again = await send("DELETE", path, record);
  expect(again.status).toBe(404);
  expect(await again.json()).toMatchObject({ error: "not_found" });
});

test("the TTL may be left out", async () => {
  const { ttl: _, ...rest } = record;
  expect((await send("POST", "/zone/records", rest)).status).toBe(201);
  expect(records.records()).toEqual([{ ...rest, ttl: 300 }]);
});

test.each([
  ["no JSON", "{"],
  ["no object", "[]"],
  ["a field that is missing", JSON.stringify({ name: "alice.test", type: "TXT" })],
  ["a TTL that is no number", JSON.stringify({ ...record, ttl: "60" })],
  ["a TTL below zero", JSON.stringify({ ...record, ttl: -1 })],
  ["a name outside the zone", JSON.stringify({ ...record, name: "example.com" })],
  ["a name that is none", JSON.stringify({ ...record, name: "a..alice.test" })],
  ["another type", JSON.stringify({ ...record, type: "MX" })],
])("%s is 400 with the reason", async (_, body) => {
  const response = await send("POST", "/zone/records", body);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    error: "invalid_request",
    error_description: expect.stringMatching(/\w/),
  });
  expect(records.records()).toEqual([]);
});

test("a browser adds a record, sees it and deletes it", async () => {
  const agent = createUserAgent();
  const page = await agent.open(`${origin}/zone`);
  const { name, type, value } = record;
  const added = await agent.submit(page, "add-form", { name: ` ${name} `, type, value, ttl: "60" });
  expect(added).toMatchObject({ url: `${origin}/zone`, status: 200, step: "zone" });
  expect(records.records()).toEqual([record]);
  expect(added.html).toContain("v=dsi1 &quot;x&quot; &lt;y&gt;");
  await agent.submit(added, "delete-form-0");
  expect(records.records()).toEqual([]);
});

test("a mistake in the form is told, and what was typed is kept", async () => {
  const agent = createUserAgent();
  const page = await agent.open(`${origin}/zone`);
  const typed = { name: "x.example.com", value: '"><script>', ttl: "soon" };
  const refused = await agent.submit(page, "add-form", typed);
  expect(refused.status).toBe(400);
  expect(refused.text("mistake")).toBe('The TTL "soon" is not a number of seconds.');
  const form = refused.forms.find(({ id }) => id === "add-form");
  expect(form?.controls).toContainEqual({ name: "value", value: '"><script>', isOn: true });
  expect(records.records()).toEqual([]);
});

test.each([
  ["a form of another origin", { origin: "http://localhost:1" }, form()],
  ["a form of a host name that leads here", { origin: "http://evil.test" }, form()],
  ["a form of the same site", { "sec-fetch-site": "same-site" }, form()],
  ["a form that does not say where it comes from", {}, form()],
  ["JSON of another origin", { origin: "null" }, JSON.stringify(record)],
  [
    "JSON as text of another origin, which any page may send",
    { "content-type": "text/plain", origin: "http://evil.test" },
    JSON.stringify(record),
  ],
])("%s changes nothing", async (_, headers, body) => {
  const type = body.startsWith("{") ? "application/json" : "application/x-www-form-urlencoded";
  const response = await fetch(`${origin}/zone`, {
    method: "POST",
    headers: { "content-type": type, ...headers },
    body,
  });
  expect(response.status).toBe(403);
  expect(records.records()).toEqual([]);
});

function form(): string {
  return new URLSearchParams({ ...record, ttl: "60", change: "add" }).toString();
}

function send(method: string, path: string, body: unknown): Promise<Response> {
  return fetch(origin + path, {
    method,
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}
