// External SPs whose token endpoint fails: it is named, and nobody is signed in.

import { describe, expect, test } from "vitest";
import {
  html,
  jsonType,
  type Reply,
  startBentSp,
  withRegistration,
} from "../../support/bent-sp.ts";
import { codeOf, federation } from "../../support/federated.ts";
import { fixture } from "../../support/fixture.ts";

const world = federation();
/** Where nothing may ever come. */
const elsewhere = fixture(() => startBentSp());

const unknownClient = { error: "invalid_client" };
const token = (id_token: unknown) => ({ access_token: "a", token_type: "Bearer", id_token });

describe("a token endpoint that fails is named, and nobody is signed in:", () => {
  test.each<[string, Reply, RegExp]>([
    ["400 invalid_grant", { status: 400, body: { error: "invalid_grant" } }, /invalid_grant/],
    ["400 invalid_client", { status: 400, body: unknownClient }, /invalid_client|know/],
    [
      "401 invalid_client",
      { status: 401, headers: { ...jsonType, "www-authenticate": "Basic" }, body: unknownClient },
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
    ["an access token alone", { body: token(undefined) }, /ID token|id_token/],
    ["an ID token that is none", { body: token("b") }, /./],
    ["an ID token that is a number", { body: token(1) }, /./],
    ["too much", { body: { a: "x".repeat(70_000) } }, /too large/],
  ])("%s", async (_, reply, says) => {
    const { page } = await world.expectRefused({ reply: { token: () => reply } }, says);
    const { status = 200 } = reply;
    // What may pass by itself is 503, as where nobody answers.
    expect(page.status).toBe(status >= 500 || status === 429 ? 503 : 422);
    expect(page.html).not.toMatch(/555-0199|<b>no/);
  });

  test.each([301, 302, 303, 307, 308])(
    "a redirect with status %i: the code goes nowhere else, not even at the same origin",
    async (status) => {
      const headers = { location: `${elsewhere.issuer}/token` };
      await world.expectRefused({ reply: { token: () => ({ status, headers }) } }, /redirect/);
      expect(elsewhere.requests).toEqual([]);
      const within = () => ({ status, headers: { location: "/token?again" } });
      const { sp } = await world.expectRefused({ reply: { token: within } }, /redirect/);
      expect(sp.asked("token")).toHaveLength(1);
    },
  );

  test("a connection that is cut", async () => {
    const cut = () => Promise.reject(new Error("cut"));
    const { sp } = await world.expectRefused({ reply: { token: cut } }, /./);
    // Codes are for one use: it is not sent again.
    expect(sp.asked("token")).toHaveLength(1);
  });

  test("a client that it forgets as often as we register is registered once more, and not for ever", async () => {
    const sp = await world.sp({ metadata: withRegistration });
    const domain = world.domainAt(sp);
    codeOf(await world.visit(domain));
    // One that was made just now is not made again.
    world.advance(100);
    sp.bends.reply = { token: () => ({ status: 401, body: unknownClient }) };
    world.expectRefusal(await world.visit(domain), { sp, says: /know/ });
    const asked = (["register", "authorize", "token"] as const).map(
      (path) => sp.asked(path).length,
    );
    expect(asked).toEqual([2, 3, 3]);
  });
});
