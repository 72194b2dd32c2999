// The walk: complete sign-ins, from the first request to the revoked tokens, each step narrated and checked.

import { findChromium } from "../browser/chromium.ts";
import type { DemoDescription } from "../description.ts";
import { shortenToken } from "../shorten.ts";
import { createWalkBrowser, expectPage, readRecord } from "./browser.ts";
import { createWalkClient, type TxtRecord } from "./client.ts";
import { signInThroughSp } from "./external.ts";
import { type FoundChromium, signInWithPasskey } from "./passkey.ts";
import { type Received, verifyProof, type Walk } from "./proof.ts";
import { expectEqual, expectThat, type Narrate, walkSteps } from "./steps.ts";

export interface WalkResult {
  readonly walk: "ok" | "failed";
  readonly steps: readonly { readonly name: string; readonly ok: boolean }[];
}

/** What the first sign-in leaves for later steps. */
interface SignedUp {
  readonly sub: string;
  readonly record: TxtRecord;
}

export interface WalkOptions {
  readonly chromium?: FoundChromium | undefined;
  /** Resolves when the walk is no longer needed: Chromium is closed then. */
  readonly stopped?: Promise<unknown> | undefined;
}

/** Stops at the first step that fails. Needs three domains without records, and removes the records that it adds. */
export function walk(
  demo: DemoDescription,
  narrate: Narrate,
  { chromium = findChromium(), stopped }: WalkOptions = {},
): Promise<WalkResult> {
  return walkSteps(narrate, async (step) => {
    const domain = demo.domains[0]?.domain ?? "";
    const browser = createWalkBrowser(demo, narrate);
    const client = createWalkClient(demo, narrate);
    const all: Walk = { demo, domain, browser, client, narrate, step };
    const account = await firstSignIn(all);
    await secondSignIn(all);
    const jwks = await verifyProof(all, await thirdSignIn(all, account));
    const another = createWalkBrowser(demo, narrate);
    const other = { domain: demo.domains[1]?.domain ?? "", browser: another };
    await signInThroughSp({ ...all, ...other }, jwks);
    const third = demo.domains.slice(2).find(({ signed }) => signed)?.domain ?? "";
    const last = { demo, domain: third, client, narrate, step };
    await signInWithPasskey(last, { chromium, stopped });
  });
}

/** Set-up, consent, tokens, refresh, and the revocation after a replay. */
async function firstSignIn({
  demo,
  domain,
  browser,
  client,
  narrate,
  step,
}: Walk): Promise<SignedUp> {
  const request = await step("authorize", async () => {
    await client.discover();
    const begun = client.begin();
    const page = await browser.open(begun.url);
    expectPage(page, "domain");
    return { ...begun, page };
  });

  const setUp = await step("set-up", async () => {
    const page = await browser.submit(request.page, "domain-form", { domain });
    expectPage(page, "dns-setup");
    return { page, record: readRecord(page, `_domain-signin.${domain}`, demo, narrate) };
  });

  await step("publish-record", () => client.publish(setUp.record));

  const codes = await step("check-record", async () => {
    const page = await browser.submit(setUp.page, "check-form");
    expectPage(page, "recovery-codes");
    return page;
  });

  const consent = await step("save-codes", async () => {
    const page = await browser.submit(codes, "recovery-codes-form");
    expectPage(page, "consent");
    return page;
  });

  const code = await step("consent", async () => {
    const options = { stopAt: client.redirectUri };
    const end = await browser.submit(consent, "consent-form", { decision: "allow" }, options);
    return client.readCode(end, request.state);
  });

  const first = await step("code-exchange", () => client.exchange(code, request.verifier));

  const sub = await step("userinfo", async () => {
    const answer = await client.userinfo(first.access_token);
    expectEqual("the status of userinfo", answer.status, 200);
    expectEqual("the domain of userinfo", answer.body.domain, domain);
    expectThat("userinfo names a sub", typeof answer.body.sub === "string", answer.body);
    return String(answer.body.sub);
  });

  const second = await step("refresh", async () => {
    const tokens = await client.refresh(first.refresh_token);
    expectThat(
      "the refresh token is new",
      tokens.refresh_token !== first.refresh_token,
      "the same",
    );
    expectThat("the access token is new", tokens.access_token !== first.access_token, "the same");
    return tokens;
  });

  await step("refresh-retry", async () => {
    const tokens = await client.refresh(first.refresh_token);
    const isSame = tokens.refresh_token === second.refresh_token;
    expectThat(
      "the refresh token is the same as before",
      isSame,
      shortenToken(tokens.refresh_token),
    );
  });

  const third = await step("successor", async () => {
    const tokens = await client.refresh(second.refresh_token);
    const isNew = ![first, second].some((old) => old.refresh_token === tokens.refresh_token);
    expectThat("the refresh token is new", isNew, "one of the old ones");
    return tokens;
  });

  await step("replay", async () => {
    await client.expectInvalidGrant(first.refresh_token);
  });

  await step("grant-ended", async () => {
    await client.expectInvalidGrant(third.refresh_token);
    const { status } = await client.userinfo(third.access_token);
    expectEqual("the status of userinfo", status, 401);
  });
  return { sub, record: setUp.record };
}

/** In the same browser: one click, and consent is remembered. */
async function secondSignIn({ browser, client, step }: Walk): Promise<void> {
  await step("continue-as", async () => {
    const begun = client.begin();
    const page = await browser.open(begun.url);
    expectPage(page, "continue");
    const options = { stopAt: client.redirectUri };
    const end = await browser.submit(page, "continue-form", {}, options);
    client.readCode(end, begun.state);
  });
}

/** Signed out, but in a browser that the account knows: the owner publishes a short-lived record. */
async function thirdSignIn(
  { demo, domain, browser, client, narrate, step }: Walk,
  account: SignedUp,
): Promise<Received> {
  const request = await step("sign-out", async () => {
    const begun = client.begin();
    const page = await browser.open(begun.url);
    expectPage(page, "continue");
    const domainPage = await browser.submit(page, "sign-out-form");
    expectPage(domainPage, "domain");
    return { ...begun, page: domainPage };
  });

  const challenge = await step("dns-challenge", async () => {
    const sessions = browser.cookies
      .names(request.page.url)
      .filter((name) => /(^|-)ds_session_/.test(name));
    expectEqual("the number of session cookies", sessions.length, 0);
    const page = await browser.submit(request.page, "domain-form", { domain });
    expectPage(page, "dns-challenge");
    const record = readRecord(page, `_domain-signin-challenge.${domain}`, demo, narrate);
    return { page, record };
  });

  await step("publish-challenge", () => client.publish(challenge.record));

  const code = await step("check-challenge", async () => {
    const options = { stopAt: client.redirectUri };
    const end = await browser.submit(challenge.page, "check-form", {}, options);
    return client.readCode(end, request.state);
  });

  const tokens = await step("same-account", async () => {
    const tokens = await client.exchange(code, request.verifier);
    const { body } = await client.userinfo(tokens.access_token);
    expectEqual("the sub", body.sub, account.sub);
    return tokens;
  });

  await step("clean-up", async () => {
    await client.withdraw(challenge.record);
    await client.withdraw(account.record);
  });
  return { tokens, verifier: request.verifier, sub: account.sub };
}
