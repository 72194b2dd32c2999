// A sign-in at an external SP: how its answer comes back, once, to whom it belongs.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { describe, expect, test } from "vitest";
import { type BentSp, isSaltedAcct, type Json } from "../../support/bent-sp.ts";
import { codeOf, federation, recordOf, textOf } from "../../support/federated.ts";
import { claimsOf } from "../../support/flow.ts";
import { bent } from "../../support/two-sps.ts";

const world = federation();

type Waiting = Awaited<ReturnType<typeof waiting>>;

/** A person whom the SP has signed in, and is about to send back with the answer. */
async function waiting(given?: BentSp) {
  const sp = given ?? (await world.sp());
  const domain = world.domainAt(sp);
  return { sp, domain, ...(await world.answered(domain)) };
}

const back = (begun: Waiting, answer: string | URL) => world.openAnswer(begun, answer);
const attested = (tokens: Json) =>
  claimsOf((tokens.validation_data as { attestation: string }).attestation);

test("the account that comes of it is the SP's, its session another's authentication", async () => {
  const sp = await world.sp();
  const domain = world.domainAt(sp);
  const authTime = Math.floor(Date.now() / 1000) - 20 * 86_400;
  sp.bends.claims = (claims) => ({ ...claims, auth_time: authTime });
  const agent = world.person();
  const first = await world.tokensOf(await world.visit(domain, { agent }));
  expect(attested(first)).toMatchObject({
    ...{ domain, sp: sp.issuer, acct: sp.acct(domain), method: "external" },
    ...{ amr: ["external"], auth_time: authTime },
  });
  // The session is of today, however long ago the SP has seen the person.
  const second = await world.visit(domain, { agent });
  expect(second.steps).toEqual(["continue"]);
  expect(sp.asked("token")).toHaveLength(1);
  // An SP that was to ask anew, and says that it did not.
  const parameters = { prompt: "login" };
  const third = await world.visit(domain, { agent, parameters });
  expect([third.page.stopped, third.page.step]).toEqual([false, "external"]);
  expect(third.page.text("sp-detail")).toContain("although prompt=login was requested");
  sp.bends.claims = (claims) => ({ ...claims, auth_time: claims.iat });
  expect(codeOf(await world.visit(domain, { agent, parameters }))).toMatch(/^dsc_/);
  expect(sp.asked("authorize").at(-1)?.url.searchParams.get("prompt")).toBe("login");
});

test.each<[string, (claims: Json) => Json, number]>([
  ["with a fraction", (claims) => ({ ...claims, auth_time: 1_700_000_000.9 }), 1_700_000_000],
  ["not told, and iat with a fraction", withoutAuthTime(1_700_000_000.9), 1_700_000_000],
  ["not told, and iat before all time", withoutAuthTime(-5e300), 0],
])("the time of an authentication that is %s is kept in whole seconds", async (_, claims, time) => {
  const sp = await world.sp({ claims });
  const tokens = await world.tokensOf(await world.visit(world.domainAt(sp)));
  expect(attested(tokens).auth_time).toBe(time);
});

test("an authentication that the SP's clock dates ahead of ours is one of now", async () => {
  const sp = await world.sp({
    claims: (claims) => ({ ...claims, auth_time: Number(claims.iat) + 55 }),
  });
  const tokens = await world.tokensOf(await world.visit(world.domainAt(sp)));
  const { auth_time, iat } = attested(tokens);
  expect(Number(auth_time)).toBeLessThanOrEqual(Number(iat));
});

function withoutAuthTime(iat: number) {
  return ({ auth_time: _, ...claims }: Json): Json => ({ ...claims, iat });
}

test("the store holds neither state nor nonce nor verifier of a request", async () => {
  const { sp } = await waiting();
  const { searchParams } = sp.asked("authorize")[0]?.url ?? new URL("http://none");
  const dump = await world.test.dump();
  for (const name of ["state", "nonce"]) {
    const mac = searchParams.get(name)?.slice(0, 43) ?? "";
    expect(mac).toHaveLength(43);
    expect(dump).not.toContain(mac);
  }
});

test("a reload of the answer goes on, and redeems nothing twice", async () => {
  const begun = await waiting();
  expect((await back(begun, begun.answer)).stopped).toBe(true);
  const again = await begun.agent.open(begun.answer.href, { stopAt: world.client.redirectUri });
  expect(again.stopped).toBe(true);
  expect(begun.sp.asked("token")).toHaveLength(1);
});

test("two that bring the same answer at once redeem it once, and one account comes of it", async () => {
  const begun = await waiting();
  const cookie = begun.agent.cookies.header(begun.answer.href) ?? "";
  const open = () => fetch(begun.answer, { headers: { cookie }, redirect: "manual" });
  const statuses = (await Promise.all([open(), open(), open()])).map(({ status }) => status);
  expect(begun.sp.asked("token")).toHaveLength(1);
  expect(statuses.filter((status) => status === 303).length).toBeGreaterThan(0);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
});

