// The account page in a browser that set its domain up again: the former account stays signed in, and asleep.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import { claimsOf, flow } from "../support/flow.ts";

const at = flow({ registration: { name: "Notes", consent: "first" }, domain: "alice.test" });

const nowSeconds = () => Math.floor(Date.now() / 1000);
const account = (query = "") => at.agent.open(`${at.issuer}/account${query}`);

/** Sets the domain up, loses the record, and sets it up again in the same browser. */
async function setUpAgain() {
  const former = await at.tokens();
  at.replaceRecord(null);
  at.advance(400);
  const client = await at.addClient({ name: "Calendar", consent: "never" });
  const current = await at.tokens({ client });
  const subs = [former, current].map(({ id_token }) => String(claimsOf(id_token).sub));
  return { token: { current: current.access_token }, subs };
}

/** The page of the former account, as a person gets there. */
async function formerPage(): Promise<Page> {
  return at.agent.open((await account()).link("former-account"));
}

test("shows the account that the record names now, with a link to the former one", async () => {
  const { subs } = await setUpAgain();
  expect(new Set(subs).size).toBe(2);
  for (const query of ["", "?domain=alice.test"]) {
    const page = await account(query);
    expect([page.status, page.step, page.has("sign-out-everywhere-form")]).toEqual([
      ...[200, "account", true],
    ]);
    expect(page.html).not.toContain("names another account");
    expect(page.html).toContain("Calendar");
    expect(page.html).not.toContain("Notes");
    expect(page.has("former-account")).toBe(true);
  }
});

test("the former account says that it is one; its apps are revoked, and then it is signed out", async () => {
  const { token, subs } = await setUpAgain();
  const page = await formerPage();
  expect(page.html).toContain("This is a former account of alice.test.");
  expect(page.html).not.toContain("Calendar");
  // Another authentication would be of the other account.
  expect(page.has("sign-out-everywhere-form")).toBe(false);
  // The address of the page has an identifier that apps know as well, and no secret.
  const session = new URL(page.url).searchParams.get("session") ?? "";
  expect(at.agent.cookies.header(at.issuer)).not.toContain(session);

  const grants = async () => (await at.store.grants.grantsOf(subs[0] ?? "", nowSeconds())).length;
  expect(await grants()).toBe(1);
  const revoked = await at.agent.submit(page, "revoke-1-form");
  expect(await grants()).toBe(0);
  expect(revoked.html).toContain("This is a former account of alice.test.");
  expect(revoked.html).toContain("No app has access");
  expect((await at.userinfo(token.current)).status).toBe(200);

  const left = await at.agent.submit(revoked, "sign-out-form");
  expect(left.status).toBe(200);
  const kept = await account("?domain=alice.test");
  expect(kept.html).toContain("Calendar");
  expect(kept.has("former-account")).toBe(false);
});

test.each(["sign-out-form", "sign-out-everywhere-form"])(
  "%s of the present account signs out of the former ones in this browser too",
  async (form) => {
    const { subs } = await setUpAgain();
    const live = async () => {
      const sessions = subs.map((sub) => at.store.sessions.sessionsOf(sub, nowSeconds()));
      return (await Promise.all(sessions)).map(({ length }) => length);
    };
    expect(await live()).toEqual([1, 1]);
    const left = await at.agent.submit(await account(), form);
    expect(left.html).toContain("You are signed out");
    expect(await live()).toEqual([0, 0]);
  },
);

test("a form without the session of the former account changes the present account alone", async () => {
  const { token } = await setUpAgain();
  const page = await account();
  const revoked = await at.agent.submit(page, "revoke-1-form");
  expect(revoked.html).toContain("No app has access");
  expect((await at.userinfo(token.current)).status).toBe(401);
  const former = await formerPage();
  expect(former.html).toContain("Notes");
});

test("of several domains, the former account is listed as one", async () => {
  await setUpAgain();
  await at.signIn({ domain: "bob.test", parameters: { prompt: "login" } });
  const page = await account();
  expect(page.html).toContain("Which domain?");
  // Without those that lead to signing out everywhere.
  const links = [...page.html.matchAll(/href="(\/account\?[^"#]*)"/g)].map(([, href]) => href);
  expect(links).toHaveLength(3);
  expect(new Set(links).size).toBe(3);
  expect(page.html.match(/former account/g)).toHaveLength(1);
});

test("a session of another account, or of nobody, shows no account", async () => {
  await setUpAgain();
  const url = (await formerPage()).url;
  const other = await at.owner({ domain: "bob.test" });
  expect((await other.open(url)).step).toBe("domain");
  const unknown = await account("?domain=alice.test&session=unknown");
  expect(unknown.step).toBe("continue");
});
