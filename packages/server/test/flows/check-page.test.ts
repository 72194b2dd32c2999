// The pages for strangers: what this service is, and `/check`, which says what `domain-signin check` says.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { startNameServer } from "domain-signin-demo/zones/name-server";
import { answerQuery } from "domain-signin-demo/zones/zone-answer";
import { parseTrustAnchor } from "domain-signin-verify";
import type { DnsMessage } from "domain-signin-verify/dns/message";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { command } from "../support/command.ts";
import { fixture } from "../support/fixture.ts";
import { flow } from "../support/flow.ts";
import { serveOddZones } from "../support/judged-odd-zones.ts";
import { startLyingResolver } from "../support/lying-resolvers.ts";
import { startRootedZone } from "../support/rooted-zone.ts";
import { SERVED } from "../support/serve.ts";
import { startTestService, TEST_DOMAINS, type TestService } from "../support/service.ts";
import { authorizationUrl } from "../support/sign-in.ts";
import { liveAccount } from "../support/store-rows.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const at = flow();
/** The same records for the command, which trusts no less than one key. */
const rooted = fixture(() => startRootedZone(TEST_DOMAINS));
const folder = temporaryFolder();
afterEach(() => {
  for (const zone of [at.zone, rooted]) {
    for (const record of zone.records()) zone.remove(record);
  }
});

const ACCT = "a".repeat(22);
const checkUrl = (typed: string, { issuer }: Pick<TestService, "issuer"> = at) =>
  `${issuer}/check?${new URLSearchParams({ domain: typed })}`;

/** What a stranger reads who has never been here. */
const checked = (typed: string, service: Pick<TestService, "issuer"> = at): Promise<Page> =>
  createUserAgent().open(checkUrl(typed, service));

function publish(domain: string, value: string, type: "TXT" | "CNAME" = "TXT"): void {
  for (const zone of [at.zone, rooted])
    zone.add({ name: `_domain-signin.${domain}`, type, value, ttl: 300 });
}
const recordOf = (acct: string) => `v=dsi1 sp=${at.issuer} acct=${acct}`;

async function commandJson(domain: string) {
  const args = ["check", domain, "--json", "--issuer", at.issuer, "--min-assurance", "single"];
  const env = { ...SERVED, ...rooted.env };
  const all = [...args, "--dns-servers", rooted.address];
  const { stdout } = await command(all, { folder: folder.path, env });
  return JSON.parse(stdout);
}

describe("the page says what the command says", () => {
  test.each<[string, readonly string[]]>([
    ["absent", []],
    ["own", [`v=dsi1 sp=OWN acct=${ACCT}`]],
    ["disabled", ["v=dsi1 sp=none"]],
    ["invalid", ["v=dsi1 sp=OWN"]],
    ["ambiguous", [`v=dsi1 sp=OWN acct=${ACCT}`, "v=dsi1 sp=none"]],
    ["unsupported", ["v=dsi2; sp=OWN"]],
  ])("%s", async (outcome, records) => {
    const values = records.map((record) => record.replace("OWN", at.issuer));
    for (const value of values) publish(at.domain, value);
    const told = await commandJson(at.domain);
    expect(told.outcome).toBe(outcome);
    const page = await checked(at.domain);
    expect([page.status, page.step]).toEqual([200, "check"]);
    expect(page.text("look-result").trimStart().split("\n")[0]).toContain(told.verdict);
    expect(page.html).toContain(`<title>${told.verdict} · domain-signin</title>`);
    for (const value of values) expect(page.text("look-result")).toContain(value);
    for (const problem of told.records.flatMap(({ problems }: { problems: string[] }) => problems))
      expect(page.text("look-result")).toContain(problem);
  });

  test("an alias that leads away", async () => {
    publish(at.domain, "www.alice.test", "CNAME");
    const { outcome, verdict } = await commandJson(at.domain);
    expect(outcome).toBe("alias_invalid");
    expect((await checked(at.domain)).text("look-result")).toContain(verdict);
  });

  test("with what each server answered, closed, and how sure the answer is", async () => {
    publish(at.domain, recordOf(ACCT));
    const page = await checked(at.domain);
    expect(page.text("servers")).toContain(`Resolver ${at.zone.address} has this record.`);
    expect(page.html).not.toContain('<details id="servers" open');
    expect(page.text("look-result")).toContain("This answer is not signed with DNSSEC.");
  });

  test("with the usual mistake, and where the record belongs", async () => {
    at.zone.add({ name: at.domain, type: "TXT", value: recordOf(ACCT), ttl: 300 });
    const result = (await checked(at.domain)).text("look-result");
    expect(result).toContain(`${at.domain} has no sign-in record yet.`);
    expect(result).toContain(`It belongs at _domain-signin.${at.domain}.`);
  });
});

