// Tests of looking up clients with metadata documents: which URLs are valid, caching.

import { describe, expect, test } from "vitest";
import { requesterAt } from "../http/requester.ts";
import { clockFrom } from "../lib/clock.ts";
import { BusyError } from "../lib/errors.ts";
import { GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import { withDocuments } from "./client-documents.ts";
import { ClientDocumentError } from "./client-errors.ts";

const ID = "https://app.example.org/client";
const FROM = { from: requesterAt("192.0.2.1") };

/** Fake clients: each URL serves its own document, unless `answers.next` replaces the response. */
function world({ allowLoopback = false } = {}) {
  const asked: string[] = [];
  const answers: { next?: () => Response | Promise<Response> } = {};
  let now = 1_700_000_000_000;
  const fetch = async (url: string) => {
    asked.push(url);
    const redirect_uris = [`${new URL(url).origin}/cb`];
    return answers.next?.() ?? Response.json({ client_id: url, redirect_uris });
  };
  const registered = { find: async () => null };
  const clock = clockFrom(() => now);
  const issuer = allowLoopback ? "http://localhost:8080" : "https://auth.example";
  const { clients, clientKeys } = withDocuments(registered, {
    ...{ issuer, fetch, clock, allowLoopback },
  });
  const outcomeOf = async (id: string) => {
    try {
      return (await clients.find(id, FROM)) === null ? "no document" : "found";
    } catch (error) {
      if (error instanceof BusyError) return "busy";
      if (!(error instanceof ClientDocumentError)) throw error;
      return `${error.kind}: ${error.message}`;
    }
  };
  const advance = (seconds: number) => {
    now += seconds * 1000;
  };
  return { asked, answers, clients, clientKeys, outcomeOf, advance };
}

describe("a client_id", () => {
  test.each([
    ["dsid_registered", "no document"],
    ["http://app.example.org/client", "no document"],
    ["http://localhost:4711/client", "no document"],
    ["https://app.example.org", "bad: client_id: has no path"],
    ["https://app.example.org/client#x", "bad: client_id: has a fragment"],
    [
      "https://auth.example/federation/client/h",
      "bad: client_id: must not be a URL of this service",
    ],
    ["https://auth.example.org/client", "found"],
    ["https://user@app.example.org/client", "bad: client_id: contains a user name or password"],
    ["https://@app.example.org/client", "bad: client_id: contains a user name or password"],
    ["https://app.example.org/../client", "bad: client_id: is not a normalized URL"],
    ["https://app.example.org/a/%2e%2e/client", "bad: client_id: is not a normalized URL"],
    ["https://APP.example.org/client", "bad: client_id: is not a normalized URL"],
    ["https://app.example.org:443/client", "bad: client_id: is not a normalized URL"],
    ["https://app.example.org:8443/client", "bad: client_id: must not contain a port"],
    ["https:/app.example.org/client", "bad: client_id: is not a normalized URL"],
    ["https://app.example.org\\client", "bad: client_id: is not a normalized URL"],
    ["https://", "bad: client_id: is not a URL"],
    [`https://app.example.org/${"x".repeat(2000)}`, "bad: client_id: is longer"],
    ["https://app.example.org/", "found"],
    ["https://app.example.org/client?version=2", "found"],
    [ID, "found"],
  ])("%s: %s", async (id, words) => {
    const { outcomeOf, asked } = world();
    expect(await outcomeOf(id)).toMatch(new RegExp(`^${words}`));
    expect(asked).toEqual(words === "found" ? [id] : []);
  });

  test("of this machine is one only beside an issuer of this machine", async () => {
    const { outcomeOf } = world({ allowLoopback: true });
    expect(await outcomeOf("http://localhost:4711/client")).toBe("found");
    expect(await outcomeOf("http://127.0.0.1:4711/client")).toBe("no document");
  });
});

describe("a document is remembered", () => {
  test.each([
    [undefined, 3600],
    ["max-age=60", 60],
    ["public, max-age=999999", 3600],
    ["max-age=0", 10],
    ["no-store", 10],
    ["no-cache, max-age=500", 10],
  ])("with Cache-Control %s for %i seconds", async (cacheControl, seconds) => {
    const { answers, asked, outcomeOf, advance } = world();
    const headers = { ...(cacheControl && { "cache-control": cacheControl }) };
    const body = { client_id: ID, redirect_uris: ["https://app.example.org/cb"] };
    answers.next = () => Response.json(body, { headers });
    await outcomeOf(ID);
    advance(seconds - 1);
    expect([await outcomeOf(ID), asked.length]).toEqual(["found", 1]);
    advance(1);
    expect([await outcomeOf(ID), asked.length]).toEqual(["found", 2]);
  });

  test("and asked for once by all who want it at once", async () => {
    const { asked, outcomeOf } = world();
    const found = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(ID)));
    expect([new Set(found), asked.length]).toEqual([new Set(["found"]), 1]);
  });

  test("and a failure for a few seconds only", async () => {
    const { answers, asked, outcomeOf, advance } = world();
    answers.next = () => Response.json({}, { status: 404 });
    expect(await outcomeOf(ID)).toBe(
      "bad: app.example.org responded with status 404 instead of 200.",
    );
    delete answers.next;
    advance(4);
    expect([await outcomeOf(ID), asked.length]).toEqual([expect.stringMatching("404"), 1]);
    advance(1);
    expect([await outcomeOf(ID), asked.length]).toEqual(["found", 2]);
  });
});

