// Tests of how an interaction begins: what is counted and kept before anything is stored.

import { expect, it, vi } from "vitest";
import { testCookies } from "../../test/support/cookies.ts";
import { httpRequest } from "../../test/support/http-request.ts";
import { ROOMS } from "../../test/support/rooms.ts";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { createFlow } from "./flow.ts";
import type { PendingRequest } from "./pending-request.ts";
import { SET_UP } from "./progress.ts";

const request = new Request("https://auth.example.com/sign-in");
const http = httpRequest(request, { clientAddress: "192.0.2.1" });

type Stored = Readonly<Record<"query", string> & Record<"createdAt" | "expiresAt", number>>;

function begin(query: string) {
  const stored = vi.fn(async (_row: Stored, _networks: string) => {});
  const enter = vi.fn((_: { octets: number }) => {});
  const deps = {
    ...{ cookies: testCookies("https://auth.example.com"), random: systemRandom },
    ...{ clock: clockFrom(() => 1_800_000_000_000) },
    unproved: { ...ROOMS.unproved, enter, networksFor: () => "the networks" },
    ...{
      interactions: { beginInteraction: stored } as never,
      enrolments: {} as never,
      consents: {} as never,
    },
    ...{ sessions: {} as never, browserSessions: {} as never, events: {} as never },
    completeInteraction: () => Promise.reject(new Error("no code here")),
  };
  const request = { query, clientId: "app" } as PendingRequest;
  const start = { domain: "alice.test", progress: SET_UP };
  return { begun: createFlow(deps).begin({ http, request }, start), stored, enter };
}

it("has a place in the room of its requester before it is stored, with its size and networks", async () => {
  const { begun, stored, enter } = begin("client_id=app");
  await begun;
  expect(enter.mock.calls[0]?.[0].octets).toBeGreaterThan(
    JSON.stringify(stored.mock.calls[0]?.[0]).length,
  );
  expect(stored.mock.calls[0]?.[1]).toBe("the networks");
  expect(enter.mock.invocationCallOrder[0]).toBeLessThan(stored.mock.invocationCallOrder[0] ?? 0);
});

it("is stored for an hour", async () => {
  const { begun, stored } = begin("client_id=app");
  await begun;
  const [row] = stored.mock.calls[0] ?? [];
  expect((row?.expiresAt ?? 0) - (row?.createdAt ?? 0)).toBe(3600);
});

it("keeps its request in the browser, and a long one there alone", async () => {
  const long = `client_id=app&state=${"x".repeat(2048)}`;
  const { begun, stored } = begin(long);
  const { headers } = await begun;
  expect([headers["set-cookie"]].flat().join()).toContain("__Host-ds_request_");
  expect(stored.mock.calls[0]?.[0].query).toMatch(/^#/);
});
