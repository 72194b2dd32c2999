// Tests of an answer of an external SP that is brought by several requests at once.

import { beforeEach, expect, test } from "vitest";
import { testCookies } from "../../test/support/cookies.ts";
import { fixture } from "../../test/support/fixture.ts";
import { httpRequest } from "../../test/support/http-request.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { prepared } from "../../test/support/oauth-world.ts";
import { changeProgress } from "../../test/support/progress.ts";
import { ROOMS } from "../../test/support/rooms.ts";
import { someInteraction } from "../../test/support/store-rows.ts";
import type { Everything } from "../assemble.ts";
import {
  type ExternalState,
  requestSecrets,
  type SentRequest,
  spKey,
} from "../federation/sp-authorization.ts";
import type { HttpResponse } from "../http/message.ts";
import { createFlow } from "../interaction/flow.ts";
import { externalChanged, externalOf } from "../interaction/progress.ts";
import { createRequirements } from "../interaction/requirements.ts";
import { clockFrom } from "../lib/clock.ts";
import { sha256, systemRandom } from "../lib/random.ts";
import { createBrowserSessions } from "../sessions/browser-sessions.ts";
import { jsonEvents } from "../telemetry/events.ts";
import { answerOfRequest, createExternal } from "./external.ts";

const now = 1_700_000_000;
const sp = "https://sp.example";
const issuer = "https://auth.example";
const browser = "b".repeat(43);
const id = "i".repeat(22);
const asked: SentRequest = {
  ...{ at: now, token_endpoint: `${sp}/token`, jwks_uri: `${sp}/keys`, iss: true },
  ...{ algs: ["ES256"], domain_aware: true },
  client: { id: "us", source: "public_document", method: "none" },
};
const state: ExternalState = { v: 1, sp, salt: "salt", asked };

const store = fixture(openMemoryStore, "test");
beforeEach(async () => {
  const interaction = someInteraction({
    ...{ id, browserHash: sha256(browser), clientId: "app", query: "", domain: "alice.example" },
    progress: externalOf("acct", JSON.stringify(state)),
    ...{ createdAt: now, expiresAt: now + 3600 },
  });
  await store.interactions.beginInteraction(interaction);
});

const { state: sent } = requestSecrets(browser, { interactionId: id, salt: "salt" });
const cookies = testCookies(issuer);
const cookieOf = (value: string) => cookies.set("browser", value).split(";", 1)[0] ?? "";
const right = {
  h: spKey(sp),
  query: { code: "the code", state: sent, iss: sp } as Record<string, string>,
  cookie: cookieOf(browser),
};

/** The route of the callback. `calls` lists what can cause a request to another host, or uses a limit. */
function start(arrive = async () => {}) {
  const calls: string[] = [];
  const noted = <T>(name: string, result: T) => {
    calls.push(name);
    return result;
  };
  const record = { outcome: "external", sp, acct: "acct", jkt: [], spk: [] };
  const look = { ...record, checkedAt: now, assurance: "single" };
  const claims = { sub: "x", domain: "alice.example", acct: "acct", iat: now, exp: now + 60 };
  const parts = {
    ...{ issuer, store, ...store, cookies, random: systemRandom },
    clock: clockFrom(() => now * 1000),
    events: jsonEvents({ write: () => {} }),
    returningBrowsers: { cookieFor: () => "", read: () => null },
    ...ROOMS,
    clientOfSetUp: async () => undefined,
    spRecords: { lookToDecide: async () => noted("record", look) },
    // The client's document may have to be fetched.
    readRequest: async () => {
      await arrive();
      return noted("client", {
        ...{ query: "", prompt: new Set(), scopes: [], consent: "never" },
        ...{ clientHost: "app.example", clientName: "App", locales: [] },
        ...{ clientId: "app", backToApp: "https://app.example/", statementWanted: null },
      });
    },
    federation: {
      redeem: async () => noted("redeem", { outcome: "claims", claims }),
      checkProofs: async () => ({ proofs: {}, dropped: [] }),
    },
  } as unknown as Everything;
  const browserSessions = createBrowserSessions(parts);
  const flow = createFlow({ ...parts, browserSessions });
  const deps = { ...parts, browserSessions, flow };
  const { externalCallback } = createExternal(deps);
  const requirement = createRequirements(deps).step("external", answerOfRequest(deps.cookies));
  const open = ({ h, query, cookie }: typeof right) => {
    const url = `${issuer}/federation/callback/x?${new URLSearchParams(query)}`;
    const http = httpRequest(new Request(url, { headers: { cookie } }), { params: { h } });
    return prepared({ requirement, http }, externalCallback);
  };
  return { open, calls };
}