describe("what cannot be had", () => {
  const failing = (code: GuardedFetchError["code"]) => () =>
    Promise.reject(new GuardedFetchError(code, "app.example.org"));

  test.each<[string, () => Response | Promise<Response>, string]>([
    ["a host without an address", failing("unresolved"), "unreachable"],
    ["a host that is down", failing("unreachable"), "unreachable"],
    ["a slow host", failing("timeout"), "unreachable"],
    ["too much at once", failing("busy"), "busy"],
    ["a private address", failing("not_public"), "bad"],
    ["a redirect", failing("redirect"), "bad"],
    ["too large a document", failing("too_large"), "bad"],
    ["a page", failing("not_json"), "bad"],
    ["a compressed document", failing("encoded"), "bad"],
    ["a failing host", () => Response.json({}, { status: 502 }), "unreachable"],
    ["an overloaded host", () => Response.json({}, { status: 429 }), "unreachable"],
    ["nothing there", () => Response.json({}, { status: 404 }), "bad"],
    ["an empty answer", () => new Response(null, { status: 204 }), "bad"],
    ["half of a document", () => new Response('{"client_id":'), "bad"],
  ])("because of %s", async (_, answer, kind) => {
    const { answers, outcomeOf } = world();
    answers.next = answer;
    expect((await outcomeOf(ID)).split(":")[0]).toBe(kind);
  });
});

test("whoever has documents remembered without end forgets those that nobody uses first", async () => {
  const { asked, outcomeOf, advance } = world();
  await outcomeOf(ID);
  for (let index = 0; index < 1000; index++) {
    await outcomeOf(`https://app${index}.example.net/client`);
    if (index % 100 === 0) await outcomeOf(ID);
  }
  advance(5);
  expect(await outcomeOf(ID)).toBe("found");
  expect(asked.filter((url) => url === ID)).toHaveLength(1);
});

test("keys at a jwks_uri are asked for again at most every few seconds", async () => {
  const { answers, asked, clients, clientKeys, advance } = world();
  const jwks_uri = "https://app.example.org/jwks";
  const body = { client_id: ID, redirect_uris: ["https://app.example.org/cb"], jwks_uri };
  answers.next = () => Response.json({ ...body, token_endpoint_auth_method: "private_key_jwt" });
  const client = await clients.find(ID, FROM);
  if (client === null) throw new Error("not found");
  answers.next = () => Response.json({ keys: [{ kty: "EC" }] });
  const keys = (forceRefresh: boolean) => clientKeys(client, { ...FROM, forceRefresh });
  await keys(false);
  for (let index = 0; index < 10; index++) await keys(true);
  expect(asked.filter((url) => url === jwks_uri)).toHaveLength(1);
  advance(5);
  for (let index = 0; index < 10; index++) await keys(true);
  expect(asked.filter((url) => url === jwks_uri)).toHaveLength(2);
});

test("of a client without keys there are none, also when its document is asked again", async () => {
  const { answers, clients, clientKeys } = world();
  const client = await clients.find(ID, FROM);
  if (client === null) throw new Error("not found");
  const keys = (forceRefresh: boolean) => clientKeys(client, { ...FROM, forceRefresh });
  expect(await keys(false)).toEqual({ keys: [] });
  expect(await keys(true)).toEqual({ keys: [] });
  expect(answers.next).toBeUndefined();
});
