// Answers of external SPs to the browser that are wrong, that are others', or that come twice.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SP_SUB } from "../../support/bent-sp.ts";
import {
  codeOf,
  domainAt,
  expectNoSession,
  expectRefusal,
  expectRefused,
  type FederatedWorld,
  startFederatedWorld,
  textOf,
  traces,
  visit,
} from "../../support/federated.ts";

let world: FederatedWorld;
beforeAll(async () => {
  world = await startFederatedWorld();
});
afterAll(async () => {
  await world.close();
});

type Answer = Record<string, string>;

/** Bends the answer; several values for a name make the parameter several times. */
const changed = (change: (right: Answer) => Record<string, string | string[]>) => (to: URL) => {
  const right: Answer = Object.fromEntries(to.searchParams);
  const pairs = Object.entries(change(right)).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  const bent = new URL(to);
  bent.search = new URLSearchParams(pairs).toString();
  return bent;
};

/** An SP, and a person who was sent there and back: the address that the answer would have gone to. */
async function answered(options: Parameters<typeof visit>[2] = {}) {
  const sp = await world.sp();
  const domain = domainAt(world, sp);
  const stopAt = `${world.test.issuer}/federation/callback/`;
  const { page, agent } = await visit(world, domain, { stopAt, ...options });
  expect(page.stopped).toBe(true);
  return { sp, domain, agent, answer: new URL(page.url) };
}

describe("an answer that does not say who sent it is refused, and its code is not redeemed (RFC 9207 §2.4):", () => {
  const error = "access_denied";
  test.each<[string, (right: Answer) => Answer]>([
    ["no iss", ({ iss: _, ...rest }) => rest],
    ["another iss", (right) => ({ ...right, iss: "https://sp.example" })],
    ["an empty iss", (right) => ({ ...right, iss: "" })],
    ["an iss with a slash at its end", (right) => ({ ...right, iss: `${right.iss}/` })],
    ["an iss in capital letters", (right) => ({ ...right, iss: `${right.iss?.toUpperCase()}` })],
    ["no iss with an error", ({ iss: _, code: __, ...rest }) => ({ ...rest, error })],
    ["another iss with an error", (right) => ({ ...right, error, iss: "https://sp.example" })],
  ])("%s", async (_, change) => {
    const { sp } = await expectRefused(world, { callback: changed(change) }, /iss/);
    expect(sp.asked("token")).toEqual([]);
  });
});

describe("an answer with an error ends at a page that says which one:", () => {
  test.each([
    "access_denied",
    "login_required",
    "server_error",
    "temporarily_unavailable",
    "an-unknown.one",
  ])("%s", async (error) => {
    const callback = changed(({ code: _, ...rest }) => ({ ...rest, error }));
    const { sp } = await expectRefused(world, { callback }, new RegExp(error));
    expect(sp.asked("token")).toEqual([]);
  });

  test.each<[string, string]>([
    ["markup", "<img src=x onerror=alert(1)>"],
    ["a sentence", "your password is wrong, call 555-0100"],
    ["line ends", "a\r\nset-cookie: a=b"],
    ["much too much", "a".repeat(3000)],
    ["nothing", ""],
  ])("but its words are not shown if they are no error code: %s", async (_, error) => {
    const description = "Call 555-0199 and tell your password.";
    const callback = changed(({ code: _, ...rest }) => ({
      ...{ ...rest, error, error_description: description },
      error_uri: "https://sp.example/help",
    }));
    const { page } = await expectRefused(world, { callback }, /./);
    if (error !== "") expect(page.html).not.toContain(error);
    expect(page.html).not.toContain("555-01");
    expect(page.html).not.toContain("sp.example");
  });

  test("an error with a code beside it is an error: the code is not redeemed", async () => {
    const callback = changed((right) => ({ ...right, error: "access_denied" }));
    const { sp } = await expectRefused(world, { callback }, /access_denied/);
    expect(sp.asked("token")).toEqual([]);
  });
});

