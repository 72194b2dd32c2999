// Answers of external SPs to the browser that are wrong, that are others', or that come twice.

import { describe, expect, test } from "vitest";
import { SP_SUB } from "../../support/bent-sp.ts";
import { codeOf, federation, textOf } from "../../support/federated.ts";

const world = federation();

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
async function answered() {
  const sp = await world.sp();
  const domain = world.domainAt(sp);
  return { sp, domain, ...(await world.answered(domain)) };
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
    const { sp } = await world.expectRefused({ callback: changed(change) }, /iss/);
    expect(sp.asked("token")).toEqual([]);
  });
});

describe("an answer with an error ends at a page that says which one:", () => {
  const errors = ["access_denied", "login_required", "server_error", "temporarily_unavailable"];
  test.each([...errors, "an-unknown.one"])("%s", async (error) => {
    const callback = changed(({ code: _, ...rest }) => ({ ...rest, error }));
    const { sp } = await world.expectRefused({ callback }, new RegExp(error));
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
    const { page } = await world.expectRefused({ callback }, /./);
    if (error !== "") expect(page.html).not.toContain(error);
    expect(page.html).not.toContain("555-01");
    expect(page.html).not.toContain("sp.example");
  });

  test("an error with a code beside it is an error: the code is not redeemed", async () => {
    const callback = changed((right) => ({ ...right, error: "access_denied" }));
    const { sp } = await world.expectRefused({ callback }, /access_denied/);
    expect(sp.asked("token")).toEqual([]);
  });
});

describe("an answer that belongs to no sign-in of this browser reaches nobody:", () => {
  const other = (letter: string) => (letter === "A" ? "Q" : "A");
  const state = (change: (right: string) => string | string[]) => (right: Answer) => ({
    ...right,
    state: change(right.state ?? ""),
  });
  test.each<[string, (right: Answer) => Record<string, string | string[]>]>([
    ["no state", ({ state: _, ...rest }) => rest],
    ["an empty state", state(() => "")],
    ["a state that is too short", state((right) => right.slice(0, -1))],
    ["a state with another end", state((right) => right.replace(/.$/, other))],
    ["a state with another beginning", state((right) => right.replace(/^./, other))],
    ["a state in small letters", state((right) => right.toLowerCase())],
    ["a state made up", state(() => `${"a".repeat(22)}.${"b".repeat(43)}`)],
    ["two states", state((right) => [right, "another"])],
    ["the same state twice", state((right) => [right, right])],
    ["two codes", (right) => ({ ...right, code: [right.code ?? "", "another"] })],
    ["two iss", (right) => ({ ...right, iss: [right.iss ?? "", "https://sp.example"] })],
    ["nothing at all", () => ({})],
  ])("%s", async (_, change) => {
    const before = await world.traces();
    const sp = await world.sp({ callback: changed(change) });
    const { page, agent } = await world.visit(world.domainAt(sp));
    expect([page.stopped, page.status]).toEqual([false, 400]);
    expect(sp.asked("token")).toEqual([]);
    world.expectNoSession(agent);
    expect(await world.traces()).toEqual(before);
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
    world.expectNoSession(other);
    world.expectNoSession(mine.agent);
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
    const domain = world.domainAt(sp);
    const agent = world.person();
    const { answer: one } = await world.answered(domain, { agent });
    const { answer: two } = await world.answered(domain, { agent });
    expect(one.searchParams.get("state")).not.toBe(two.searchParams.get("state"));
    two.searchParams.set("code", one.searchParams.get("code") ?? "");
    const page = await world.openAnswer({ agent, domain }, two);
    // PKCE: the SP itself refuses it.
    world.expectRefusal({ page, agent }, { sp, says: /invalid_grant/ });
    expect(sp.asked("token")).toHaveLength(1);
  });

  test("a code of another sign-in, redeemed by an SP that does not look at PKCE: its nonce is another", async () => {
    const { sp: other } = await answered();
    const nonce = other.asked("authorize")[0]?.url.searchParams.get("nonce");
    await world.expectRefused({ claims: (claims) => ({ ...claims, nonce }) }, /nonce/);
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
  const { answer } = await world.answered(world.domainAt(sp), { agent });
  for (const says of [/nonce/, /already used/]) {
    const shown = await agent.open(answer.href, { stopAt: world.client.redirectUri });
    world.expectRefusal({ page: shown, agent }, { sp, says });
  }
  expect(sp.asked("token")).toHaveLength(1);
});

test("after a refusal the same person can try again, and is signed in once the SP is well", async () => {
  const sp = await world.sp({ reply: { token: () => ({ status: 500, body: {} }) } });
  const agent = world.person();
  const { page } = await world.visit(world.domainAt(sp), { agent });
  world.expectRefusal({ page, agent }, { sp, says: /./ });
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
    const { sp } = await world.expectRefused({ callback: changed(change) }, /./);
    expect(sp.asked("token")).toEqual([]);
  });
});

test("the request to the SP holds what it must, and what is secret differs each time (RFC 9700 §2.1.1, §4.7)", async () => {
  const sp = await world.sp();
  const domain = world.domainAt(sp);
  const agent = world.person();
  for (let time = 0; time < 2; time++)
    codeOf(await world.visit(domain, { agent: time ? agent : world.person() }));
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
