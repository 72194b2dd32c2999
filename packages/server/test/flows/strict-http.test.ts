// Hostile HTTP over a real socket: each case gets the answer of its table, at some endpoints or in slow at all.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../../../verify/test/support/random-seed.ts";
import { badForms } from "../support/bad-forms.ts";
import { badFraming, badHeaders, badHosts } from "../support/bad-headers.ts";
import { badIds, badMethods, badPaths, badQueries } from "../support/bad-targets.ts";
import { ENDPOINTS } from "../support/endpoints.ts";
import { expectPromised, USUAL } from "../support/hostile.ts";
import { type OrderlyRequests, orderlyRequests } from "../support/orderly-requests.ts";
import { ROUTES } from "../support/routes.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** Endpoints for each case: of the hundreds of cases every endpoint gets its share. */
const SAMPLE = 10;

let at: TestService;
let port: number;
let orderly: OrderlyRequests;
beforeAll(async () => {
  at = await startTestService();
  port = Number(new URL(at.issuer).port);
  orderly = await orderlyRequests(at);
});
afterAll(() => at.close());

test("the tables speak of every route, and of no other", () => {
  const routes = ROUTES.map(({ method, path, channel }) => `${method} ${path} ${channel}`);
  expect(ENDPOINTS.map(({ name, channel }) => `${name} ${channel}`)).toEqual(routes);
  expect([...orderly.to.keys()].sort()).toEqual(ENDPOINTS.map(({ name }) => name).sort());
});

test("requests that are in order are answered as usual", async () => {
  await expectPromised({ title: "", change: (request) => request, answer: USUAL }, orderly, {
    port,
  });
});

describe.each([
  ["Host and forwarding", badHosts],
  ["framing", badFraming],
  ["headers", badHeaders],
  ["methods", badMethods],
  ["paths", badPaths],
  ["interaction ids", badIds],
  ["queries", badQueries],
  ["forms", badForms],
])("%s:", (_, cases) => {
  const titled = cases.map((hostile, turn) => [hostile.title, hostile, turn] as const);
  test.each(titled)("%s gets the answer of its table", (_title, hostile, turn) =>
    expectPromised(hostile, orderly, { port, endpoints: sampleOf(ENDPOINTS, SAMPLE, turn) }),
  );
});

test("after all of that everything is answered as usual", async () => {
  await expectPromised({ title: "", change: (request) => request, answer: USUAL }, orderly, {
    port,
  });
});

test("nothing of all this was our own failure", () => {
  expect(at.events.filter((event) => event.startsWith("failed"))).toEqual([]);
});