describe("an answer that belongs to no sign-in of this browser reaches nobody:", () => {
  const other = (letter: string) => (letter === "A" ? "Q" : "A");
  test.each<[string, (right: Answer) => Record<string, string | string[]>]>([
    ["no state", ({ state: _, ...rest }) => rest],
    ["an empty state", (right) => ({ ...right, state: "" })],
    ["a state that is too short", (right) => ({ ...right, state: `${right.state?.slice(0, -1)}` })],
    [
      "a state with another end",
      (right) => ({ ...right, state: right.state?.replace(/.$/, other) ?? "" }),
    ],
    [
      "a state with another beginning",
      (right) => ({ ...right, state: right.state?.replace(/^./, other) ?? "" }),
    ],
    ["a state in small letters", (right) => ({ ...right, state: `${right.state?.toLowerCase()}` })],
    ["a state made up", (right) => ({ ...right, state: `${"a".repeat(22)}.${"b".repeat(43)}` })],
    ["two states", (right) => ({ ...right, state: [right.state ?? "", "another"] })],
    [
      "the same state twice",
      (right) => ({ ...right, state: [right.state ?? "", right.state ?? ""] }),
    ],
    ["two codes", (right) => ({ ...right, code: [right.code ?? "", "another"] })],
    ["two iss", (right) => ({ ...right, iss: [right.iss ?? "", "https://sp.example"] })],
    ["nothing at all", () => ({})],
  ])("%s", async (_, change) => {
    const before = await traces(world);
    const sp = await world.sp({ callback: changed(change) });
    const { page, agent } = await visit(world, domainAt(world, sp));
    expect([page.stopped, page.status]).toEqual([false, 400]);
    expect(sp.asked("token")).toEqual([]);
    expectNoSession(world, agent);
    expect(await traces(world)).toEqual(before);
  });

  test("one that was sent to another browser: a stranger's answer signs nobody in", async () => {
    const { sp, answer, domain } = await answered();
    const other = world.person();
    const fresh = await other.open(answer.href);
    expect([fresh.stopped, fresh.status]).toEqual([false, 403]);
    // Nor one that has a sign-in of its own at the same SP.
    const mine = await answered();
    const page = await mine.agent.open(answer.href);
    expect([page.stopped, page.status]).toEqual([false, 403]);
    expect(textOf(page)).not.toContain(domain);
    expect(sp.asked("token")).toEqual([]);
    expectNoSession(world, other);
    expectNoSession(world, mine.agent);
  });

  test("one without the cookie of its browser, as from another site", async () => {
    const { sp, answer, agent } = await answered();
    agent.cookies.forget(() => true);
    const page = await agent.open(answer.href);
    expect([page.stopped, page.status]).toEqual([false, 403]);
    expect(sp.asked("token")).toEqual([]);
  });

  test("one that is posted", async () => {
    const { sp, answer, agent } = await answered();
    const cookie = agent.cookies.header(answer.href) ?? "";
    const { origin, pathname, searchParams } = answer;
    const { status } = await fetch(origin + pathname, {
      method: "POST",
      body: searchParams,
      headers: { cookie },
    });
    expect(status).toBe(405);
    expect(sp.asked("token")).toEqual([]);
  });

  test("the state of another tab with a code of this one", async () => {
    const sp = await world.sp();
    const domain = domainAt(world, sp);
    const agent = world.person();
    const stopAt = `${world.test.issuer}/federation/callback/`;
    const tabs = [
      await visit(world, domain, { agent, stopAt }),
      await visit(world, domain, { agent, stopAt }),
    ];
    const [one, two] = tabs.map(({ page }) => new URL(page.url));
    if (one === undefined || two === undefined) throw new Error("two tabs");
    expect(one.searchParams.get("state")).not.toBe(two.searchParams.get("state"));
    two.searchParams.set("code", one.searchParams.get("code") ?? "");
    const page = await agent.open(two.href, { stopAt: world.client.redirectUri });
    // PKCE: the SP itself refuses it.
    expectRefusal(world, { page, agent }, { sp, says: /invalid_grant/ });
    expect(sp.asked("token")).toHaveLength(1);
  });

  test("a code of another sign-in, redeemed by an SP that does not look at PKCE: its nonce is another", async () => {
    const { sp: other } = await answered();
    const nonce = other.asked("authorize")[0]?.url.searchParams.get("nonce");
    await expectRefused(world, { claims: (claims) => ({ ...claims, nonce }) }, /nonce/);
  });
});

