// Tests of how an interaction begins: what is counted and kept before anything is stored.

import { expect, it, vi } from "vitest";
import { httpRequest } from "../../test/support/http-request.ts";
import { cookiesOf } from "../http/cookies.ts";
import type { HttpRequest } from "../http/message.ts";
import { TooManyRequestsError } from "../http/rate-limit.ts";
import { createStorageLimit, type StoredRow } from "../http/storage-limit.ts";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { createFlow } from "./flow.ts";
import type { PendingRequest } from "./pending-request.ts";
import { challengeFor, SET_UP } from "./progress.ts";

const request = new Request("https://auth.example.com/sign-in");
const http = httpRequest(request, { clientAddress: "192.0.2.1" });

type Stored = Readonly<Record<"query", string> & Record<"createdAt" | "expiresAt", number>>;

function begin(
  query: string,
  take: (from: HttpRequest, row: StoredRow) => void,
  method: "dns-setup" | "dns-challenge" = "dns-setup",
) {
  const stored = vi.fn(async (_: Stored) => {});
  const deps = {
    ...{ cookies: cookiesOf("https://auth.example.com"), random: systemRandom },
    ...{ clock: clockFrom(() => 1_800_000_000_000), storageLimit: { take } },
    ...{ interactions: { beginInteraction: stored } as never, consents: {} as never },
    ...{ sessions: {} as never, browserSessions: {} as never, events: {} as never },
  };
  const request = { query, clientId: "app" } as PendingRequest;
  const domain = "alice.test";
  const progress = method === "dns-setup" ? SET_UP : challengeFor("a".repeat(22), "c".repeat(22));
  const begun = createFlow(deps).begin({ http, request }, { domain, progress });
  return { begun, stored };
}

it("is counted for its requester with its size and lifetime before it is stored", async () => {
  const take = vi.fn();
  const { begun, stored } = begin("client_id=app", take);
  await begun;
  const { octets, lifetimeS } = take.mock.calls[0]?.[1] ?? {};
  expect(lifetimeS).toBe(3600);
  expect(octets).toBeGreaterThan(JSON.stringify(stored.mock.calls[0]?.[0]).length);
  expect(take.mock.invocationCallOrder[0]).toBeLessThan(stored.mock.invocationCallOrder[0] ?? 0);
});

it("a DNS challenge is stored for a day and counted for an hour", async () => {
  const take = vi.fn();
  const { begun, stored } = begin("client_id=app", take, "dns-challenge");
  await begun;
  expect(take.mock.calls[0]?.[1]).toMatchObject({ lifetimeS: 3600 });
  const [row] = stored.mock.calls[0] ?? [];
  expect((row?.expiresAt ?? 0) - (row?.createdAt ?? 0)).toBe(86_400);
});

it("one address can begin 400 DNS challenges in ten minutes", async () => {
  const clock = clockFrom(() => 1_800_000_000_000);
  const { take } = createStorageLimit({ clock, readReturning: () => null });
  // As long as a common request: client, redirect URI, scope, challenge, state and nonce.
  const query = `client_id=dsid_abc&redirect_uri=${"x".repeat(300)}`;
  let count = 0;
  for (; count < 2000; count++) {
    const error = await begin(query, take, "dns-challenge").begun.catch((thrown) => thrown);
    if (error instanceof TooManyRequestsError) break;
  }
  expect(count).toBeGreaterThanOrEqual(400);
  expect(count).toBeLessThan(2000);
});

it("is not stored over the limit", async () => {
  const { begun, stored } = begin("client_id=app", () => {
    throw new TooManyRequestsError(60, true);
  });
  await expect(begun).rejects.toThrow(TooManyRequestsError);
  expect(stored).not.toHaveBeenCalled();
});

it("keeps its request in the browser, and a long one there alone", async () => {
  const long = `client_id=app&state=${"x".repeat(2048)}`;
  const { begun, stored } = begin(long, () => {});
  const { headers } = await begun;
  expect([headers["set-cookie"]].flat().join()).toContain("__Host-ds_request_");
  expect(stored.mock.calls[0]?.[0].query).toMatch(/^#/);
});
