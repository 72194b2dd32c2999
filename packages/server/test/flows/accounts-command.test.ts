// `accounts list`, `show`, `sign-out` and `end` as an operator runs them, with every mistake.

import { createUserAgent, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, describe, expect, test } from "vitest";
import { decided } from "../../src/interaction/progress.ts";
import { refused } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { flow } from "../support/flow.ts";
import { heldSleep } from "../support/held-sleep.ts";
import { startOperatedService } from "../support/operated-service.ts";
import { changeProgress } from "../support/progress.ts";
import { copyOf, refresh } from "../support/sign-in.ts";
import {
  authenticatedProgress,
  DAY,
  liveAccount,
  someInteraction,
  someSession,
} from "../support/store-rows.ts";

// Nothing stores the service's time, which these tests move ahead of that of the commands.
const at = flow({
  start: () => startOperatedService({ sleep: heldSleep().sleep }),
  domain: "alice.test",
});

const accounts = (...args: string[]) => at.operate(["accounts", ...args]);

/** Entries when there are as many. Their order depends on two clocks: the command's is that of the system. */
const historyOf = (accountId: string, count: number) =>
  eventually(async () => {
    const entries = await at.store.histories.historyOf(accountId, { since: 0, limit: 100 });
    if (entries.length < count) throw new Error(`only ${entries.length} entries`);
    return entries.map(({ kind, detail }) => ({ kind, detail }));
  });

describe("before there is anything", () => {
  test("a list is empty, and a domain without an account is status 1", async () => {
    expect(await at.ask("accounts", "list")).toEqual({ accounts: [], next: null });
    expect((await accounts("list")).stdout).toBe("no accounts\n");
    for (const verb of ["show", "sign-out", "end"]) {
      expect(await accounts(verb, "nobody.test")).toEqual(
        refused("nobody.test has no account here\n"),
      );
      expect(await accounts(verb, "sub_nobody")).toEqual(
        refused("there is no account with the sub sub_nobody\n"),
      );
    }
  });
});

