// A hostile SP tries to pass for an honest one, by answers, metadata, a registration or tokens (RFC 9700 §4.4).

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { describe, expect, test } from "vitest";
import {
  type Bends,
  type Json,
  metadataOf,
  provingDomains,
  registering,
  SP_SUB,
  signedBySp,
  withKeys,
  withRegistration,
} from "../../support/bent-sp.ts";
import { codeOf, federation } from "../../support/federated.ts";
import { fixture } from "../../support/fixture.ts";
import { claimsOf } from "../../support/flow.ts";
import { bent, keyOf, startTwoSps } from "../../support/two-sps.ts";

const world = federation();
const two = fixture(() => startTwoSps(world), "test");

const withoutIss: Bends["callback"] = (to) => bent(to, { iss: null });
/** A page that refuses, and the browser that got it, which has no session. */
function expectNobody(agent: UserAgent, page: Page): void {
  expect([page.stopped, page.status >= 400]).toEqual([false, true]);
  world.expectNoSession(agent);
}
const expectNoCodeRedeemed = () =>
  expect([two.honest.asked("token"), two.hostile.asked("token")]).toEqual([[], []]);

test("each of the two has a redirect URI, a client_id and secrets of its own (RFC 9700 §4.4.2.2)", async () => {
  codeOf(await world.visit(two.alice));
  codeOf(await world.visit(two.mallory));
  const [one, other] = [two.honest, two.hostile].map(
    (sp) => sp.asked("authorize")[0]?.url.searchParams,
  );
  for (const name of ["redirect_uri", "client_id", "state", "nonce", "code_challenge"]) {
    expect(one?.get(name), name).not.toBe(other?.get(name));
  }
  expect(one?.get("redirect_uri")).toBe(two.callbackOf(two.honest));
  expect(other?.get("redirect_uri")).toBe(two.callbackOf(two.hostile));
});

describe("a sign-in that was changed to begin at the hostile SP, which sends its person on to the honest one, is refused:", () => {
  const honestCallback = () => ({ redirect_uri: two.callbackOf(two.honest) });
  const honestClient = () => ({ client_id: two.clientAt(two.honest) });
  test.each<[string, () => Record<string, string>, Bends["callback"]]>([
    ["with the redirect URI of the honest one", honestCallback, undefined],
    [
      "with the client_id of the honest one",
      () => ({ ...honestCallback(), ...honestClient() }),
      undefined,
    ],
    // An honest SP that took any redirect_uri would be at fault itself: the code still goes nowhere.
    ["with its own redirect URI", honestClient, undefined],
    ["without iss in the honest answer", honestClient, withoutIss],
  ])("%s", async (_, changes, callback) => {
    if (callback) two.honest.bends.callback = callback;
    two.hostile.bends.reply = two.relayed(changes);
    const before = await world.traces();
    const done = await world.visit(two.mallory);
    expect(two.honest.asked("authorize")).toHaveLength(1);
    world.expectRefusal(done, { sp: two.hostile, says: /iss|redirect URI of another SP/ });
    expectNoCodeRedeemed();
    two.expectNoCodeLeaked();
    expect(await world.traces()).toEqual(before);
  });
});

