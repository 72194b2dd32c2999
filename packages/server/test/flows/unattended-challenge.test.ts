// The page of a DNS challenge checks by itself while nobody may be there. The person finishes the sign-in.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, expect, test } from "vitest";
import { recoveryCodeHash } from "../../src/sign-in/recovery-code-entry.ts";
import { flow, hasCode } from "../support/flow.ts";
import { givePasskey } from "../support/passkeys.ts";
import { accountChangeUrl, leaveSessions } from "../support/sign-in.ts";

const at = flow();
const stopAt = "https://app.example.org/";
let owner: UserAgent;
let codes: readonly string[];
beforeEach(async () => {
  owner = at.agent;
  codes = (await at.setUp()).codes;
});

/** What the script of the page asks for, again and again. */
async function poll(page: Page, agent = owner) {
  const headers = at.cookies({ agent });
  const url = new URL("?by-itself=yes", page.url);
  const answer = await fetch(url, { headers, redirect: "manual" });
  return {
    status: answer.status,
    location: answer.headers.get("location"),
    cookies: answer.headers.getSetCookie(),
  };
}

/** With this, the script offers a link to the page itself. */
const offersToGoOn = ({ url }: Page) => ({
  ...{ status: 303, location: url.slice(at.issuer.length), cookies: [] },
});

test("an unattended page uses up no recovery code, and the person goes on where they left off", async () => {
  const { accountId } = await givePasskey(at, at.domain);
  const [code = ""] = codes;
  const isUnused = () => at.store.recoveryCodes.hasRecoveryCode(accountId, recoveryCodeHash(code));
  const agent = createUserAgent();
  const left = await at.submit(await at.begin({ agent }), "without-passkey-form", {}, { agent });
  const page = await at.submit(left, "check-form", { recovery_code: code }, { agent });
  expect((await poll(page, agent)).status).toBe(200);
  at.publish(page);
  at.advance(5);
  expect(await poll(page, agent)).toEqual(offersToGoOn(page));
  expect(await isUnused()).toBe(true);
  at.advance(2 * 3600);
  expect(await poll(page, agent)).toEqual(offersToGoOn(page));
  expect((await agent.open(page.url)).step).toBe("new-passkey");
  expect(await isUnused()).toBe(false);
});

test("an unattended page in a known browser signs nobody in", async () => {
  leaveSessions(owner, at.issuer);
  const page = await at.begin();
  expect(page.step).toBe("dns-challenge");
  at.publish(page);
  at.advance(5);
  expect(await poll(page)).toEqual(offersToGoOn(page));
  at.advance(3600);
  expect(hasCode(await owner.open(page.url, { stopAt }))).toBe(true);
});

test("an unattended page leaves the person the whole time to change the account", async () => {
  const { domain } = at;
  const first = await owner.open(accountChangeUrl(at, "new-codes", { login_hint: domain }));
  const page = await owner.submit(first, "domain-form", { domain });
  expect(page.step).toBe("dns-challenge");
  at.publish(page);
  at.advance(5);
  await poll(page);
  at.advance(360);
  expect((await owner.open(page.url)).url).toMatch(/\/new-codes$/);
});
