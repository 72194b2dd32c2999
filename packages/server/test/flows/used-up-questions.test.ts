// A stranger who has used up the questions to a domain's name servers does not keep its owner out.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { recordType } from "domain-signin-verify/dns/records";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type DnsServerForTest, serveDns } from "../support/dns-server.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  authorizationUrl,
  checkAndSave,
  leaveSessions,
  publish,
  signIn,
} from "../support/sign-in.ts";
import { useUpQuestions } from "../support/used-up-questions.ts";

const DOMAIN = "alice.test";

let at: TestService;
let client: TestClient;
let resolver: DnsServerForTest;
let nameServer: DnsServerForTest;
beforeEach(async () => {
  nameServer = await serveDns(DOMAIN, () => at.zone.records());
  at = await startTestService({
    async dns(zone) {
      resolver = await serveDns(DOMAIN, () => zone.records());
      return resolver.text;
    },
    reach: () => nameServer.server,
  });
  client = await at.addClient({ consent: "never" });
});
afterEach(async () => {
  await at.close();
  resolver.close();
  nameServer.close();
});

async function enter(agent = createUserAgent()) {
  const first = await agent.open(authorizationUrl(at, client));
  return { agent, page: await agent.submit(first, "domain-form", { domain: DOMAIN }) };
}

const check = async (...[agent, page]: Parameters<typeof checkAndSave>) =>
  (await checkAndSave(agent, page, { stopAt: client.redirectUri })).page;

/** How many questions about the record at this label a server has got. */
const askedFor = ({ queries }: DnsServerForTest, label: string) =>
  queries.filter(({ questions }) =>
    questions.some(({ name, type }) => name === `${label}.${DOMAIN}` && type === recordType.TXT),
  ).length;

const flood = () =>
  useUpQuestions(at, client, { domain: DOMAIN, asked: () => nameServer.queries.length });

const BLAME = /did not answer|could not reach/;

describe("when a stranger has used up the questions to the name servers of a domain", () => {
  test("its owner finishes a set-up that has begun before", async () => {
    const { agent, page } = await enter();
    expect(page.step).toBe("dns-setup");
    expect(await flood()).toBeLessThan(400);
    const before = nameServer.queries.length;
    publish(at, page);
    const done = await check(agent, page);
    expect(new URL(done.url).searchParams.has("code"), done.html).toBe(true);
    expect(nameServer.queries.length).toBe(before);
  });

  test("its owner begins a set-up and finishes it, and no page blames the name servers", async () => {
    await flood();
    const { agent, page } = await enter();
    expect([page.status, page.step]).toEqual([200, "dns-setup"]);
    expect(page.html).not.toMatch(BLAME);
    publish(at, page);
    const done = await check(agent, page);
    expect(new URL(done.url).searchParams.has("code"), done.html).toBe(true);
  });

  test("its owner finishes a DNS challenge, and no page blames the name servers", async () => {
    const { agent } = await signIn(at, client, { agent: createUserAgent() });
    leaveSessions(agent, at.issuer);
    await flood();
    const { page } = await enter(agent);
    expect(page.step).toBe("dns-challenge");
    expect(page.html).not.toMatch(BLAME);
    publish(at, page);
    const done = await check(agent, page);
    expect(new URL(done.url).searchParams.has("code"), done.html).toBe(true);
  });

  test("the page says for how long resolvers may remember the absence that they were asked for", async () => {
    await flood();
    const { page } = await enter();
    expect(page.html).toMatch(
      /We are busy.* For up to \d+ seconds, other DNS servers can still report that there is no record/,
    );
  });

  test("the name servers are asked again in the next minute, and no resolver before them", async () => {
    const { agent, page } = await enter();
    await flood();
    at.advance(61);
    const [direct, resolved] = [nameServer, resolver].map((server) =>
      askedFor(server, "_domain-signin"),
    );
    expect((await agent.open(page.url)).step).toBe("dns-setup");
    expect(askedFor(nameServer, "_domain-signin")).toBe((direct ?? 0) + 1);
    expect(askedFor(resolver, "_domain-signin")).toBe(resolved);
  });
});