describe("the answer of one that is relayed to the redirect URI of the other is refused, and used by neither:", () => {
  test.each<[string, () => Record<string, string | null>]>([
    ["as it is", () => ({})],
    ["without iss", () => ({ iss: null })],
    ["with the iss of whose address it is", () => ({ iss: two.hostile.issuer })],
    ["as an error", () => ({ code: null, error: "access_denied" })],
  ])("the honest answer at the hostile address, %s", async (_, changes) => {
    const { agent, answer } = await two.answered(two.alice);
    const page = await two.open(agent, bent(answer, changes(), two.callbackOf(two.hostile)));
    expectNobody(agent, page);
    expectNoCodeRedeemed();
    two.expectNoCodeLeaked();
    // And it has not spoilt the honest one.
    expect((await two.open(agent, answer)).stopped).toBe(true);
  });

  test.each<[string, () => Record<string, string | null>]>([
    ["as it is", () => ({})],
    ["without iss", () => ({ iss: null })],
    ["with the iss of whose address it is", () => ({ iss: two.honest.issuer })],
  ])("the hostile answer at the honest address, %s", async (_, changes) => {
    const { agent, answer } = await two.answered(two.mallory);
    const page = await two.open(agent, bent(answer, changes(), two.callbackOf(two.honest)));
    expectNobody(agent, page);
    expectNoCodeRedeemed();
  });

  test("the hostile answer with the state of the honest sign-in in the other tab, at either address", async () => {
    const { agent, answer: good } = await two.answered(two.alice);
    const { answer: bad } = await two.answered(two.mallory, agent);
    const state = good.searchParams.get("state");
    for (const at of [two.callbackOf(two.hostile), two.callbackOf(two.honest)]) {
      const page = await two.open(agent, bent(bad, { state }, at));
      expect([page.stopped, page.status >= 400]).toEqual([false, true]);
    }
    expectNoCodeRedeemed();
    expect((await two.open(agent, good)).stopped).toBe(true);
    two.expectNoCodeLeaked();
  });

  test("an address that is of no SP", async () => {
    const { agent, answer } = await two.answered(two.alice);
    for (const key of ["a".repeat(43), "", "..", keyOf(two.honest).toLowerCase()]) {
      const at = `${world.test.issuer}/federation/callback/${key}`;
      const page = await two.open(agent, bent(answer, {}, at));
      expect([page.stopped, page.status >= 400]).toEqual([false, true]);
    }
    expect(two.honest.asked("token")).toEqual([]);
  });
});

test("a hostile SP that says in iss to be the honest one is refused", async () => {
  two.hostile.bends.callback = (to) => bent(to, { iss: two.honest.issuer });
  const done = await world.visit(two.mallory);
  world.expectRefusal(done, { sp: two.hostile, says: /iss/ });
  expect(two.hostile.asked("token")).toEqual([]);
});

describe("what somebody else began ends in no session of mine (RFC 9700 §4.7):", () => {
  test("the answer to a stranger's sign-in, opened in a browser that has none, or one at the same SP", async () => {
    const { answer } = await two.answered(two.alice);
    const victims = [world.person(), (await two.answered(two.alice)).agent, createUserAgent()];
    for (const agent of victims) {
      const page = await two.open(agent, answer);
      expect([page.stopped, page.status]).toEqual([false, 403]);
      world.expectNoSession(agent);
    }
    expect(two.honest.asked("token")).toEqual([]);
  });

  test("a stolen code in a sign-in of the thief's own: PKCE stops it, and where the SP checks none, the nonce", async () => {
    const stolen = (await two.answered(two.alice)).answer.searchParams.get("code");
    const thief = await two.answered(two.alice);
    const page = await two.open(thief.agent, bent(thief.answer, { code: stolen }));
    world.expectRefusal({ page, agent: thief.agent }, { sp: two.honest, says: /invalid_grant/ });

    const [first] = two.honest.asked("authorize");
    two.honest.bends.reply = {
      token: async ({ form }) => {
        const iat = Math.floor(Date.now() / 1000);
        const nonce = first?.url.searchParams.get("nonce");
        const known = { iss: two.honest.issuer, sub: SP_SUB, aud: form.get("client_id") };
        const id_token = await signedBySp({ ...known, nonce, iat, exp: iat + 600 });
        return { body: { access_token: "a", token_type: "Bearer", id_token } };
      },
    };
    const again = await two.answered(two.alice);
    const shown = await two.open(again.agent, bent(again.answer, { code: stolen }));
    world.expectRefusal({ page: shown, agent: again.agent }, { sp: two.honest, says: /nonce/ });
  });
});

describe("a hostile SP whose metadata names an endpoint of the honest one", () => {
  const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "jwks_uri"];
  const naming = (name: string) => (metadata: Json) => ({
    ...metadata,
    [name]: metadataOf(two.honest.issuer)[name],
  });

  test.each(ENDPOINTS)("is refused: %s", async (name) => {
    two.hostile.bends.metadata = naming(name);
    const done = await world.visit(two.mallory);
    world.expectRefusal(done, { sp: two.hostile, says: new RegExp(name) });
    expect(two.honest.requests).toEqual([]);
  });

  test.each(ENDPOINTS)(
    "gets no code, though the operator lets its endpoints be elsewhere: %s",
    async (name) => {
      const entry = { token_endpoint_auth_method: "none", allow: ["endpoints_elsewhere"] };
      await world.test.store.spClients.putSpClient({
        ...{ issuer: two.hostile.issuer, source: "operator", clientId: two.clientAt(two.honest) },
        ...{ settings: JSON.stringify(entry), sealedSecret: null, madeAt: 1 },
      });
      two.hostile.bends.metadata = naming(name);
      const done = await world.visit(two.mallory);
      // With keys of the honest one that are the same as its own, it is only itself.
      if (name === "jwks_uri") expect(codeOf(done)).toMatch(/^dsc_/);
      else world.expectRefusal(done, { sp: two.hostile, says: /iss|token endpoint|invalid_grant/ });
      two.expectNoCodeLeaked();
    },
  );

  test("or says to be it, is refused", async () => {
    two.hostile.bends.metadata = (metadata) => ({ ...metadata, issuer: two.honest.issuer });
    const done = await world.visit(two.mallory);
    world.expectRefusal(done, { sp: two.hostile, says: /issuer/ });
  });
});

