// The browsers on the account page that are signed out but still known, and how their owner makes the account forget one.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import { authorizationUrl, checkAndSave, publish, signIn } from "../support/sign-in.ts";

let at: TestService;
let client: TestClient;
let agent: UserAgent;
let other: UserAgent;
let domain: string;
let count = 0;
beforeAll(async () => {
  at = await startTestService();
});
afterAll(() => at.close());
beforeEach(async () => {
  client = await at.addClient({ consent: "never" });
  [agent, other] = [createUserAgent(), createUserAgent()];
  domain = `known-${++count}.alice.test`;
});

const stopAt = "https://app.example.org/";
const open = (from: UserAgent, parameters: Record<string, string> = {}) =>
  from.open(authorizationUrl(at, client, parameters), { stopAt });
const account = () => agent.open(`${at.issuer}/account`);
const formsOf = ({ forms }: Page) =>
  forms.flatMap(({ id }) => (id?.startsWith("forget-") ? [id] : []));

async function challenged(from: UserAgent): Promise<Page> {
  return from.submit(await open(from, { prompt: "login" }), "domain-form", { domain }, { stopAt });
}

/** Whether a DNS challenge in this browser asks for a recovery code. */
const isKnown = async (from: UserAgent) => !(await challenged(from)).has("recovery_code");

/** Signs in in both browsers, and out again in the other one. */
async function signedOutElsewhere(): Promise<void> {
  const setUp = await challenged(agent);
  publish(at, setUp);
  const { codes } = await checkAndSave(agent, setUp, { stopAt });
  const asked = await challenged(other);
  const shown = await other.submit(asked, "check-form", { recovery_code: codes[0] ?? "" });
  publish(at, shown);
  expect((await other.submit(shown, "check-form", {}, { stopAt })).stopped).toBe(true);
  const page = await other.open(`${at.issuer}/account`);
  await other.submit(page, "sign-out-form");
}

test("a browser that signed out itself is listed, and is forgotten by one button", async () => {
  await signedOutElsewhere();
  expect(await isKnown(other)).toBe(true);
  const page = await account();
  expect(page.html).toContain("Browsers where you are signed out");
  expect(formsOf(page)).toEqual(["forget-1-form"]);
  const after = await agent.submit(page, "forget-1-form");
  expect([after.status, after.step, formsOf(after)]).toEqual([200, "account", []]);
  expect(after.html).not.toContain("Browsers where you are signed out");
  expect([await isKnown(other), await isKnown(agent)]).toEqual([false, true]);
});

test("forgetting a browser needs an authentication of the last five minutes", async () => {
  await signedOutElsewhere();
  at.advance(301);
  const asked = await agent.submit(await account(), "forget-1-form");
  expect(asked.step).toBe("domain");
  expect(await isKnown(other)).toBe(true);
  const challenge = await agent.submit(asked, "domain-form", { domain });
  publish(at, challenge);
  const news = await agent.submit(challenge, "check-form");
  const page = await agent.submit(news, "news-form");
  await agent.submit(page, "forget-1-form");
  expect(await isKnown(other)).toBe(false);
});

test("a browser that signed in again meanwhile is signed out and forgotten", async () => {
  await signedOutElsewhere();
  const page = await account();
  await signIn(at, client, { agent: other, domain, parameters: { prompt: "login" } });
  await agent.submit(page, "forget-1-form");
  const silent = await open(other, { prompt: "none" });
  expect(new URL(silent.url).searchParams.get("error")).toBe("login_required");
  expect(await isKnown(other)).toBe(false);
});

test("a browser of another account is not forgotten", async () => {
  await signedOutElsewhere();
  const page = await account();
  const [form] = page.forms.filter(({ id }) => id === "forget-1-form");
  const browser = form?.controls.find(({ name }) => name === "browser")?.value ?? "";
  const mallory = createUserAgent();
  await signIn(at, client, { agent: mallory, domain: "mallory.alice.test" });
  const cookie = mallory.cookies.header(at.issuer) ?? "";
  const response = await fetch(`${at.issuer}/account/sign-out`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: at.issuer, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ domain: "mallory.alice.test", browser }).toString(),
  });
  expect(response.status).toBe(303);
  expect(browser).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(await isKnown(other)).toBe(true);
});
