// Tests of resources that are known by their metadata (RFC 9728): which URIs are asked, and hosts and documents that lie.

import { afterEach, describe, expect, test, vi } from "vitest";
import {
  badResourceDocuments,
  badResourceResponses,
  badResourceUris,
  goodResourceDocument as good,
  RESOURCE_ISSUER as issuer,
  METADATA_PATH,
  RESOURCE_URI as uri,
} from "../../test/support/bad-resources.ts";
import {
  type Answer,
  answerOf,
  publicAddress,
  startWorld,
} from "../../test/support/guarded-world.ts";
import { passingTime, until } from "../../test/support/moving-time.ts";
import { clockFrom } from "../lib/clock.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import { knownResources } from "./known-resources.ts";
import type { RegisteredResources } from "./registered-clients.ts";

const TIMEOUT_MS = 800;
const BEFORE = { acceptsOld: false, from: SERVICE };

let now = 0;
const registered: RegisteredResources = {
  findByUri: async () => null,
  readByUri: async () => null,
  findCaller: async () => null,
  scopes: async () => new Set(["notes:read"]),
};

afterEach(() => void vi.useRealTimers());

/** What is known if the host answers so. `find` acts as the person would. */
async function worldOf(answer: Answer | string | object, changes: object = {}) {
  const sent =
    typeof answer === "object" ? answerOf(JSON.stringify(answer)) : (answer as Answer | string);
  const world = await startWorld(sent, { timeoutMs: TIMEOUT_MS, ...changes });
  const clock = clockFrom(() => now);
  const { fetch } = world;
  const documents = { issuer, fetch, clock, allowLoopback: false };
  const known = knownResources(registered, documents);
  const find = (of = uri) => known.find(of, { mayFetch: true, ...BEFORE });
  return { ...world, known, find };
}

test("a good document makes its resource known, with the scopes that are its own", async () => {
  const scopes_supported = ["tools:call", "openid", "notes:read", "profile"];
  const { find, server } = await worldOf({ ...good, scopes_supported });
  expect(await find()).toEqual({
    outcome: "found",
    isRegistered: false,
    resource: { uri, name: null, scopes: [{ name: "tools:call", description: null }] },
  });
  expect(server.requests[0]).toMatch(`GET ${METADATA_PATH} HTTP/1.1`);
});

test("nothing is fetched for a person who has not acted", async () => {
  const { known, looks } = await worldOf(good);
  const lookup = { mayFetch: false, ...BEFORE };
  expect(await known.find(uri, lookup)).toEqual({ outcome: "unread" });
  expect(looks).toEqual([]);
});

test("a resource that is a whole host may be named without the slash of its URL", async () => {
  const { origin } = new URL(uri);
  const { find, server } = await worldOf({ ...good, resource: origin });
  expect(await find(origin)).toMatchObject({ outcome: "found", resource: { uri: origin } });
  expect(server.requests[0]).toMatch("GET /.well-known/oauth-protected-resource HTTP/1.1");
});

test.each(badResourceUris)("%s is unknown, and no host is asked", async (of, problem) => {
  const { find, looks } = await worldOf(good);
  const found = await find(of);
  expect(found).toEqual({ outcome: "unknown", problem: expect.stringContaining(problem) });
  expect(looks).toEqual([]);
});

describe("a document does not make a resource known", () => {
  test.each(badResourceDocuments)("%s", async (_, document) => {
    const { find } = await worldOf(answerOf(JSON.stringify(document)));
    expect(await find()).toMatchObject({ outcome: "unknown" });
  });

  test.each(badResourceResponses)("%s, which is asked once", async (_, answer, problem) => {
    const { find, server, reached } = await worldOf(answer, { timeoutMs: 20_000 });
    const found = await find();
    expect(found).toEqual({ outcome: "unknown", problem: expect.stringContaining(problem) });
    expect([server.requests.length, reached]).toEqual([1, [`${publicAddress} 443`]]);
  });

  test.each(["10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "fd00::1"])(
    "of a host at %s, to which nothing is sent",
    async (address) => {
      const { find, server, reached } = await worldOf(good, { addresses: [address] });
      expect(await find()).toMatchObject({ outcome: "unknown" });
      expect([server.connections(), reached]).toEqual([0, []]);
    },
  );
});

describe("a host that is slow", () => {
  const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
  let drips = 0;
  /** Sends one character after the other, and the last one again and again. */
  const drip = (text: string): Answer => {
    return (socket) => {
      let sent = 0;
      const timer = setInterval(() => {
        drips++;
        socket.write(text.charAt(Math.min(sent++, text.length - 1)));
      }, 2);
      socket.on("close", () => clearInterval(timer));
    };
  };

  test.each<[string, Answer]>([
    ["never answers", () => void drips++],
    ["sends its head in drips", drip(`${head}x-a: b`)],
    ["sends the document in drips", drip(`${head}content-length: 9999\r\n\r\n{ `)],
  ])(
    "%s is given up at the deadline, once for all who ask, and is no reason to call the resource unknown",
    async (_, answer) => {
      drips = 0;
      const { find, server } = await worldOf(answer);
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const all = Promise.all([find(), find(), find()]);
      await until(() => drips > 0);
      for (const found of await passingTime(all)) {
        expect(found).toEqual({ outcome: "unreachable", problem: expect.any(String) });
      }
      await until(() => server.open() === 0);
      await find();
      expect(server.connections()).toBe(1);
      // A failure is remembered for five seconds.
      now += 5000;
      const again = find();
      await until(() => server.connections() === 2);
      await passingTime(again);
    },
  );
});

test("of a document's scopes those are ignored that could not be shown as they are, and more than 200", async () => {
  const odd = ["a b", 'a"b', "a\\b", "a\u202eb", "ä", "", "x".repeat(65), "<b>".repeat(30)];
  const many = Array.from({ length: 300 }, (_, index) => `s${index}`);
  const { find } = await worldOf({ ...good, scopes_supported: [...odd, ...many] });
  const found = await find();
  if (found.outcome !== "found") throw new Error(found.outcome);
  expect(found.resource.scopes.map(({ name }) => name)).toEqual(many.slice(0, 200));
});