test("a replayed answer is refused, and what it signed in before stays", async () => {
  const { sp, agent, answer } = await answered();
  const stopAt = world.client.redirectUri;
  const first = await agent.open(answer.href, { stopAt });
  expect(first.stopped).toBe(true);
  const again = await agent.open(answer.href, { stopAt });
  expect(again.stopped ? new URL(again.url).searchParams.get("code") : again.status).not.toBe(200);
  expect(sp.asked("token")).toHaveLength(1);
});

test("a replayed answer that was refused before is refused again, and its code is not sent twice", async () => {
  const sp = await world.sp({ claims: (claims) => ({ ...claims, nonce: "another nonce" }) });
  const agent = world.person();
  const stopAt = `${world.test.issuer}/federation/callback/`;
  const { page } = await visit(world, domainAt(world, sp), { agent, stopAt });
  for (const says of [/nonce/, /already used/]) {
    const shown = await agent.open(page.url, { stopAt: world.client.redirectUri });
    expectRefusal(world, { page: shown, agent }, { sp, says });
  }
  expect(sp.asked("token")).toHaveLength(1);
});

test("after a refusal the same person can try again, and is signed in once the SP is well", async () => {
  const sp = await world.sp({ reply: { token: () => ({ status: 500, body: {} }) } });
  const agent = world.person();
  const { page } = await visit(world, domainAt(world, sp), { agent });
  expectRefusal(world, { page, agent }, { sp, says: /./ });
  delete sp.bends.reply;
  const done = await agent.open(page.link("try-again"), { stopAt: world.client.redirectUri });
  expect(new URL(done.url).searchParams.get("code")).toMatch(/^dsc_/);
});

describe("an answer without a code is refused:", () => {
  test.each<[string, (right: Answer) => Answer]>([
    ["none", ({ code: _, ...rest }) => rest],
    ["an empty one", (right) => ({ ...right, code: "" })],
    ["a token in its place", ({ code: _, ...rest }) => ({ ...rest, id_token: "a.b.c" })],
    [
      "a signed response in its place (JARM)",
      ({ code: _, ...rest }) => ({ ...rest, response: "a.b.c" }),
    ],
  ])("%s", async (_, change) => {
    const { sp } = await expectRefused(world, { callback: changed(change) }, /./);
    expect(sp.asked("token")).toEqual([]);
  });
});

test("the request to the SP holds what it must, and what is secret differs each time (RFC 9700 §2.1.1, §4.7)", async () => {
  const sp = await world.sp();
  const domain = domainAt(world, sp);
  const agent = world.person();
  for (let time = 0; time < 2; time++)
    codeOf(await visit(world, domain, { agent: time ? agent : world.person() }));
  const asked = sp.asked("authorize").map(({ url }) => Object.fromEntries(url.searchParams));
  const [one = {}, two = {}] = asked;
  expect(one).toMatchObject({
    ...{ response_type: "code", scope: "openid", login_hint: domain, ds_hop: "1" },
    ...{ code_challenge_method: "S256", code_challenge: expect.stringMatching(/^[\w-]{43}$/) },
    redirect_uri: expect.stringMatching(/\/federation\/callback\/[\w-]{43}$/),
  });
  for (const name of ["state", "nonce", "code_challenge"]) expect(one[name]).not.toBe(two[name]);
  const dump = await world.test.dump();
  expect(sp.secrets.filter((secret) => dump.includes(secret))).toEqual([]);
  expect(dump).not.toContain(SP_SUB);
});