/** As many at once as are wanted: each has read the interaction before one goes on. */
async function bring(times: number): Promise<{ responses: HttpResponse[]; redeemed: number }> {
  const arrived: (() => void)[] = [];
  const { open, calls } = start(
    () =>
      new Promise<void>((resolve) => {
        arrived.push(resolve);
        if (arrived.length === times) for (const go of arrived) go();
      }),
  );
  const responses = await Promise.all(Array.from({ length: times }, () => open(right)));
  return { responses, redeemed: calls.filter((call) => call === "redeem").length };
}

test("one of them redeems the code; the others redeem nothing, and none fails", async () => {
  const { responses, redeemed } = await bring(5);
  expect(redeemed).toBe(1);
  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([303, 422, 422, 422, 422]);
  const { progress } = (await store.interactions.readInteraction(id)) ?? {};
  expect(progress).toMatchObject({ step: "authenticated", amr: "external" });
});

test("one that comes alone goes on to the next step with a session", async () => {
  const { responses } = await bring(1);
  expect(responses[0]?.headers.location).toBe(`/interaction/${id}/complete`);
  const cookies = [responses[0]?.headers["set-cookie"] ?? []].flat();
  expect(cookies.filter((cookie) => cookie.includes("_session_"))).toHaveLength(1);
});

test("a callback that begins with the right request asks all that a sign-in needs, once", async () => {
  const { open, calls } = start();
  await open(right);
  expect(calls).toEqual(["client", "redeem", "record"]);
});

const otherId = "o".repeat(22);
const stateOf = (value: string, { interactionId = id, salt = "salt" } = {}) => ({
  state: requestSecrets(value, { interactionId, salt }).state,
});

test.each<[string, Partial<Omit<typeof right, "query">> & { query?: Record<string, string> }]>([
  ["no state", { query: { state: "" } }],
  ["a state of another form", { query: { state: "a".repeat(64) } }],
  ["an interaction that is unknown", { query: stateOf(browser, { interactionId: otherId }) }],
  ["no cookie", { cookie: "" }],
  ["the cookie of another browser", { cookie: cookieOf("c".repeat(43)) }],
  [
    "the cookie of another browser, and a state made with it",
    { cookie: cookieOf("c".repeat(43)), query: stateOf("c".repeat(43)) },
  ],
  ["a guessed state", { query: { state: "a".repeat(43) + id } }],
  ["the state of an earlier request", { query: stateOf(browser, { salt: "former" }) }],
])("a callback with %s causes no request, and uses no limit", async (_, { query, ...changes }) => {
  const { open, calls } = start();
  const answer = { ...right, ...changes, query: { ...right.query, ...query } };
  await expect(open(answer)).rejects.toMatchObject({ name: "PageError" });
  expect(calls).toEqual([]);
  // It has not used up the sign-in either.
  expect((await open(right)).status).toBe(303);
});

test("nor does a callback for an interaction that was not sent to an SP", async () => {
  const from = JSON.stringify(state);
  const to = JSON.stringify({ v: 1, sp, salt: "salt" });
  expect(await changeProgress(store, id, externalChanged(from, to), now)).not.toBeNull();
  const { open, calls } = start();
  await expect(open(right)).rejects.toMatchObject({ name: "PageError" });
  expect(calls).toEqual([]);
});

test.each<[string, Partial<typeof right>]>([
  ["at the redirect URI of another SP", { h: spKey("https://other.example") }],
  ["with the iss of another SP", { query: { ...right.query, iss: "https://other.example" } }],
  ["without iss", { query: { code: "the code", state: sent } }],
])("a callback %s makes no request to an SP, and uses no limit", async (_, changes) => {
  const { open, calls } = start();
  expect((await open({ ...right, ...changes })).status).toBe(422);
  expect(calls).toEqual(["client"]);
  expect((await open(right)).status).toBe(303);
});

test("a request is sent for the first callback of a sign-in alone, and for none without a code", async () => {
  const { open, calls } = start();
  expect((await open({ ...right, query: { state: sent, iss: sp } })).status).toBe(422);
  for (let time = 0; time < 3; time++) expect((await open(right)).status).toBe(422);
  expect(calls).toEqual(["client", "client", "client", "client"]);
});
