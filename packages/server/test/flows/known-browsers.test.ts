// The browsers on the account page that are signed out but still known, and how their owner makes the account forget one.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, expect, test } from "vitest";
import { flow } from "../support/flow.ts";

const at = flow();
let other: UserAgent;
beforeEach(() => {
  other = createUserAgent();
});

const formsOf = ({ forms }: Page) =>
  forms.flatMap(({ id }) => (id?.startsWith("forget-") ? [id] : []));

const challenged = (agent: UserAgent) => at.begin({ agent, parameters: { prompt: "login" } });

/** Whether a DNS challenge in this browser asks for a recovery code. */
const isKnown = async (agent: UserAgent) => !(await challenged(agent)).has("recovery_code");

/** Signs in in both browsers, and out again in the other one. */
async function signedOutElsewhere(): Promise<void> {
  const { codes } = await at.finish(await at.begin());
  const agent = other;
  const fields = { recovery_code: codes[0] ?? "" };
  const shown = await at.submit(await challenged(agent), "check-form", fields, { agent });
  at.publish(shown);
  expect((await at.submit(shown, "check-form", {}, { agent })).stopped).toBe(true);
  await at.submit(await at.account({ agent }), "sign-out-form", {}, { agent });
}

test("a browser that signed out itself is listed, and is forgotten by one button", async () => {
  await signedOutElsewhere();
  expect(await isKnown(other)).toBe(true);
  const page = await at.account();
  expect(page.html).toContain("Browsers where you are signed out");
  expect(formsOf(page)).toEqual(["forget-1-form"]);
  const after = await at.submit(page, "forget-1-form");
  expect([after.status, after.step, formsOf(after)]).toEqual([200, "account", []]);
  expect(after.html).not.toContain("Browsers where you are signed out");
  expect([await isKnown(other), await isKnown(at.agent)]).toEqual([false, true]);
});

test("forgetting a browser needs an authentication of the last five minutes", async () => {
  await signedOutElsewhere();
  at.advance(301);
  const asked = await at.submit(await at.account(), "forget-1-form");
  expect(asked.step).toBe("domain");
  expect(await isKnown(other)).toBe(true);
  await at.submit(await at.until("account", asked), "forget-1-form");
  expect(await isKnown(other)).toBe(false);
});

test("a browser that signed in again meanwhile is signed out and forgotten", async () => {
  await signedOutElsewhere();
  const page = await at.account();
  await at.signIn({ agent: other, parameters: { prompt: "login" } });
  await at.submit(page, "forget-1-form");
  expect(await at.silently({ agent: other })).toBe("login_required");
  expect(await isKnown(other)).toBe(false);
});

test("a browser of another account is not forgotten", async () => {
  await signedOutElsewhere();
  const page = await at.account();
  const [form] = page.forms.filter(({ id }) => id === "forget-1-form");
  const browser = form?.controls.find(({ name }) => name === "browser")?.value ?? "";
  const domain = "mallory.alice.test";
  const mallory = await at.owner({ domain });
  const response = await at.post("/account/sign-out", { domain, browser }, { agent: mallory });
  expect(response.status).toBe(303);
  expect(browser).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(await isKnown(other)).toBe(true);
});
