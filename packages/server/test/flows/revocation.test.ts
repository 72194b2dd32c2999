// A revocation at the same moment as a sign-in: the code that is issued at that moment is refused.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { beforeEach, describe, expect, test } from "vitest";
import { errorOf, flow, hasCode } from "../support/flow.ts";
import { heldStatements } from "../support/held-statements.ts";
import { startOperatedService } from "../support/operated-service.ts";
import { authorizationUrl, redeemed } from "../support/sign-in.ts";

const statements = heldStatements();
/** Runs before each statement that is not held. */
let beforeStatement = async (): Promise<void> => {};
const at = flow({
  start: () =>
    startOperatedService({
      async beforeStatement(sql) {
        await statements.beforeStatement(sql);
        await beforeStatement();
      },
    }),
  registration: { name: "Notes", consent: "first" },
  domain: "alice.test",
});
beforeEach(async () => {
  await at.signIn();
});
const { hold } = statements;

/** What took access away, each as its user does it. */
const revokers = {
  "the owner revokes the app": async () => {
    const page = await at.agent.open(`${at.issuer}/account`);
    const { id = "" } = page.forms.find(isRevocation) ?? {};
    await at.agent.submit(page, id);
  },
  "the owner signs out everywhere with all apps": async () => {
    const page = await at.agent.open(`${at.issuer}/account`);
    await at.agent.submit(page, "sign-out-everywhere-apps-form");
  },
  "the operator revokes the app": async () => {
    await at.ask("grants", "revoke", await at.accountId(), "--client", at.client.id);
  },
  "the operator signs the account out with all apps": async () => {
    await at.ask("accounts", "sign-out", await at.accountId(), "--apps");
  },
};
type Revoker = keyof typeof revokers;
const REVOKERS = Object.keys(revokers) as Revoker[];

function isRevocation({ id, controls }: Page["forms"][number]) {
  return id?.startsWith("revoke-") && controls.some(({ value }) => value === at.client.id);
}

const continueSignIn = async (parameters: Record<string, string> = {}) =>
  at.submit(await at.open(parameters), "continue-form");
const allow = (page: Page) => at.submit(page, "consent-form", {}, { button: "allow" });
const askSilently = () => at.open({ prompt: "none" });

/** What the app gets: the tokens of a code, or an error; or the status of the page that the person sees. */
async function outcomeOf(page: Page): Promise<string> {
  if (!page.stopped) return `page ${page.status}`;
  if (!hasCode(page)) return String(errorOf(page));
  const { status, body } = await redeemed(at, at.client, page);
  return status === 200 ? "tokens" : String(body.error);
}

/** The outcome of a request whose statement with these words is held while something else happens. */
async function outcomeWhile(
  words: string,
  begin: () => Promise<Page>,
  other: () => Promise<unknown>,
): Promise<string> {
  const held = hold(words);
  const answer = begin();
  await held.reached;
  await other();
  held.release();
  return outcomeOf(await answer);
}

describe.each(REVOKERS)("while a grant is being stored, %s:", (revoker) => {
  const outcome = (begin: () => Promise<Page>) =>
    outcomeWhile("INSERT INTO grants", begin, revokers[revoker]);

  test("a sign-in that the person allowed before asks again, or ends on a page if nobody is signed in", async () => {
    const isSignedOut = revoker.includes("sign");
    expect(await outcome(continueSignIn)).toBe(isSignedOut ? "page 400" : "page 200");
  });

  test("so does one that the person allows just now", async () => {
    const page = await continueSignIn({ prompt: "consent" });
    expect(page.step).toBe("consent");
    expect(await outcome(() => allow(page))).toBe("page 400");
  });

  test("a silent request gets an error", async () => {
    expect(await outcome(askSilently)).toBe("login_required");
  });
});