describe("a hostile SP that registers us", () => {
  test("under the client_id of the honest one gets neither its code nor its secret", async () => {
    two.honest.bends.metadata = withRegistration;
    codeOf(await world.visit(two.alice));
    const { clientId } =
      (await world.test.store.spClients.findSpClients(two.honest.issuer))[0] ?? {};
    two.hostile.bends.metadata = withRegistration;
    two.hostile.bends.reply = {
      ...two.relayed(() => ({ redirect_uri: two.callbackOf(two.honest) })),
      register: registering({ client_id: clientId }),
    };
    const done = await world.visit(two.mallory);
    world.expectRefusal(done, { sp: two.hostile, says: /iss|redirect URI of another SP/ });
    expect(two.hostile.asked("token")).toEqual([]);
    const stored = await world.test.store.spClients.findSpClients(two.honest.issuer);
    expect(stored).toHaveLength(1);
    codeOf(await world.visit(two.alice));
    two.expectNoCodeLeaked();
  });

  test("with addresses of its own is asked nothing there, and changes no redirect URI", async () => {
    two.hostile.bends.metadata = withRegistration;
    const { issuer } = two.honest;
    const addresses = {
      redirect_uris: [two.callbackOf(two.honest)],
      registration_client_uri: `${issuer}/other`,
      registration_access_token: "c",
      ...{ jwks_uri: `${issuer}/jwks`, issuer },
    };
    two.hostile.bends.reply = { register: registering(addresses) };
    await world.visit(two.mallory);
    expect(two.hostile.asked("authorize")[0]?.url.searchParams.get("redirect_uri")).toBe(
      two.callbackOf(two.hostile),
    );
    expect(two.honest.requests).toEqual([]);
  });
});

test("an assertion that we authenticate with is for one SP alone: the other could not use it", async () => {
  two.hostile.bends.metadata = withKeys;
  codeOf(await world.visit(two.mallory));
  const claims = claimsOf(two.hostile.asked("token")[0]?.form.get("client_assertion"));
  const jti = expect.any(String);
  expect(claims).toMatchObject({ aud: two.hostile.issuer, iss: claims.sub, jti });
  expect(claims.sub).toBe(`${world.test.issuer}/federation/client/${keyOf(two.hostile)}`);
  expect(Number(claims.exp) - Number(claims.iat)).toBeLessThanOrEqual(60);
});

describe("an ID token of the honest SP that the hostile one passes on is refused:", () => {
  test.each<[string, (right: Json) => Json]>([
    ["as it is", (right) => ({ ...right, iss: two.honest.issuer, aud: two.clientAt(two.honest) })],
    ["made for the hostile one's client", (right) => ({ ...right, iss: two.honest.issuer })],
    ["by its nonce alone", (right) => ({ ...right, aud: two.clientAt(two.honest) })],
  ])("%s", async (_, claims) => {
    // Both sign with the same key here: the signature is in order.
    two.hostile.bends.idToken = (right) => signedBySp(claims(right));
    world.expectRefusal(await world.visit(two.mallory), { sp: two.hostile });
  });

  test("and an account of the honest one is not to be had by a hostile SP's claims", async () => {
    const owner = { domain: two.alice, acct: two.honest.acct(two.alice) };
    two.hostile.bends.metadata = provingDomains;
    two.hostile.bends.claims = (right) => ({ ...right, ...owner });
    world.expectRefusal(await world.visit(two.mallory), { sp: two.hostile, says: /ID token/ });
  });
});