test("after a failure the answer is used up, and another try has other secrets", async () => {
  const sp = await world.sp();
  sp.bends.claims = (claims) => ({ ...claims, nonce: "another" });
  const begun = await waiting(sp);
  const failed = await back(begun, begun.answer);
  world.expectRefusal({ page: failed, agent: begun.agent }, { sp, says: /nonce/ });
  const again = await back(begun, begun.answer);
  expect([again.step, textOf(again)]).toEqual(["external", expect.stringMatching(/already used/)]);
  expect(sp.asked("token")).toHaveLength(1);

  delete sp.bends.claims;
  expect((await back(begun, failed.link("try-again"))).stopped).toBe(true);
  const [one, two] = sp.asked("authorize").map(({ url }) => url.searchParams);
  for (const name of ["state", "nonce", "code_challenge"]) {
    expect(one?.get(name)).not.toBe(two?.get(name));
  }
});

describe("an answer that belongs elsewhere is refused, and not redeemed:", () => {
  const altered = (state: string | null) => state?.replace(/^./, (a) => (a === "A" ? "E" : "A"));
  test.each<[string, (answer: URL, other: URL) => string | URL, RegExp | null]>([
    ["another iss", (answer) => bent(answer, { iss: "http://localhost:1" }), /iss/],
    ["no iss", (answer) => bent(answer, { iss: null }), /iss/],
    [
      "the address of another SP",
      (answer, other) => bent(answer, {}, other.href),
      /redirect URI of another SP/,
    ],
    [
      "an altered state",
      (answer) => bent(answer, { state: altered(answer.searchParams.get("state")) ?? "" }),
      null,
    ],
    ["no state", (answer) => bent(answer, { state: null }), null],
    [
      "the state of another browser",
      (answer, other) => bent(answer, { state: other.searchParams.get("state") }),
      null,
    ],
    ["two codes", (answer) => `${answer}&code=another`, null],
  ])("%s", async (_, bend, says) => {
    const [begun, other] = [await waiting(), await waiting()];
    const page = await back(begun, bend(begun.answer, other.answer));
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(page.status).toBeLessThan(500);
    if (says === null) expect(page.step).toBe("problem");
    else world.expectRefusal({ page, agent: begun.agent }, { sp: begun.sp, says });
    expect(begun.sp.asked("token")).toEqual([]);
    expect(other.sp.asked("token")).toEqual([]);
    world.expectNoSession(begun.agent);
    // What was refused has used nothing up.
    expect((await back(begun, begun.answer)).stopped).toBe(true);
  });

  test("in another browser", async () => {
    const begun = await waiting();
    const page = await createUserAgent().open(begun.answer.href);
    expect([page.step, page.status]).toEqual(["problem", 403]);
    expect(begun.sp.asked("token")).toEqual([]);
  });

  test("of the try before", async () => {
    const sp = await world.sp();
    sp.bends.callback = (to) => bent(to, { code: null, error: "server_error" });
    const begun = await waiting(sp);
    const failed = await back(begun, begun.answer);
    delete sp.bends.callback;
    const stopAt = begun.answer.href.split("?")[0] ?? "";
    await begun.agent.open(failed.link("try-again"), { stopAt });
    const page = await begun.agent.open(begun.answer.href);
    expect([page.step, page.status]).toEqual(["problem", 400]);
    expect(sp.asked("token")).toEqual([]);
  });
});

test("an error of the SP says who it was, and that one may try again", async () => {
  const error = { error: "access_denied", error_description: "<b>call this number</b>" };
  const sp = await world.sp({ callback: (to) => bent(to, { code: null, ...error }) });
  const { page, agent } = await world.visit(world.domainAt(sp));
  world.expectRefusal({ page, agent }, { sp, says: /access_denied/ });
  expect(page.html).not.toContain("call this number");
  expect(page.has("try-again")).toBe(true);
});

test("the code goes to the token endpoint that stood when it was asked for", async () => {
  const { sp } = await waiting();
  world.advance(3500);
  const begun = await waiting(sp);
  // The hour is over for which the metadata of before is remembered.
  world.advance(200);
  begun.sp.bends.metadata = (metadata) => ({
    ...metadata,
    token_endpoint: `${begun.sp.issuer}/elsewhere`,
  });
  expect((await back(begun, begun.answer)).stopped).toBe(true);
  expect(begun.sp.asked("token")).toHaveLength(1);
  expect(begun.sp.asked("other")).toEqual([]);
});

test("another account at the SP is refused, and the page says which one it was", async () => {
  const sp = await world.sp();
  const domain = world.domainAt(sp);
  sp.bends.claims = (claims) => ({ ...claims, sub: "mallory" });
  const { page, agent } = await world.visit(domain);
  world.expectRefusal({ page, agent }, { sp, says: /The account you used at/ });
  const told = /acct=([\w-]{64}),/.exec(textOf(page))?.[1] ?? "";
  expect(isSaltedAcct(told, sp.issuer, "mallory", domain)).toBe(true);
});

test.each<[string, (sp: BentSp) => string]>([
  ["another SP", () => recordOf("https://sp.example.net", "a".repeat(22))],
  ["another account", (sp) => recordOf(sp.issuer, "b".repeat(22))],
  ["nobody", () => "v=dsi1 sp=none"],
])("a record that names %s by the time of the answer signs nobody in", async (_, record) => {
  const begun = await waiting();
  world.publish(begun.domain, record(begun.sp));
  const page = await back(begun, begun.answer);
  world.expectRefusal({ page, agent: begun.agent }, { sp: begun.sp, says: /record .* changed/ });
  expect(page.link("try-again")).toContain(`${world.test.issuer}/oauth/authorize?`);
});
