// The record of an account whose domain is being set up again: who is shown it, and what it brings back.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { type NameServer, startNameServer } from "domain-signin-demo/zones/name-server";
import type { Zone } from "domain-signin-demo/zones/zone";
import { answerQuery } from "domain-signin-demo/zones/zone-answer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import { givePasskey, usePasskey } from "../support/passkeys.ts";
import { startTestService, TEST_DOMAINS } from "../support/service.ts";
import { authorizationUrl, leaveSessions, openDomainPage } from "../support/sign-in.ts";

/** The questions to the resolver, and to the name servers of the zones. */
const asked: string[] = [];
const servers: NameServer[] = [];

const at = flow({
  async start() {
    let own: NameServer | undefined;
    return startTestService({
      async dns(zone) {
        const resolver = await listening("resolver", zone);
        own = await listening("name server", zone);
        return `${resolver.address}:${resolver.port}`;
      },
      reach: (address) =>
        own?.address === address ? { address, port: own.port, isV6: false } : null,
    });
  },
  client: "file",
});
afterAll(async () => {
  for (const server of servers) await server.close();
});

/** Answers for the zones, and notes what it is asked. */
async function listening(who: string, zone: Zone): Promise<NameServer> {
  const server = await startNameServer({
    answer(query) {
      for (const { name, type } of query.questions) asked.push(`${who}: ${type} ${name}`);
      return answerQuery(query, TEST_DOMAINS, zone.records());
    },
  });
  servers.push(server);
  return server;
}

type Former = Awaited<ReturnType<typeof former>>;

/** An account whose record was removed. */
async function former(domain: string) {
  const agent = createUserAgent();
  const page = await entered(agent, domain);
  const { codes } = await at.finish(page, { agent });
  const { id: accountId } = await at.accountOf(domain);
  at.replaceRecord(null, domain);
  at.advance(400);
  return { domain, agent, codes, value: page.text("dns-value"), accountId };
}

const entered = (agent: UserAgent, domain: string) => at.begin({ agent, domain });

/** The page that the set-up page leads to. */
async function formerPage(agent: UserAgent, domain: string): Promise<Page> {
  const page = await entered(agent, domain);
  expect(page.step).toBe("dns-setup");
  const shown = await agent.open(page.link("former"));
  expect([shown.status, shown.step]).toEqual([200, "former-record"]);
  return shown;
}

test("a browser that the account knows is told before it publishes another record, and restores it", async () => {
  const { domain, agent, value, accountId } = await former("alice.test");
  const setUp = await entered(agent, domain);
  expect(setUp.has("known-account")).toBe(true);
  const page = await agent.open(setUp.link("former"));
  expect(page.text("dns-value")).toBe(value);
  at.publish(page);
  at.advance(400);
  const done = await at.signIn({ agent, domain });
  expect(done.steps).not.toContain("recovery-codes");
  const account = await at.accountOf(domain);
  expect([account.id, account.asleepSince]).toEqual([accountId, null]);
});

test("also after it signed out", async () => {
  const { domain, agent, value } = await former("bob.test");
  leaveSessions(agent, at.issuer);
  expect((await formerPage(agent, domain)).text("dns-value")).toBe(value);
});

test("a browser that knows a newer account of the domain restores the earlier one by its recovery code", async () => {
  const { domain, agent, codes, value, accountId } = await former("again.alice.test");
  const setUp = await entered(agent, domain);
  const newer = setUp.text("dns-value");
  await at.finish(setUp, { agent });
  at.replaceRecord(null, domain);
  at.advance(400);
  const known = await formerPage(agent, domain);
  expect([known.text("dns-value"), known.has("former-record-form")]).toEqual([newer, true]);
  const submit = (code: string) =>
    agent.submit(known, "former-record-form", { recovery_code: code });
  const wrong = await submit("x");
  expect([wrong.status, wrong.text("dns-value")]).toEqual([400, newer]);
  expect(wrong.text("recovery-problem")).toContain("not valid for this domain");
  const page = await submit(codes[0] ?? "");
  expect([page.status, page.text("dns-value")]).toEqual([200, value]);
  at.publish(page);
  at.advance(400);
  await at.signIn({ agent, domain });
  const all = await at.store.accounts.accountsOf(domain);
  expect(all.find(({ asleepSince }) => asleepSince === null)?.id).toBe(accountId);
});

