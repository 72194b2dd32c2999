// A revocation at the same moment as a sign-in: the code that is issued at that moment is refused.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type OperatedService, startOperatedService } from "../support/operated-service.ts";
import type { TestClient } from "../support/service.ts";
import { authorizationUrl, redemption, signIn } from "../support/sign-in.ts";

let at: OperatedService;
let beforeStatement = async (_sql: string): Promise<void> => {};
let client: TestClient;
let agent: UserAgent;
beforeAll(async () => {
  at = await startOperatedService({ beforeStatement: (sql) => beforeStatement(sql) });
});
afterAll(() => at.close());
beforeEach(async () => {
  for (const record of at.zone.records()) at.zone.remove(record);
  client = await at.addClient({ name: "Notes", consent: "first" });
  agent = createUserAgent();
  await signIn(at, client, { agent });
});
afterEach(() => {
  beforeStatement = async () => {};
});

/** Holds the first statement that begins with these words, until `release`. */
function hold(words: string): { readonly reached: Promise<void>; readonly release: () => void } {
  const [reached, released] = [gate(), gate()];
  const others = beforeStatement;
  let isFirst = true;
  beforeStatement = async (sql) => {
    if (!isFirst || !sql.trim().startsWith(words)) return others(sql);
    isFirst = false;
    reached.open();
    await released.opened;
  };
  return { reached: reached.opened, release: released.open };
}
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** What took access away, each as its user does it. */
const revokers = {
  "the owner revokes the app": async () => {
    const page = await agent.open(`${at.issuer}/account`);
    const { id = "" } = page.forms.find((form) => isRevocation(form, client)) ?? {};
    await agent.submit(page, id);
  },
  "the owner signs out everywhere with all apps": async () => {
    const page = await agent.open(`${at.issuer}/account`);
    await agent.submit(page, "sign-out-everywhere-apps-form");
  },
  "the operator revokes the app": async () => {
    await at.ask("grants", "revoke", await liveAccountId(), "--client", client.id);
  },
  "the operator signs the account out with all apps": async () => {
    await at.ask("accounts", "sign-out", await liveAccountId(), "--apps");
  },
};
type Revoker = keyof typeof revokers;
const REVOKERS = Object.keys(revokers) as Revoker[];

async function liveAccountId(): Promise<string> {
  const accounts = await at.store.accountsOf("alice.test");
  return accounts.find(({ asleepSince }) => asleepSince === null)?.id ?? "";
}

function isRevocation({ id, controls }: Page["forms"][number], { id: clientId }: TestClient) {
  return id?.startsWith("revoke-") && controls.some(({ value }) => value === clientId);
}

const stopAt = "https://app.example.org/";
const continueSignIn = async (parameters: Record<string, string> = {}) => {
  const page = await agent.open(authorizationUrl(at, client, parameters));
  return agent.submit(page, "continue-form", {}, { stopAt });
};
const silently = () => agent.open(authorizationUrl(at, client, { prompt: "none" }), { stopAt });

/** What the app gets: the tokens of a code, or an error; or the status of the page that the person sees. */
async function outcomeOf(page: Page, to = client): Promise<string> {
  if (!page.stopped) return `page ${page.status}`;
  const answer = new URL(page.url).searchParams;
  const code = answer.get("code");
  if (code === null) return String(answer.get("error"));
  const done = { code, verifier: "", answer, agent, steps: [] };
  const { status, body } = await at.token(redemption(to, done), to);
  return status === 200 ? "tokens" : String(body.error);
}

describe.each(REVOKERS)("while a grant is being stored, %s:", (revoker) => {
  test("a sign-in that the person allowed before ends on a page", async () => {
    const held = hold("INSERT INTO grants");
    const answer = continueSignIn();
    await held.reached;
    await revokers[revoker]();
    held.release();
    expect(await outcomeOf(await answer)).toBe("page 400");
  });

  test("so does one that the person allows just now", async () => {
    const page = await continueSignIn({ prompt: "consent" });
    expect(page.step).toBe("consent");
    const held = hold("INSERT INTO grants");
    const answer = agent.submit(page, "consent-form", {}, { button: "allow", stopAt });
    await held.reached;
    await revokers[revoker]();
    held.release();
    expect(await outcomeOf(await answer)).toBe("page 400");
  });

  test("a silent request gets an error", async () => {
    const held = hold("INSERT INTO grants");
    const answer = silently();
    await held.reached;
    await revokers[revoker]();
    held.release();
    const error = revoker.includes("out") ? "login_required" : "consent_required";
    expect(await outcomeOf(await answer)).toBe(error);
  });
});

test.each([
  ["an allowed sign-in", () => continueSignIn(), "page 400"],
  ["a silent request", () => silently(), "consent_required"],
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
  ["a sign-in", () => continueSignIn()],
  ["a silent request", () => silently()],
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
  const held = hold("INSERT INTO consents");
  const answer = agent.submit(page, "consent-form", {}, { button: "allow", stopAt });
  await held.reached;
  await revokers["the owner revokes the app"]();
  held.release();
  expect(await outcomeOf(await answer)).toBe("page 400");
  expect(await outcomeOf(await silently())).toBe("consent_required");
});

test.each([
  ["a sign-in", () => continueSignIn(), "page 400"],
  ["a silent request", () => silently(), "login_required"],
] as const)(
  "%s whose session ends while its grant is stored gets no code",
  async (_, begin, expected) => {
    const held = hold("INSERT INTO grants");
    const answer = begin();
    await held.reached;
    await agent.submit(await agent.open(`${at.issuer}/account`), "sign-out-form");
    held.release();
    expect(await outcomeOf(await answer)).toBe(expected);
  },
);

test("a silent request of an app that needs no consent is as good as one a second later", async () => {
  client = await at.addClient({ name: "Own app", consent: "never" });
  await signIn(at, client, { agent });
  const held = hold("INSERT INTO grants");
  const answer = silently();
  await held.reached;
  await revokers["the operator revokes the app"]();
  held.release();
  expect(await outcomeOf(await answer)).toBe("tokens");
  expect(await outcomeOf(await silently())).toBe("tokens");
});

test("many requests and revocations at once leave no grant that can be used", async () => {
  const accountId = await liveAccountId();
  const cookie = agent.cookies.header(at.issuer) ?? "";
  const revoke = () =>
    fetch(`${at.issuer}/account/revoke`, {
      ...{ method: "POST", redirect: "manual" },
      body: new URLSearchParams({ domain: "alice.test", client_id: client.id }),
      headers: { cookie, origin: at.issuer },
    });
  const url = authorizationUrl(at, client, { prompt: "none" });
  const answers: (string | null)[] = [];
  const ask = async () => {
    const answer = await fetch(url, { headers: { cookie }, redirect: "manual" });
    answers.push(new URL(answer.headers.get("location") ?? "").searchParams.get("error"));
  };
  let count = 0;
  for (let round = 0; round < 5; round++) {
    const consent = { accountId, clientId: client.id, scopes: ["openid"], now: 0 };
    await at.store.rememberConsent(consent);
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
    expect(await at.store.grantsOf(accountId, Math.floor(Date.now() / 1000))).toEqual([]);
  }
  expect(new Set(answers)).toEqual(new Set([null, "consent_required"]));
});
