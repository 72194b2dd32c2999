// Tests of how long the keys of an external SP are remembered.

import { expect, test } from "vitest";
import { clockFrom } from "../lib/clock.ts";
import { createSpKeys } from "./provider.ts";

const URI = "https://sp.example/keys";
const call = { signal: new AbortController().signal };

function world(answer: () => Response = () => Response.json({ keys: [] })) {
  let now = 1_700_000_000_000;
  let asked = 0;
  const fetch = async () => {
    asked++;
    return answer();
  };
  const keys = createSpKeys(
    fetch,
    clockFrom(() => now),
  );
  return {
    read: (forceRefresh = false) => keys.read(URI, call, { forceRefresh }),
    asked: () => asked,
    advance(seconds: number) {
      now += seconds * 1000;
    },
  };
}

test("for an hour", async () => {
  const { read, asked, advance } = world();
  await read();
  advance(3599);
  await read();
  expect(asked()).toBe(1);
  advance(2);
  await read();
  expect(asked()).toBe(2);
});

test("for seconds where they do not fit, so that bad ID tokens are no flood to the SP", async () => {
  const { read, asked, advance } = world();
  await read();
  advance(4);
  await read(true);
  expect(asked()).toBe(1);
  advance(2);
  await read(true);
  await read(true);
  expect(asked()).toBe(2);
});

test.each<[string, () => Response]>([
  ["status 500", () => Response.json({ keys: [] }, { status: 500 })],
  ["no JSON", () => new Response("keys")],
  ["null", () => Response.json(null)],
  ["keys that are no list", () => Response.json({ keys: {} })],
])("%s is no key set, and is not remembered", async (_, bad) => {
  let answer = bad;
  const { read } = world(() => answer());
  await expect(read()).rejects.toMatchObject({ kind: "bad_answer" });
  answer = () => Response.json({ keys: [] });
  expect(await read()).toEqual({ keys: [] });
});