test.each([
  ["an allowed sign-in", continueSignIn, "page 200"],
  ["a silent request", askSilently, "login_required"],
] as const)(
  "%s that begins in the midst of a revocation gets no code",
  async (_, begin, expected) => {
    const [forgetting, issuing] = [hold("DELETE FROM consents"), hold("INSERT INTO grants")];
    const revocation = revokers["the owner revokes the app"]();
    await forgetting.reached;
    const answer = begin();
    await issuing.reached;
    forgetting.release();
    await revocation;
    issuing.release();
    expect(await outcomeOf(await answer)).toBe(expected);
  },
);

test.each([
  ["a sign-in", continueSignIn],
  ["a silent request", askSilently],
] as const)(
  "a code of %s that is issued before the revocation completes is refused",
  async (_, begin) => {
    const ending = hold("UPDATE interactions SET expires_at");
    const revocation = revokers["the owner revokes the app"]();
    await ending.reached;
    const answer = await begin();
    ending.release();
    await revocation;
    expect(answer.url).toContain("code=");
    expect(await outcomeOf(answer)).toBe("invalid_grant");
  },
);

test("a consent that is stored after a revocation does not stay", async () => {
  const page = await continueSignIn({ prompt: "consent" });
  const revokes = revokers["the owner revokes the app"];
  expect(await outcomeWhile("INSERT INTO consents", () => allow(page), revokes)).toBe("page 400");
  expect(await outcomeOf(await askSilently())).toBe("login_required");
});

test.each([
  ["a sign-in", continueSignIn, "page 400"],
  ["a silent request", askSilently, "login_required"],
] as const)(
  "%s whose session ends while its grant is stored gets no code",
  async (_, begin, expected) => {
    const signsOut = async () =>
      at.agent.submit(await at.agent.open(`${at.issuer}/account`), "sign-out-form");
    expect(await outcomeWhile("INSERT INTO grants", begin, signsOut)).toBe(expected);
  },
);

test("a silent request of an app that needs no consent is as good as one a second later", async () => {
  at.client = await at.addClient({ name: "Own app", consent: "never" });
  await at.signIn();
  const revokes = revokers["the operator revokes the app"];
  expect(await outcomeWhile("INSERT INTO grants", askSilently, revokes)).toBe("tokens");
  expect(await outcomeOf(await askSilently())).toBe("tokens");
});

test("many requests and revocations at once leave no grant that can be used", async () => {
  const accountId = await at.accountId();
  const { cookie } = at.cookies();
  const revoke = () =>
    fetch(`${at.issuer}/account/revoke`, {
      ...{ method: "POST", redirect: "manual" },
      body: new URLSearchParams({ domain: "alice.test", client_id: at.client.id }),
      headers: { cookie, origin: at.issuer },
    });
  const url = authorizationUrl(at, at.client, { prompt: "none" });
  const answers: (string | null)[] = [];
  const ask = async () => {
    const answer = await fetch(url, { headers: { cookie }, redirect: "manual" });
    answers.push(new URL(answer.headers.get("location") ?? "").searchParams.get("error"));
  };
  let count = 0;
  for (let round = 0; round < 5; round++) {
    const consent = { accountId, clientId: at.client.id, scopes: ["openid"], now: 0 };
    await at.store.consents.rememberConsent(consent);
    // Each statement lets another number of others pass.
    beforeStatement = async () => {
      count++;
      for (let turn = (count * 7) % 11; turn > 0; turn--) await new Promise(setImmediate);
    };
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        if (index % 10 === 9) await revoke();
        else await ask();
      }),
    );
    beforeStatement = async () => {};
    expect(await at.store.grants.grantsOf(accountId, Math.floor(Date.now() / 1000))).toEqual([]);
  }
  // The second one if the consent is withdrawn while the request is answered.
  const allowed = [null, "consent_required", "login_required"];
  expect(answers.filter((answer) => !allowed.includes(answer))).toEqual([]);
  expect(answers).toContain(null);
});