describe("in another browser", () => {
  let known: Former;
  beforeAll(async () => {
    known = await former("carol.test");
  });

  test("nothing tells whether the domain had an account", async () => {
    const [one, other] = [createUserAgent(), createUserAgent()];
    const page = await formerPage(one, known.domain);
    const never = await formerPage(other, "never.alice.test");
    const without = ({ html }: Page, domain: string) =>
      html.replaceAll(domain, "…").replaceAll(/interaction\/[\w-]{22}/g, "…");
    expect(without(page, known.domain)).toBe(without(never, "never.alice.test"));
    expect(page.html).not.toContain("acct=");
    for (const [agent, shown] of [
      [one, page],
      [other, never],
    ] as const) {
      const wrong = await agent.submit(shown, "former-record-form", { recovery_code: "x" });
      expect([wrong.status, wrong.step]).toEqual([400, "former-record"]);
      expect(wrong.text("recovery-problem")).toContain("not valid for this domain");
      const missing = await agent.submit(shown, "former-record-form", { recovery_code: " " });
      expect(missing.status).toBe(400);
    }
  });

  describe("no page of the setup, and no question that it asks, depends on an account of the domain", () => {
    /** The page and its questions; its ids, its keys and the time stand for themselves. */
    async function seen(domain: string, act: () => Promise<Page>) {
      // What the service remembers of the last page is no longer used.
      at.advance(400);
      asked.length = 0;
      const { status, step, html } = await act();
      const [label = ""] = domain.split(".");
      const shown = html
        .replaceAll(label, "…")
        .replaceAll(/[\w-]{22,}/g, "…")
        .replaceAll(/<time .*?<\/time>|[A-Z][a-z]{2} \d{1,2}, \d{4}/g, "…");
      return { status, step, shown, asked: asked.map((one) => one.replaceAll(label, "…")).sort() };
    }
    /** What a stranger sees of the domain: on entering it, later, when checking, and as a colleague with a link. */
    async function visited(domain: string) {
      const agent = createUserAgent();
      let page: Page | undefined;
      const first = await openDomainPage(agent, authorizationUrl(at, at.client));
      const enter = async () => {
        page = await agent.submit(first, "domain-form", { domain });
        return page;
      };
      const entered = await seen(domain, enter);
      if (page === undefined) throw new Error("no page");
      const { url, link: linkIn } = page;
      const [setUp, handOn] = [page, await agent.open(linkIn("hand-on"))];
      return [
        entered,
        await seen(domain, () => agent.open(url)),
        await seen(domain, () => agent.submit(setUp, "check-form")),
        await seen(domain, () => createUserAgent().open(handOn.text("set-up-link"))),
      ];
    }
    /** As the walk through the accounts finds it, a week later. */
    async function fallAsleep(accountId: string): Promise<void> {
      at.advance(8 * 86_400);
      await at.walk();
      const account = await at.store.accounts.readAccount(accountId);
      expect(account?.asleepSince).toEqual(expect.any(Number));
    }

    test.each(["awake", "asleep"])("that is %s, without a record", async (state) => {
      const { domain, accountId } = await former(`seller-${state}.bob.test`);
      if (state === "asleep") await fallAsleep(accountId);
      const stranger = await visited(domain);
      expect(stranger.map(({ step }) => step)).toEqual([
        ...["dns-setup", "dns-setup", "dns-setup", "set-up-link"],
      ]);
      const nobody = await visited(`nobody-${state}.bob.test`);
      // The resolvers decide once about an account that was awake, which then sleeps.
      const later = state === "awake" ? 1 : 0;
      expect(stranger.slice(later)).toEqual(nobody.slice(later));
      expect(stranger.map(({ shown }) => shown)).toEqual(nobody.map(({ shown }) => shown));
      for (const { asked: questions } of stranger.slice(later)) {
        expect(questions).toContain("name server: 16 _domain-signin.….bob.test");
        expect(questions).not.toContain("resolver: 16 _domain-signin.….bob.test");
      }
    });

    test("that sleeps, with the record of another set-up", async () => {
      const { domain, accountId } = await former("seller-other.bob.test");
      await fallAsleep(accountId);
      const pages: (readonly unknown[])[] = [];
      for (const one of [domain, "nobody-other.bob.test"]) {
        const agent = createUserAgent();
        const page = await entered(agent, one);
        at.replaceRecord(`v=dsi1 sp=${at.issuer} acct=${"x".repeat(22)}`, one);
        pages.push([
          await seen(one, () => agent.open(page.url)),
          await seen(one, () => entered(createUserAgent(), one)),
        ]);
      }
      expect(pages[0]).toEqual(pages[1]);
    });

    test("but a record that returns wakes the account, in any browser", async () => {
      const { domain, value, accountId } = await former("back.bob.test");
      await fallAsleep(accountId);
      at.advance(400);
      at.replaceRecord(value, domain);
      expect((await entered(createUserAgent(), domain)).step).toBe("dns-challenge");
      expect((await at.store.accounts.readAccount(accountId))?.asleepSince).toBeNull();
    });
  });

  test("it is not shown in a browser that is signed in with another domain", async () => {
    const agent = createUserAgent();
    await at.signIn({ agent, domain: "mallory.alice.test" });
    const asked = await formerPage(agent, known.domain);
    expect(asked.has("former-record-form")).toBe(true);
    expect(asked.html).not.toContain(known.value);
  });

  test("a recovery code shows it, as often as one likes, and is not used up", async () => {
    const [code = ""] = known.codes;
    for (const agent of [createUserAgent(), createUserAgent()]) {
      const asked = await formerPage(agent, known.domain);
      const page = await agent.submit(asked, "former-record-form", { recovery_code: code });
      expect(page.text("dns-value")).toBe(known.value);
      // It authenticates nobody.
      expect(agent.cookies.names(at.issuer).filter((name) => name.includes("_session_"))).toEqual(
        [],
      );
    }
    expect(await at.store.recoveryCodes.countRecoveryCodesOf(known.accountId)).toBe(10);
  });

  test("a code of another domain does not", async () => {
    const { codes } = await former("other.alice.test");
    const agent = createUserAgent();
    const asked = await formerPage(agent, known.domain);
    const page = await agent.submit(asked, "former-record-form", { recovery_code: codes[0] ?? "" });
    expect(page.status).toBe(400);
  });

  test("guesses are limited, and the limit is that of sign-ins", async () => {
    const agent = createUserAgent();
    const asked = await formerPage(agent, known.domain);
    const guess = () => agent.submit(asked, "former-record-form", { recovery_code: "guess" });
    for (let count = 0; count < 30; count++) expect((await guess()).status).toBe(400);
    const refused = await guess();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    at.advance(900);
    expect((await guess()).status).toBe(400);
  });
});

