// Tests of fetching and caching the JSON documents that clients publish.

import { expect, test } from "vitest";
import { TooManyRequestsError } from "../http/rate-limit.ts";
import { clockFrom } from "../lib/clock.ts";
import { ClientDocumentError } from "./client-errors.ts";
import { createRemoteJson } from "./remote-json.ts";

const URL_OF = "https://app.example.org/client";
const FROM = { requesterAddress: "192.0.2.1" };

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

/** Asks for so many documents, each at another host or of another address. */
async function askFor(
  count: number,
  documents: ReturnType<typeof world>["documents"],
  nth: (index: number) => { url: string; requesterAddress: string },
): Promise<void> {
  for (let index = 0; index < count; index++) {
    const { url, requesterAddress } = nth(index);
    await documents.find(url, { requesterAddress });
  }
}
const atAnyHost = (index: number) => `https://app${index}.example.org/client`;

test("it is asked for as JSON", async () => {
  const { asked, documents } = world(good);
  expect(await documents.find(URL_OF, FROM)).toEqual({ a: 1 });
  expect(asked).toEqual([[URL_OF, { headers: { accept: "application/json" } }]]);
});

test("it is counted for the address: 30 in a minute, whatever their hosts", async () => {
  const { asked, documents } = world(good);
  await askFor(30, documents, (index) => ({ url: atAnyHost(index), ...FROM }));
  await expect(documents.find(URL_OF, FROM)).rejects.toBeInstanceOf(TooManyRequestsError);
  expect(asked).toHaveLength(30);
});

test("it is counted for this machine, and for all whose address is not known, as for one address", async () => {
  const { asked, documents } = world(good);
  const addresses = ["::1", "127.0.0.1", ""];
  const nth = (index: number) => ({
    url: atAnyHost(index),
    requesterAddress: addresses[index % 3] ?? "",
  });
  await askFor(30, documents, nth);
  for (const requesterAddress of addresses) {
    const late = documents.find(URL_OF, { requesterAddress });
    await expect(late).rejects.toBeInstanceOf(TooManyRequestsError);
  }
  await documents.find(URL_OF, FROM);
  expect(asked).toHaveLength(31);
});

test("it is counted for the host: 150 in a minute, whatever the addresses", async () => {
  const { asked, documents } = world(good);
  const nth = (index: number) => ({
    url: `${URL_OF}/${index}`,
    requesterAddress: `192.0.2.${index}`,
  });
  await askFor(150, documents, nth);
  await expect(documents.find(URL_OF, FROM)).rejects.toBeInstanceOf(TooManyRequestsError);
  expect(asked).toHaveLength(150);
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
  const from = (index: number) => ({ requesterAddress: `192.0.2.${index % 250}` });
  for (let index = 0; index < 1000; index++) await documents.find(nth(index), from(index));
  await documents.find(nth(0), FROM);
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
