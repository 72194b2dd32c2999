// Tests of fetching and caching the JSON documents that clients publish.

import { expect, test } from "vitest";
import { requesterAt } from "../http/requester.ts";
import { clockFrom } from "../lib/clock.ts";
import { GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import { ClientDocumentError } from "./client-errors.ts";
import { createRemoteJson } from "./remote-json.ts";

const URL_OF = "https://app.example.org/client";
const FROM = { from: requesterAt("192.0.2.1") };

function world(answer: () => Promise<Response>) {
  const asked: [string, RequestInit | undefined][] = [];
  let now = 1_700_000_000_000;
  const deps = {
    fetch: async (url: string, init?: object) => {
      asked.push([url, init as RequestInit | undefined]);
      return answer();
    },
    clock: clockFrom(() => now),
    issuer: "https://issuer.test",
    allowLoopback: false,
  };
  const documents = createRemoteJson(deps)(async (body) => body);
  const advance = (milliseconds: number) => {
    now += milliseconds;
  };
  return { asked, documents, advance };
}

const good = async () => Response.json({ a: 1 });

const atAnyHost = (index: number) => `https://app${index}.example.org/client`;

test("it is asked for as JSON", async () => {
  const { asked, documents } = world(good);
  expect(await documents.find(URL_OF, FROM)).toEqual({ a: 1 });
  expect(asked).toEqual([[URL_OF, { headers: { accept: "application/json" }, ...FROM }]]);
});

test("who is refused a turn is told that this service is busy, and nobody else who reads the same", async () => {
  let isFull = true;
  const { asked, documents } = world(async () => {
    if (!isFull) return good();
    isFull = false;
    throw new GuardedFetchError("busy", "app.example.org");
  });
  const flood = documents.find(URL_OF, { from: requesterAt("203.0.113.1") });
  const home = documents.find(URL_OF, FROM);
  await expect(flood).rejects.toMatchObject({ code: "busy" });
  expect(await home).toEqual({ a: 1 });
  expect(asked).toHaveLength(2);
});

test.each<[string, ResponseInit, "bad" | "unreachable", string]>([
  ["500", { status: 500 }, "unreachable", "responded with status 500 instead of 200."],
  ["499", { status: 499 }, "bad", "responded with status 499 instead of 200."],
  ["no JSON", {}, "bad", "responded with a body that is not JSON."],
])("%s is explained to the operator of the host", async (_, init, kind, words) => {
  const { documents } = world(async () => new Response("<p>", init));
  const error = await documents.find(URL_OF, FROM).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ClientDocumentError);
  expect(error).toMatchObject({ kind, message: `app.example.org ${words}` });
});

test("a failure of ours is no fault of the host's, and is not remembered", async () => {
  const bug = new Error("a bug");
  let fails = true;
  const { documents } = world(async () => {
    if (fails) throw bug;
    return good();
  });
  await expect(documents.find(URL_OF, FROM)).rejects.toBe(bug);
  fails = false;
  expect(await documents.find(URL_OF, FROM)).toEqual({ a: 1 });
});

test("a thousand are remembered, and the one that was used least recently makes room", async () => {
  const { asked, documents } = world(good);
  const nth = atAnyHost;
  const here = FROM;
  for (let index = 0; index < 1000; index++) await documents.find(nth(index), here);
  await documents.find(nth(0), here);
  expect(asked).toHaveLength(1000);
  await documents.find(nth(1000), FROM);
  await documents.find(nth(0), FROM);
  expect(asked).toHaveLength(1001);
  await documents.find(nth(1), FROM);
  expect(asked).toHaveLength(1002);
});

test("one that is asked for anew is at most five seconds old", async () => {
  const { asked, documents, advance } = world(good);
  await documents.find(URL_OF, FROM);
  advance(4999);
  await documents.find(URL_OF, { ...FROM, forceRefresh: true });
  expect(asked).toHaveLength(1);
  advance(1);
  await documents.find(URL_OF, { ...FROM, forceRefresh: true });
  expect(asked).toHaveLength(2);
});