test("a browser that the owner forgot is a stranger, and an account that ended is not shown", async () => {
  const { domain, agent, accountId, codes } = await former("ended.alice.test");
  const now = Math.floor(Date.now() / 1000) + 90_000;
  await at.store.sessions.endSessionsOf(accountId, { reason: "elsewhere", now });
  await at.store.sessions.forgetBrowsersOf(accountId, "elsewhere");
  const page = await formerPage(agent, domain);
  expect(page.has("dns-value")).toBe(false);
  await at.store.accountAdmin.endAccountNow({ accountId, now });
  const gone = await agent.submit(page, "former-record-form", { recovery_code: codes[0] ?? "" });
  expect(gone.status).toBe(400);
});

test("its passkey on the first page shows it as well, with its key", async () => {
  const domain = "keyed.alice.test";
  const page = await at.begin({ domain });
  await at.finish(page);
  const passkey = await givePasskey(at, domain);
  at.replaceRecord(null, domain);
  at.advance(400);
  const agent = createUserAgent();
  const first = await openDomainPage(agent, authorizationUrl(at, at.client));
  const shown = await usePasskey(agent, first, passkey, { stopAt: at.client.redirectUri });
  expect([shown.status, shown.step]).toEqual([422, "former-record"]);
  expect(shown.text("dns-name")).toBe(`_domain-signin.${domain}`);
  expect(shown.text("dns-value")).toBe(`${page.text("dns-value")} jkt=${passkey.thumbprint}`);
});
