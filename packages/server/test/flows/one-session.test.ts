// Answers that arrive twice at once, such as a page that checks by itself and "check now": they start one session.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assertionFor, givePasskey } from "../support/passkeys.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  authorizationUrl,
  checkAndSave,
  copyOf,
  publish,
  saveCodes,
  signIn,
} from "../support/sign-in.ts";

let at: TestService;
let client: TestClient;
let stopAt: string;

beforeAll(async () => {
  at = await startTestService();
  client = await at.addClient({ consent: "never" });
  stopAt = client.redirectUri;
});
afterAll(() => at.close());

async function begin(agent: UserAgent, domain: string): Promise<Page> {
  const first = await agent.open(authorizationUrl(at, client), { stopAt });
  return agent.submit(first, "domain-form", { domain }, { stopAt });
}

/** What the account of the domain has: sessions in its list, and browsers that it knows. */
async function counted(domain: string) {
  const [account] = await at.store.accountsOf(domain);
  const [id, now] = [account?.id ?? "", Math.floor(Date.now() / 1000) + 10];
  return {
    sessions: (await at.store.sessionsOf(id, now)).length,
    browsers: await at.store.countBrowsersOf(id, now),
  };
}

const hasSession = (agent: UserAgent) =>
  agent.cookies.names(at.issuer).some((name) => name.includes("_session_"));

test("a set-up that is checked twice at once is one session, in the browser that gets its secret", async () => {
  const domain = "alice.test";
  const agent = createUserAgent();
  const page = await begin(agent, domain);
  publish(at, page);
  // Two requests of one browser. Each here has its own jar, so that it shows who got the secret.
  const other = copyOf(agent, at.issuer);
  const answers = await Promise.all(
    [agent, other].map((one) => one.submit(page, "check-form", {}, { stopAt })),
  );
  expect(answers.map(({ step }) => step)).toEqual(["recovery-codes", "recovery-codes"]);
  expect(await counted(domain)).toEqual({ sessions: 1, browsers: 1 });
  // The request that was too late may get the secret again with the codes, until the first one was sent.
  const silent = authorizationUrl(at, client, { prompt: "none" });
  const codes = await Promise.all(
    [agent, other].map(async (one) => new URL((await one.open(silent, { stopAt })).url)),
  );
  const signedIn = codes.map(({ searchParams }) => searchParams.has("code"));
  expect(signedIn.filter(Boolean)).toHaveLength(1);
  // The one without the secret gets to the app as well.
  const lost = signedIn[0] ? other : agent;
  const lostPage = await lost.open(page.url, { stopAt });
  const { page: done } = await saveCodes(lost, lostPage, { stopAt });
  expect(new URL(done.url).searchParams.get("code")).toMatch(/^dsc_/);
});

test("a passkey that is posted twice in a new browser is one session", async () => {
  const domain = "bob.test";
  await signIn(at, client, { agent: createUserAgent(), domain });
  const passkey = await givePasskey(at, domain);
  const before = await counted(domain);
  const agent = createUserAgent();
  const page = await begin(agent, domain);
  expect(page.step).toBe("passkey");
  const credential = assertionFor(page, passkey);
  const other = copyOf(agent, at.issuer);
  const answers = await Promise.all(
    [agent, other].map((one) => one.submit(page, "passkey-form", { credential }, { stopAt })),
  );
  for (const { url } of answers) expect(new URL(url).searchParams.get("code")).toMatch(/^dsc_/);
  expect(await counted(domain)).toEqual({
    sessions: before.sessions + 1,
    browsers: before.browsers + 1,
  });
  expect([hasSession(agent), hasSession(other)].filter(Boolean)).toHaveLength(1);
});

test("in a browser that is signed in already, the session goes on, and the former secret until the new one is sent", async () => {
  const domain = "carol.test";
  const agent = createUserAgent();
  const setUp = await begin(agent, domain);
  publish(at, setUp);
  await checkAndSave(agent, setUp, { stopAt });
  const passkey = await givePasskey(at, domain);
  const url = authorizationUrl(at, client, { prompt: "login" });
  const page = await agent.submit(await agent.open(url), "domain-form", { domain });
  const credential = assertionFor(page, passkey);
  const other = copyOf(agent, at.issuer);
  // The browser from before: the response with the new secret never reaches it.
  const lost = copyOf(agent, at.issuer);
  await Promise.all(
    [agent, other].map((one) => one.submit(page, "passkey-form", { credential }, { stopAt })),
  );
  expect(await counted(domain)).toEqual({ sessions: 1, browsers: 1 });
  const { url: answer } = await lost.open(authorizationUrl(at, client, { prompt: "none" }), {
    stopAt,
  });
  expect(new URL(answer).searchParams.get("code")).toMatch(/^dsc_/);
});
