// Hostile HTTP over a real socket: each case gets the answer of its table, at some endpoints or in slow at all.

import { describe, expect, test } from "vitest";
import { sampleOf } from "../../../verify/test/support/random-seed.ts";
import { badForms } from "../support/bad-forms.ts";
import { badFraming, badHeaders, badHosts } from "../support/bad-headers.ts";
import { badIds, badMethods, badPaths, badQueries } from "../support/bad-targets.ts";
import { ENDPOINTS } from "../support/endpoints.ts";
import { fixture } from "../support/fixture.ts";
import { expectPromised, type HostileCase, USUAL } from "../support/hostile.ts";
import { orderlyRequests } from "../support/orderly-requests.ts";
import { ROUTES } from "../support/routes.ts";
import { startTestService } from "../support/service.ts";

/** Endpoints for each case: of the hundreds of cases every endpoint gets its share. */
const SAMPLE = 10;

let requests = 0;
/** Each request comes from another address: all of them together are a flood. */
const clientAddress = () => `192.0.2.${++requests % 256}`;

const at = fixture(() => startTestService({ clientAddress }));
const orderly = fixture(() => orderlyRequests(at));
const expectAnswers = (hostile: HostileCase, endpoints = ENDPOINTS) =>
  expectPromised(hostile, orderly, { port: Number(new URL(at.issuer).port), endpoints });
const asUsual: HostileCase = { title: "", change: (request) => request, answer: USUAL };

test("the tables speak of every route, and of no other", () => {
  const routes = ROUTES.map(({ method, path, channel }) => `${method} ${path} ${channel}`);
  expect(ENDPOINTS.map(({ name, channel }) => `${name} ${channel}`)).toEqual(routes);
  expect([...orderly.to.keys()].sort()).toEqual(ENDPOINTS.map(({ name }) => name).sort());
});

test("requests that are in order are answered as usual", async () => {
  await expectAnswers(asUsual);
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
    expectAnswers(hostile, sampleOf(ENDPOINTS, SAMPLE, turn)),
  );
});

test("after all of that everything is answered as usual", async () => {
  await expectAnswers(asUsual);
});

test.each([
  ["/dsc_AVerySecretCode", "/…"],
  ["/oauth/dsc_AVerySecretCode/token", "/oauth/…"],
  ["/oauth/token/abcd-efgh-jkmn-pqrs", "/oauth/token/…"],
  ["/.well-known/openid-configuraton", "/.well-known/…"],
  ["/account/consent", "/account/consent"],
])("of the unknown path %s, the log says %s", async (path, logged) => {
  const before = at.events.length;
  const answer = await fetch(at.issuer + path);
  expect([answer.status, await answer.text()]).toEqual([404, expect.not.stringContaining("dsc_")]);
  const events = at.events.slice(before).join("\n");
  expect(events).toContain(`"path":"${logged}"`);
  expect(events).not.toContain("AVery");
});

test("nothing of all this was our own failure", () => {
  expect(at.events.filter((event) => event.startsWith("failed"))).toEqual([]);
});
