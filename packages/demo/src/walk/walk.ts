// The walk: a sign-in from its first request to the end of its tokens, narrated and checked.

import type { UserAgent } from "../browser/user-agent.ts";
import type { DemoDescription } from "../description.ts";
import { shortened } from "../shortened.ts";
import { createWalkBrowser, expectPage, readRecord } from "./browser.ts";
import { createWalkClient, type TxtRecord, type WalkClient } from "./client.ts";
import { signInThroughSp } from "./external.ts";
import { type Received, verifyProof } from "./proof.ts";
import { expectEqual, expectThat, type Narrate, type Step, walkSteps } from "./steps.ts";

export interface WalkResult {
  readonly walk: "ok" | "failed";
  readonly steps: readonly { readonly name: string; readonly ok: boolean }[];
}

/** All that the steps of one walk share. */
interface Walk {
  readonly demo: DemoDescription;
  readonly domain: string;
  readonly browser: UserAgent;
  readonly client: WalkClient;
  readonly narrate: Narrate;
  readonly step: Step;
}

/** What the set-up has left behind. */
interface SignedUp {
  readonly sub: string;
  readonly record: TxtRecord;
}

/** Ends at the first step that does not hold. It needs two domains without records, and leaves them so. */
export function walk(demo: DemoDescription, narrate: Narrate): Promise<WalkResult> {
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
  });
}

/** With set-up and consent; then the life of the tokens. */
async function firstSignIn({
  demo,
  domain,
  browser,
  client,
  narrate,
  step,
}: Walk): Promise<SignedUp> {
  const request = await step("authorize", "An app sends a browser to the service.", async () => {
    await client.discover();
    const begun = client.begin();
    const page = await browser.open(begun.url);
    expectPage(page, "domain");
    return { ...begun, page };
  });

  const setUp = await step(
    "set-up",
    `The person enters ${domain}, which has no record yet.`,
    async () => {
      const page = await browser.submit(request.page, "domain-form", { domain });
      expectPage(page, "dns-setup");
      return { page, record: readRecord(page, `_domain-signin.${domain}`, demo, narrate) };
    },
  );

  await step("publish-record", "The owner of the zone publishes that record.", () =>
    client.publish(setUp.record),
  );

  const consent = await step("check-record", "The service looks again and sees it.", async () => {
    const page = await browser.submit(setUp.page, "check-form");
    expectPage(page, "consent");
    return page;
  });

  const code = await step("consent", "The person allows what the app asks for.", async () => {
    const options = { stopAt: client.redirectUri };
    const end = await browser.submit(consent, "consent-form", { decision: "allow" }, options);
    return client.readCode(end, request.state);
  });

  const first = await step("code-exchange", "The app exchanges the code for tokens.", () =>
    client.exchange(code, request.verifier),
  );

  const sub = await step("userinfo", "It asks who that was.", async () => {
    const answer = await client.userinfo(first.access_token);
    expectEqual("the status of userinfo", answer.status, 200);
    expectEqual("the domain of userinfo", answer.body.domain, domain);
    expectThat("userinfo names a sub", typeof answer.body.sub === "string", answer.body);
    return String(answer.body.sub);
  });

  const second = await step("refresh", "It refreshes: both tokens are replaced.", async () => {
    const tokens = await client.refresh(first.refresh_token);
    expectThat(
      "the refresh token is new",
      tokens.refresh_token !== first.refresh_token,
      "the same",
    );
    expectThat("the access token is new", tokens.access_token !== first.access_token, "the same");
    return tokens;
  });

  await step("refresh-retry", "The answer was lost, so it sends the same again.", async () => {
    const tokens = await client.refresh(first.refresh_token);
    const isSame = tokens.refresh_token === second.refresh_token;
    expectThat("the same successor again", isSame, shortened(tokens.refresh_token));
  });

  const third = await step("successor", "It goes on with the successor.", async () => {
    const tokens = await client.refresh(second.refresh_token);
    const isNew = ![first, second].some((old) => old.refresh_token === tokens.refresh_token);
    expectThat("the refresh token is new", isNew, "one of the old ones");
    return tokens;
  });

  await step("replay", "A thief has kept the first refresh token and tries it now.", async () => {
    await client.expectInvalidGrant(first.refresh_token);
  });

  await step("grant-ended", "That ended the whole grant, the newest tokens included.", async () => {
    await client.expectInvalidGrant(third.refresh_token);
    const { status } = await client.userinfo(third.access_token);
    expectEqual("the status of userinfo", status, 401);
  });
  return { sub, record: setUp.record };
}

/** In the same browser: one click, and no question that was answered before. */
async function secondSignIn({ domain, browser, client, step }: Walk): Promise<void> {
  await step("continue-as", `The same browser again: "Continue as ${domain}".`, async () => {
    const begun = client.begin();
    const page = await browser.open(begun.url);
    expectPage(page, "continue");
    const options = { stopAt: client.redirectUri };
    const end = await browser.submit(page, "continue-form", {}, options);
    client.readCode(end, begun.state);
  });
}

/** Without the session, but in a browser that the account knows: a record for once. */
async function thirdSignIn(
  { demo, domain, browser, client, narrate, step }: Walk,
  account: SignedUp,
): Promise<Received> {
  const request = await step("other-domain", 'Once more, with "Use another domain".', async () => {
    const begun = client.begin();
    const page = await browser.open(begun.url);
    expectPage(page, "continue");
    const domainPage = await browser.submit(page, "other-domain-form");
    expectPage(domainPage, "domain");
    return { ...begun, page: domainPage };
  });

  const heading = "The session cookie is gone, the mark of this browser is not.";
  const challenge = await step("dns-challenge", heading, async () => {
    const forgotten = browser.cookies.forget((name) => /(^|-)ds_session_/.test(name));
    expectEqual("the number of session cookies", forgotten.length, 1);
    const page = await browser.submit(request.page, "domain-form", { domain });
    expectPage(page, "dns-challenge");
    const record = readRecord(page, `_domain-signin-challenge.${domain}`, demo, narrate);
    return { page, record };
  });

  await step("publish-challenge", "The owner publishes the short-lived record.", () =>
    client.publish(challenge.record),
  );

  const code = await step("check-challenge", "The service sees it; consent stands.", async () => {
    const options = { stopAt: client.redirectUri };
    const end = await browser.submit(challenge.page, "check-form", {}, options);
    return client.readCode(end, request.state);
  });

  const tokens = await step(
    "same-account",
    "The app meets the same account as at first.",
    async () => {
      const tokens = await client.exchange(code, request.verifier);
      const { body } = await client.userinfo(tokens.access_token);
      expectEqual("the sub", body.sub, account.sub);
      return tokens;
    },
  );

  await step("clean-up", "The owner takes both records back: the zone is as it was.", async () => {
    await client.withdraw(challenge.record);
    await client.withdraw(account.record);
  });
  return { tokens, verifier: request.verifier, sub: account.sub };
}