describe("an account that is signed in", () => {
  let tokens: Awaited<ReturnType<typeof at.tokens>>;
  /** A browser with stolen cookies. */
  let copy: UserAgent;
  beforeEach(async () => {
    at.advance(2);
    // The account of the test before has ended.
    for (const { id } of await at.store.accounts.accountsOf("alice.test")) {
      await at.store.accountAdmin.endAccountNow({ accountId: id, now: 1 });
    }
    tokens = await at.tokens();
    copy = copyOf(at.agent, at.issuer);
  });

  test("is listed and shown, in JSON and in lines", async () => {
    const { id: sub, acct, createdAt } = await at.accountOf();
    await historyOf(sub, 2);
    const view = {
      ...{ sub, domain: "alice.test", status: "live", sp: null, acct },
      ...{ created_at: createdAt, asleep_since: null, ended_at: null },
    };
    expect(await at.ask("accounts", "list", "--status", "live")).toEqual({
      accounts: [view],
      next: null,
    });
    expect(await at.ask("accounts", "show", sub)).toEqual([
      {
        ...view,
        ...{ sessions: 1, browsers: 1, passkeys: 0, recovery_codes: 10, grants: 1 },
        history: expect.arrayContaining([
          { at: expect.any(Number), kind: "account_created", detail: {} },
          {
            ...{ at: expect.any(Number), kind: "signed_in" },
            detail: { client_id: at.client.id, amr: "dns" },
          },
        ]),
      },
    ]);
    expect((await accounts("list", "--status", "live")).stdout).toBe(
      `alice.test  ${sub}  live  created ${new Date(createdAt * 1000).toISOString().replace(".000", "")}\n`,
    );
    const { stdout } = await accounts("show", sub);
    expect(stdout).toContain(
      "\n  sessions: 1  browsers: 1  passkeys: 0  unused recovery codes: 10  grants: 1\n",
    );
    expect(stdout).toMatch(
      new RegExp(`\\n  \\d{4}-\\S+Z  signed_in  client_id=${at.client.id}  amr=dns\\n`),
    );
  });

  test("has as many sessions as session_idle_days of the service leaves", async () => {
    const { id: sub } = await liveAccount(at.store);
    const usedAt = Math.floor(Date.now() / 1000) - 3 * DAY;
    await at.store.sessions.startSession({
      ...someSession(sub),
      now: usedAt,
      expiresAt: usedAt + 99 * DAY,
    });
    const countWith = async (env: Record<string, string>) =>
      (await at.operate(["accounts", "show", sub], { env })).stdout;
    expect(await countWith({})).toContain("\n  sessions: 1 ");
    expect(await countWith({ DOMAIN_SIGNIN_SESSION_IDLE_DAYS: "2" })).toContain("\n  sessions: 0 ");
  });

  test.each(["Alice.test", "ALICE.TEST.", "  alice.test "])(
    "is found by its domain however it is written: %j",
    async (typed) => {
      const [shown] = (await at.ask("accounts", "show", typed)) as { domain: string }[];
      expect(shown?.domain).toBe("alice.test");
    },
  );

  test("is signed out everywhere: a copied session and a copied browser are worth nothing", async () => {
    const { id: sub } = await at.accountOf();
    expect(await at.silently({ agent: copy })).toBeNull();
    const begun = await at.open({}, { agent: createUserAgent() });
    expect(begun.step).toBe("domain");
    expect(await at.ask("accounts", "sign-out", "alice.test")).toEqual({
      ...{ sub, domain: "alice.test", sessions: 1, browsers: 1, grants: 0 },
    });
    expect(await at.silently({ agent: copy })).toBe("login_required");
    const challenge = await at.begin();
    expect(challenge.step).toBe("dns-challenge");
    at.publish(challenge);
    const again = await at.submit(challenge, "check-form", { recovery_code: "" });
    expect([again.status, again.step]).toEqual([400, "dns-challenge"]);
    // Apps keep their access, and the account keeps its sub.
    expect((await at.token(refresh(tokens.refresh_token), at.client)).status).toBe(200);
    expect((await at.accountOf()).id).toBe(sub);
    expect(await historyOf(sub, 3)).toContainEqual({ kind: "operator_signed_out", detail: {} });
    const { stdout } = await accounts("sign-out", "alice.test");
    expect(stdout).toBe(
      `signed out alice.test (${sub}): ended 0 sessions, forgot 0 browsers, revoked 0 grants\n`,
    );
  });

  test("with --apps the apps lose their access in the same second", async () => {
    const { id: sub } = await at.accountOf();
    expect((await at.userinfo(tokens.access_token)).status).toBe(200);
    expect(await at.ask("accounts", "sign-out", sub, "--apps")).toMatchObject({ grants: 1 });
    expect((await at.userinfo(tokens.access_token)).status).toBe(401);
    const { status, body } = await at.token(refresh(tokens.refresh_token), at.client);
    expect([status, body.error]).toEqual([400, "invalid_grant"]);
    const history = await historyOf(sub, 4);
    expect(history).toContainEqual({ kind: "operator_signed_out", detail: {} });
    expect(history).toContainEqual({ kind: "operator_revoked", detail: { client_id: null } });
  });

  test("a sign-in that is authenticated, but has not ended, gives no code after the sign-out", async () => {
    const client = await at.addClient({ consent: "always" });
    const consent = await at.until("consent", await at.open({}, { client }));
    await accounts("sign-out", "alice.test");
    const end = await at.submit(consent, "consent-form", {}, { button: "allow" });
    expect([end.status, end.step, end.stopped]).toEqual([400, "problem", false]);
    expect(end.has("back-to-app")).toBe(true);
  });

  test("ends for good when the operator confirms: the next sign-in is a new account", async () => {
    const { id: sub } = await at.accountOf();
    const asked: string[] = [];
    const answer = (text: string) => (question: string) => {
      asked.push(question);
      return text;
    };
    const end = (...args: string[]) => ["accounts", "end", "alice.test", ...args];
    for (const text of ["", "yes", "alice.tes"]) {
      expect(await at.operate(end(), { ask: answer(text) })).toEqual(
        refused("nothing was changed\n"),
      );
    }
    expect(asked[0]).toContain(`This permanently ends account ${sub} of alice.test.`);
    expect(await accounts("end", "alice.test")).toEqual(
      refused("cannot ask for confirmation without a terminal: add --yes to end the account\n", 2),
    );
    expect((await at.accountOf()).id).toBe(sub);

    expect(await at.operate(end(), { ask: answer("Alice.test ") })).toMatchObject({
      ...{ status: 0, stdout: `ended ${sub} of alice.test\n` },
    });
    expect((await at.userinfo(tokens.access_token)).status).toBe(401);
    const { body } = await at.token(refresh(tokens.refresh_token), at.client);
    expect(body.error).toBe("invalid_grant");
    expect(await at.silently({ agent: copy })).toBe("login_required");
    expect(await historyOf(sub, 3)).toContainEqual({
      ...{ kind: "account_ended", detail: { by: "operator" } },
    });
    const gone = await accounts("end", "alice.test", "--yes");
    expect(gone).toEqual(
      refused(
        expect.stringMatching(
          new RegExp(
            `^every matching account of alice\\.test has already ended:\\n(  alice\\.test  sub_\\S+  ended since .*\\n)*  alice\\.test  ${sub}  ended`,
          ),
        ),
      ),
    );

    // The same browser, with the record of before, is told to start over, and gets a new sub.
    const setUp = await at.submit(await at.begin(), "start-over-form");
    expect(setUp.step).toBe("dns-setup");
    const { page: done } = await at.finish(setUp);
    expect(done.url).toContain("code=dsc_");
    expect((await at.accountOf()).id).not.toBe(sub);
  });

  test("--yes ends it without a question, and the JSON says when", async () => {
    const { id: sub } = await at.accountOf();
    const now = Math.floor(Date.now() / 1000);
    const signIn = someInteraction({
      progress: authenticatedProgress({ accountId: sub }),
      createdAt: now,
      expiresAt: now + 3600,
    });
    await at.store.interactions.beginInteraction(signIn);
    const json = await at.ask("accounts", "end", sub, "--yes");
    // A sign-in that waits for a consent.
    expect(await changeProgress(at.store, signIn.id, decided("allow"), now)).toBeNull();
    expect(json).toEqual({ sub, domain: "alice.test", ended_at: expect.any(Number) });
    expect(await accounts("sign-out", sub)).toEqual(
      refused(expect.stringContaining("has already ended:\n")),
    );
  });
});

