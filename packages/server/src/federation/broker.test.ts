// Tests of what is asked of an SP that is this service itself.

import { expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { noSigningKeys } from "../../test/support/test-keys.ts";
import { sealWith } from "../keys/seal.ts";
import { clockFrom } from "../lib/clock.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import { systemRandom } from "../lib/random.ts";
import { createBroker } from "./broker.ts";

const store = fixture(openMemoryStore);

test.each([
  ["https://auth.example/", "own_issuer", 0],
  ["https://auth.example/oauth/authorize", "own_issuer", 0],
  ["http://auth.example", "own_issuer", 0],
  ["https://auth.example.net", "bad_metadata", 2],
])("for %s, the problem is %s after %d requests", async (sp, kind, requests) => {
  const urls: string[] = [];
  const broker = createBroker({
    issuer: "https://auth.example",
    ...store,
    ...{ seal: sealWith("a secret", systemRandom), random: systemRandom },
    ...{ clock: clockFrom(() => 1_700_000_000_000), allowLoopback: false },
    assertionKey: noSigningKeys.signingKeyAt,
    async fetch(url) {
      urls.push(url);
      return new Response(null, { status: 404 });
    },
  });
  expect(await broker.prepare(sp, SERVICE)).toMatchObject({
    outcome: "problem",
    problem: { kind },
  });
  expect(urls).toHaveLength(requests);
});
