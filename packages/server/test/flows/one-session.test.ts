// Answers that arrive twice at once, such as a page that checks by itself and "check now": they start one session.

import type { Page, UserAgent } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import { assertionFor, givePasskey } from "../support/passkeys.ts";
import { copyOf } from "../support/sign-in.ts";

const at = flow();

/** What the account of the domain has: sessions in its list, and browsers that it knows. */
async function counted() {
  const [id, now] = [await at.accountId(), Math.floor(Date.now() / 1000) + 10];
  return {
    sessions: (await at.store.sessions.sessionsOf(id, now)).length,
    browsers: await at.store.sessions.countBrowsersOf(id, now),
  };
}

const hasSession = (agent: UserAgent) =>
  agent.cookies.names(at.issuer).some((name) => name.includes("_session_"));
/** The same form of a page by both browsers at once. */
const together = (agents: UserAgent[], page: Page, form: string, fields = {}) =>
  Promise.all(agents.map((agent) => at.submit(page, form, fields, { agent })));

test("a set-up that is checked twice at once is one session, in the browser that gets its secret", async () => {
  const { agent } = at;
  const page = await at.begin();
  at.publish(page);
  // Two requests of one browser. Each here has its own jar, so that it shows who got the secret.
  const other = copyOf(agent, at.issuer);
  const answers = await together([agent, other], page, "check-form");
  expect(answers.map(({ step }) => step)).toEqual(["recovery-codes", "recovery-codes"]);
  expect(await counted()).toEqual({ sessions: 1, browsers: 1 });
  // The request that was too late may get the secret again with the codes, until the first one was sent.
  const errors = await Promise.all([agent, other].map((one) => at.silently({ agent: one })));
  const signedIn = errors.map((error) => error === null);
  expect(signedIn.filter(Boolean)).toHaveLength(1);
  // The one without the secret gets to the app as well.
  const lost = signedIn[0] ? other : agent;
  const lostPage = await lost.open(page.url, { stopAt: at.client.redirectUri });
  const done = await at.submit(lostPage, "recovery-codes-form", {}, { agent: lost });
  expect(new URL(done.url).searchParams.get("code")).toMatch(/^dsc_/);
});

test("a passkey that is posted twice in a new browser is one session", async () => {
  await at.owner();
  const passkey = await givePasskey(at, at.domain);
  const before = await counted();
  const { agent } = at;
  const page = await at.begin();
  expect(page.step).toBe("passkey");
  const credential = assertionFor(page, passkey);
  const other = copyOf(agent, at.issuer);
  const answers = await together([agent, other], page, "passkey-form", { credential });
  for (const { url } of answers) expect(new URL(url).searchParams.get("code")).toMatch(/^dsc_/);
  expect(await counted()).toEqual({
    sessions: before.sessions + 1,
    browsers: before.browsers + 1,
  });
  expect([hasSession(agent), hasSession(other)].filter(Boolean)).toHaveLength(1);
});

test("in a browser that is signed in already, the session goes on, and the former secret until the new one is sent", async () => {
  const { agent } = at;
  await at.setUp();
  const passkey = await givePasskey(at, at.domain);
  const page = await at.begin({ parameters: { prompt: "login" } });
  const credential = assertionFor(page, passkey);
  const other = copyOf(agent, at.issuer);
  // The browser from before: the response with the new secret never reaches it.
  const lost = copyOf(agent, at.issuer);
  await together([agent, other], page, "passkey-form", { credential });
  expect(await counted()).toEqual({ sessions: 1, browsers: 1 });
  expect(await at.silently({ agent: lost })).toBeNull();
});
