// Tests of an answer of an external SP that is brought by several requests at once.

import { afterEach, beforeEach, expect, test } from "vitest";
import { httpRequest } from "../../test/support/http-request.ts";
import { prepared } from "../../test/support/oauth-world.ts";
import type { Everything } from "../assemble.ts";
import {
  type ExternalState,
  requestSecrets,
  type SentRequest,
  spKey,
} from "../federation/authorization-request.ts";
import { cookiesOf } from "../http/cookies.ts";
import type { HttpResponse } from "../http/message.ts";
import { createRequirements } from "../interaction/interaction.ts";
import { clockFrom } from "../lib/clock.ts";
import { sha256, systemRandom } from "../lib/random.ts";
import { migrate } from "../store/migrations.ts";
import { openSqlite } from "../store/sqlite.ts";
import { aggregatesOf, createStore, type Store } from "../store/store.ts";
import { jsonEvents } from "../telemetry/events.ts";
import { createExternal, interactionOfAnswer } from "./external.ts";

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

let store: Store;
beforeEach(async () => {
  const engine = openSqlite(":memory:");
  await migrate(engine);
  store = createStore(engine);
  await store.beginInteraction({
    ...{ id, browserHash: sha256(browser), clientId: "app", query: "", domain: "alice.example" },
    ...{ method: "external", acct: "acct", challenge: null, external: JSON.stringify(state) },
    ...{ recoveryHash: null, passkeyStatement: null, passkeyExpiresAt: null },
    ...{ grantId: "grant", createdAt: now, expiresAt: now + 3600, accountId: null },
    ...{
      authTime: null,
      amr: null,
      controlCheckedAt: null,
      sid: null,
      proofs: null,
      codesOfferedFrom: null,
      usedCode: null,
      recovery: null,
      codesSavedAt: null,
      newsFrom: null,
    },
    decision: null,
  });
});
afterEach(() => store.close());

/** As many at once as are wanted: each has read the interaction before one goes on. */
async function bring(times: number): Promise<{ responses: HttpResponse[]; redeemed: number }> {
  let redeemed = 0;
  const arrived: (() => void)[] = [];
  const cookies = cookiesOf(issuer);
  const look = {
    outcome: "external",
    sp,
    acct: "acct",
    jkt: [],
    spk: [],
    checkedAt: now,
    assurance: "single",
  };
  const deps = {
    ...{
      issuer,
      store,
      ...aggregatesOf(store),
      cookies,
      random: systemRandom,
      clock: clockFrom(() => now * 1000),
    },
    events: jsonEvents({ write: () => {} }),
    returningBrowsers: { cookieFor: () => "" },
    storageLimit: { take: () => {} },
    spRecords: { lookToDecide: async () => look },
    readRequest: async () => ({
      ...{ query: "", prompt: new Set(), scopes: [], consent: "never", clientHost: "app.example" },
      ...{ clientId: "app", backToApp: "https://app.example/", statementWanted: null },
    }),
    federation: {
      count: () =>
        new Promise<void>((resolve) => {
          arrived.push(resolve);
          if (arrived.length === times) for (const go of arrived) go();
        }),
      async redeem() {
        redeemed++;
        const claims = { sub: "x", domain: "alice.example", acct: "acct", iat: now, exp: now + 60 };
        return { outcome: "claims", claims };
      },
      checkProofs: async () => ({ proofs: {}, dropped: [] }),
    },
  } as unknown as Everything;
  const { state: sent } = requestSecrets(browser, { interactionId: id, salt: "salt" });
  const headers = { cookie: cookies.set("browser", browser).split(";", 1)[0] ?? "" };
  const query = new URLSearchParams({ code: "the code", state: sent, iss: sp });
  const url = `${issuer}/federation/callback/x?${query}`;
  const http = httpRequest(new Request(url, { headers }), { params: { h: spKey(sp) } });
  const requirement = createRequirements(deps).step("external", interactionOfAnswer);
  const { externalCallback } = createExternal(deps);
  const open = () => prepared({ requirement, http }, externalCallback);
  const responses = await Promise.all(Array.from({ length: times }, open));
  return { responses, redeemed };
}

test("one of them redeems the code; the others redeem nothing, and none fails", async () => {
  const { responses, redeemed } = await bring(5);
  expect(redeemed).toBe(1);
  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([303, 422, 422, 422, 422]);
  expect((await store.readInteraction(id))?.amr).toBe("external");
});

test("one that comes alone goes on to the next step with a session", async () => {
  const { responses } = await bring(1);
  expect(responses[0]?.headers.location).toBe(`/interaction/${id}/complete`);
  const cookies = [responses[0]?.headers["set-cookie"] ?? []].flat();
  expect(cookies.filter((cookie) => cookie.includes("_session_"))).toHaveLength(1);
});
