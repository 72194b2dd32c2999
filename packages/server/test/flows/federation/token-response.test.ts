// External SPs whose token endpoint fails: it is named, and nobody is signed in.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BentSp, type Reply, startBentSp, withRegistration } from "../../support/bent-sp.ts";
import {
  codeOf,
  domainAt,
  expectRefusal,
  expectRefused,
  type FederatedWorld,
  startFederatedWorld,
  visit,
} from "../../support/federated.ts";

let world: FederatedWorld;
/** Where nothing may ever come. */
let elsewhere: BentSp;
beforeAll(async () => {
  world = await startFederatedWorld();
  elsewhere = await startBentSp();
});
afterAll(async () => {
  await elsewhere.close();
  await world.close();
});

const asked = (sp: BentSp, wanted: string) =>
  sp.requests.filter(({ path }) => path === wanted).length;
const jsonType = { "content-type": "application/json" };
const html = { "content-type": "text/html" };

describe("a token endpoint that fails is named, and nobody is signed in:", () => {
  test.each<[string, Reply, RegExp]>([
    ["400 invalid_grant", { status: 400, body: { error: "invalid_grant" } }, /invalid_grant/],
    [
      "400 invalid_client",
      { status: 400, body: { error: "invalid_client" } },
      /invalid_client|know/,
    ],
    [
      "401 invalid_client",
      {
        status: 401,
        headers: { ...jsonType, "www-authenticate": "Basic" },
        body: { error: "invalid_client" },
      },
      /./,
    ],
    ["401 and nothing", { status: 401 }, /./],
    [
      "400 with markup",
      { status: 400, body: { error: "<b>no</b>", error_description: "Call 555-0199" } },
      /token endpoint/,
    ],
    ["400 with an array", { status: 400, body: [] }, /./],
    ["403 and a page", { status: 403, headers: html, body: "<p>no" }, /status 403/],
    ["500 and JSON", { status: 500, body: { error: "server_error" } }, /status 500/],
    ["500 and a page", { status: 500, headers: html, body: "<p>oops" }, /status 500/],
    ["503", { status: 503, headers: { "retry-after": "1" } }, /status 503/],
    ["429", { status: 429, body: { error: "slow_down" } }, /status 429/],
    ["200 and a page", { headers: html, body: "<title>Welcome</title>" }, /JSON/],
    ["200 and garbage", { headers: jsonType, body: "\u0000\u0001{" }, /./],
    ["200 and an array", { body: [] }, /./],
    ["200 and null", { headers: jsonType, body: "null" }, /./],
    ["200 and an error", { body: { error: "invalid_grant" } }, /./],
    ["201", { status: 201, body: {} }, /status 201/],
    ["no token", { body: {} }, /./],
    [
      "an access token alone",
      { body: { access_token: "a", token_type: "Bearer" } },
      /ID token|id_token/,
    ],
    [
      "an ID token that is none",
      { body: { access_token: "a", token_type: "Bearer", id_token: "b" } },
      /./,
    ],
    [
      "an ID token that is a number",
      { body: { access_token: "a", token_type: "Bearer", id_token: 1 } },
      /./,
    ],
    ["too much", { body: { a: "x".repeat(70_000) } }, /too large/],
  ])("%s", async (_, reply, says) => {
    const { page } = await expectRefused(world, { reply: { token: () => reply } }, says);
    const { status = 200 } = reply;
    // What may pass by itself is 503, as where nobody answers.
    expect(page.status).toBe(status >= 500 || status === 429 ? 503 : 422);
    expect(page.html).not.toMatch(/555-0199|<b>no/);
  });

  test.each([301, 302, 303, 307, 308])(
    "a redirect with status %i: the code goes nowhere else, not even at the same origin",
    async (status) => {
      const headers = { location: `${elsewhere.issuer}/token` };
      await expectRefused(world, { reply: { token: () => ({ status, headers }) } }, /redirect/);
      expect(elsewhere.requests).toEqual([]);
      const within = () => ({ status, headers: { location: "/token?again" } });
      const { sp } = await expectRefused(world, { reply: { token: within } }, /redirect/);
      expect(sp.asked("token")).toHaveLength(1);
    },
  );

  test("a connection that is cut", async () => {
    const { sp } = await expectRefused(
      world,
      { reply: { token: () => Promise.reject(new Error("cut")) } },
      /./,
    );
    // Codes are for one use: it is not sent again.
    expect(sp.asked("token")).toHaveLength(1);
  });

  test("a client that it forgets as often as we register is registered once more, and not for ever", async () => {
    const sp = await world.sp({ metadata: withRegistration });
    const domain = domainAt(world, sp);
    codeOf(await visit(world, domain));
    // One that was made just now is not made again.
    world.advance(100);
    sp.bends.reply = { token: () => ({ status: 401, body: { error: "invalid_client" } }) };
    expectRefusal(world, await visit(world, domain), { sp, says: /know/ });
    expect(["register", "authorize", "token"].map((path) => asked(sp, path))).toEqual([2, 3, 3]);
  });
});