test("a record of an external provider is read, and nothing is sent to the provider", async () => {
  let requests = 0;
  const provider = createServer((_, response) => {
    requests++;
    response.end();
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void provider.close());
  const { port } = provider.address() as AddressInfo;
  publish(at.domain, `v=dsi1 sp=http://localhost:${port} acct=${ACCT}`);
  const result = (await checked(at.domain)).text("look-result");
  expect(result).toContain(`${at.domain} signs in through localhost:${port}.`);
  expect(result).toContain(`This check does not contact localhost:${port}.`);
  expect(requests).toBe(0);
});

describe("a stranger does not learn whether there is an account", () => {
  /** Without what a stranger already knows, and the time. */
  const anonymous = ({ html }: Page, domain: string, acct: string) =>
    html
      .replaceAll(domain, "DOMAIN")
      .replaceAll(acct, "ACCT")
      .replaceAll(/\d\d:\d\d:\d\d/g, "TIME");

  test("from a record that names one, or one that was never set up", async () => {
    await at.signIn();
    const { acct } = await at.accountOf();
    at.replaceRecord(recordOf(acct));
    const nobodys = "nobody.alice.test";
    publish(nobodys, recordOf(ACCT));
    at.advance(6);
    const page = await checked(at.domain);
    expect(page.text("look-result")).toContain("can sign in here.");
    expect(anonymous(page, at.domain, acct)).toBe(anonymous(await checked(nobodys), nobodys, ACCT));
  });

  test("from the absence of a record, with a sleeping account or none", async () => {
    await at.signIn();
    const { acct } = await at.accountOf();
    at.replaceRecord(null);
    await at.store.accounts.putToSleep(await at.accountId(), 1_900_000_000, 1_900_000_000);
    at.advance(6);
    const [one, other] = [await checked(at.domain), await checked("nobody.alice.test")];
    expect(one.text("look-result")).toContain("has no sign-in record yet.");
    expect(anonymous(one, at.domain, acct)).toBe(anonymous(other, "nobody.alice.test", acct));
  });

  test("from a domain that is no longer registered", async () => {
    const odd = await serveOddZones();
    onTestFinished(odd.close);
    const resolver = await startLyingResolver(odd);
    onTestFinished(resolver.close);
    const trustAnchors = odd.trustAnchors.map(parseTrustAnchor);
    const config = { dnsServers: [resolver.text], trustAnchors };
    const service = await startTestService({ config });
    onTestFinished(service.close);
    const now = Math.floor(Date.now() / 1000);
    await liveAccount(service.store, { domain: "alise.test", now });
    const signature = { inception: now - 60, expiration: now + 86_400, checkedAt: now - 60 };
    const answer = { domain: "alise.test", key: "k", spk: "", ...signature };
    await service.store.acceptedAnswers.noteAccepted(answer);
    const [one, other] = [
      await checked("alise.test", service),
      await checked("alike.test", service),
    ];
    expect(one.text("look-result")).toContain("alise.test is not a registered domain.");
    expect(anonymous(one, "alise.test", "-")).toBe(anonymous(other, "alike.test", "-"));
  });

  test("in a browser that is signed in, which is shown the same", async () => {
    const agent = await at.owner();
    at.advance(6);
    const own = await agent.open(checkUrl(at.domain));
    const others = await checked(at.domain);
    expect(anonymous(own, at.domain, "-")).toBe(anonymous(others, at.domain, "-"));
    expect(own.headers.getSetCookie()).toEqual([]);
  });
});

describe("what is typed", () => {
  test.each([
    "me@alice.test",
    "https://alice.test/blog",
    "alice",
    "192.0.2.1",
    "co.uk",
    "a b.test",
  ])("%s has the words of the page that asks for a domain, and is kept", async (typed) => {
    const first = await createUserAgent().open(authorizationUrl(at, at.client));
    const asked = await createUserAgent().submit(first, "domain-form", { domain: typed });
    const page = await checked(typed);
    expect([page.status, page.step]).toEqual([400, "check"]);
    expect(page.text("domain-problem")).toBe(asked.text("domain-problem"));
    expect(page.html).toContain(`value="${typed}"`);
  });

  test("is text, whatever it contains", async () => {
    const page = await checked(`"><script>alert(1)</script>`);
    expect(page.status).toBe(400);
    expect(page.html).not.toMatch(/<script>|"">/);
    expect(page.html).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("is asked for if there is nothing", async () => {
    const empty = await createUserAgent().open(`${at.issuer}/check`);
    expect([empty.status, empty.has("domain-problem"), empty.has("look")]).toEqual([
      200,
      false,
      false,
    ]);
    expect((await checked("")).text("domain-problem")).toContain("Enter the domain name");
  });
});

test("the page is kept by no cache and no search engine, and sets no cookie", async () => {
  const page = await checked(at.domain);
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(page.headers.getSetCookie()).toEqual([]);
  expect(page.html).toContain('<meta name="robots" content="noindex">');
});

test("a page of another site cannot make the browsers of its visitors look up a domain", async () => {
  const asks = async (site: string) => {
    const agent = createUserAgent({ headers: { "sec-fetch-site": site } });
    return agent.open(checkUrl(at.domain));
  };
  for (const site of ["cross-site", "same-site"]) {
    const page = await asks(site);
    expect([page.status, page.has("look")]).toEqual([200, false]);
    // A person who followed a link can press the button.
    expect(page.html).toContain(`value="${at.domain}"`);
  }
  for (const site of ["same-origin", "none"]) expect((await asks(site)).has("look")).toBe(true);
});

test("a network that checks many domains is told to wait, keeps what it typed, and holds up no newcomer", async () => {
  let close = async () => {};
  const service = await startTestService({
    config: { limits: { lookUps: 4 }, zoneNameServers: "off" },
    async dns(zone) {
      const answer = (query: DnsMessage) => answerQuery(query, TEST_DOMAINS, zone.records());
      const slow = await startNameServer({ answer, delayMs: () => 150 });
      close = slow.close;
      return `${slow.address}:${slow.port}`;
    },
  });
  onTestFinished(() => close());
  onTestFinished(service.close);
  const from = (address: string) => createUserAgent({ headers: { "x-forwarded-for": address } });
  const newcomer = from("203.0.113.7");
  const first = await newcomer.open(authorizationUrl(service, await service.addClient()));
  const flood = Array.from({ length: 30 }, (_, index) =>
    from("198.51.100.1").open(checkUrl(`n${index}.bob.test`, service)),
  );
  const next = await newcomer.submit(first, "domain-form", { domain: "alice.test" });
  expect([next.status, next.step]).toEqual([200, "dns-setup"]);
  const refused = (await Promise.all(flood)).filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  for (const page of refused) {
    const [typed = ""] = /n\d+\.bob\.test/.exec(page.url) ?? [];
    expect(page.text("domain-problem")).toContain(`we could not look up ${typed}.`);
    expect(page.html).toContain(`value="${typed}"`);
    expect(page.headers.get("retry-after")).toBe("2");
  }
});

describe("the front page", () => {
  test("says what this service is and who runs it, and leads to the account and to a check", async () => {
    const agent = createUserAgent();
    const home = await agent.open(`${at.issuer}/`);
    expect([home.status, home.step, home.headers.getSetCookie()]).toEqual([200, "home", []]);
    expect(home.html).toContain(new URL(at.issuer).host);
    expect(home.link("account")).toBe(`${at.issuer}/account`);
    const page = await agent.submit(home, "check-domain-form", { domain: at.domain });
    expect([page.url, page.has("look")]).toEqual([checkUrl(at.domain), true]);
  });

  test("is the same for somebody who is signed in, and one press from the account", async () => {
    const agent = await at.owner();
    const home = await agent.open(`${at.issuer}/`);
    expect(home.html).toBe((await createUserAgent().open(`${at.issuer}/`)).html);
    expect((await agent.open(home.link("account"))).step).toBe("account");
  });

  test("answers HEAD without a body, and other methods as pages do", async () => {
    const ask = (method: string) => fetch(`${at.issuer}/`, { method, redirect: "manual" });
    const head = await ask("HEAD");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const method of ["OPTIONS", "POST"]) {
      const answer = await ask(method);
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });
});