describe("a mistake", () => {
  test.each([
    [
      "https://alice.test",
      "https://alice.test is a URL: name the domain alone, such as alice.test",
    ],
    ["alice.test:443/x", "alice.test:443/x is a URL: name the domain alone, such as alice.test"],
    ["//u@alice.test?x", "//u@alice.test?x is a URL: name the domain alone, such as alice.test"],
    ["/", "/ is a URL: name the domain alone"],
    ["bob@alice.test", "email address"],
    ["alice", "not a full domain name"],
    ["192.0.2.1", "IP address"],
    ["", "Enter the domain name"],
    ["al ice.test", "not allowed in a domain name"],
  ])("in the name %j is status 2, with what to type instead", async (typed, words) => {
    for (const verb of ["show", "sign-out", "end"]) {
      expect(await accounts(verb, typed)).toEqual(refused(expect.stringContaining(words), 2));
    }
  });

  test("a domain with two accounts is not guessed at: they are listed, and the sub decides", async () => {
    const first = await liveAccount(at.store, { domain: "two.example.org", now: 1000 });
    const second = await liveAccount(at.store, { domain: "two.example.org", now: 2000 });
    for (const args of [["sign-out"], ["end", "--yes"]]) {
      const result = await accounts(...args, "two.example.org");
      expect(result).toEqual(
        refused(
          "two.example.org has 2 accounts; name one of them by its sub:\n" +
            `  two.example.org  ${second.id}  live  created 1970-01-01T00:33:20Z\n` +
            `  two.example.org  ${first.id}  asleep since 1970-01-01T00:33:20Z  created 1970-01-01T00:16:40Z\n`,
        ),
      );
    }
    const shown = (await at.ask("accounts", "show", "two.example.org")) as { status: string }[];
    expect(shown.map(({ status }) => status)).toEqual(["live", "asleep"]);
    expect(await at.ask("accounts", "end", first.id, "--yes")).toMatchObject({ sub: first.id });
    expect(await at.ask("accounts", "sign-out", "two.example.org")).toMatchObject({
      sub: second.id,
    });
  });

  test("in an option is status 2", async () => {
    for (const args of [
      ["list", "--status", "dead"],
      ["list", "--limit", "0"],
      ["list", "--limit", "many"],
      ["show"],
      ["end", "a.test", "b.test"],
      ["remove", "alice.test"],
    ]) {
      const { status, stdout, stderr } = await accounts(...args);
      expect([args, status, stdout]).toEqual([args, 2, ""]);
      expect(stderr).not.toMatch(/\n +at /);
    }
  });

  test("a database that does not answer is status 3, and one that is not there is status 2", async () => {
    const nowhere = "postgres://user:a-secret-password@127.0.0.1:1/name";
    for (const args of [["list"], ["show", "alice.test"], ["end", "alice.test", "--yes"]]) {
      const gone = await accounts(...args, "--database", nowhere);
      expect(gone.status).toBe(3);
      expect(gone.stderr).toContain("unavailable: cannot connect to the database");
      const missing = await accounts(...args, "--database", "sqlite:nowhere.db");
      expect([missing.status, missing.stdout]).toEqual([2, ""]);
    }
  });
});

test("a list has pages, and says where the next one begins", async () => {
  for (let count = 0; count < 3; count++) await liveAccount(at.store, { now: 1000 });
  const subs: string[] = [];
  let after: string[] = [];
  for (let page = 0; page < 50; page++) {
    const args = ["list", "--limit", "2", ...after];
    const { accounts: listed, next } = (await at.ask("accounts", ...args)) as {
      accounts: { sub: string }[];
      next: string | null;
    };
    subs.push(...listed.map(({ sub }) => sub));
    const { stdout } = await accounts(...args);
    expect(stdout.endsWith(`more accounts follow: add --after ${next}\n`)).toBe(next !== null);
    if (next === null) break;
    after = ["--after", next];
  }
  const all = await at.store.accountAdmin.listAccounts({
    status: null,
    after: null,
    limit: 10_000,
  });
  expect(subs).toEqual(all.accounts.map(({ id }) => id));
});
