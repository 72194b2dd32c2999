// A stranger who has used up the questions to a domain's name servers does not keep its owner out.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { recordType } from "domain-signin-verify/dns/records";
import { afterEach, describe, expect, test } from "vitest";
import { type DnsServerForTest, serveDns } from "../support/dns-server.ts";
import { type Flow, flow, hasCode } from "../support/flow.ts";
import { startTestService } from "../support/service.ts";
import { leaveSessions } from "../support/sign-in.ts";
import { useUpQuestions } from "../support/used-up-questions.ts";

const DOMAIN = "alice.test";

let resolver: DnsServerForTest;
let nameServer: DnsServerForTest;
async function start() {
  nameServer = await serveDns(DOMAIN, () => at.zone.records());
  return startTestService({
    async dns(zone) {
      resolver = await serveDns(DOMAIN, () => zone.records());
      return resolver.text;
    },
    reach: () => nameServer.server,
  });
}
afterEach(() => {
  resolver.close();
  nameServer.close();
});
const at: Flow = flow({ start, service: "test", domain: DOMAIN });

/** Publishes the record of the page, and gets to the app with a code. */
async function expectFinished(shown: Page): Promise<void> {
  const { page } = await at.finish(shown);
  expect(hasCode(page), page.html).toBe(true);
}

/** How many questions about the record at this label a server has got. */
const askedFor = ({ queries }: DnsServerForTest, label: string) =>
  queries.filter(({ questions }) =>
    questions.some(({ name, type }) => name === `${label}.${DOMAIN}` && type === recordType.TXT),
  ).length;

const flood = () =>
  useUpQuestions(at, at.client, { domain: DOMAIN, asked: () => nameServer.queries.length });

const BLAME = /did not answer|could not reach/;

describe("when a stranger has used up the questions to the name servers of a domain", () => {
  test("its owner finishes a set-up that has begun before", async () => {
    const page = await at.begin();
    expect(page.step).toBe("dns-setup");
    expect(await flood()).toBeLessThan(400);
    const before = nameServer.queries.length;
    await expectFinished(page);
    expect(nameServer.queries.length).toBe(before);
  });

  test("its owner begins a set-up and finishes it, and no page blames the name servers", async () => {
    await flood();
    const page = await at.begin();
    expect([page.status, page.step]).toEqual([200, "dns-setup"]);
    expect(page.html).not.toMatch(BLAME);
    await expectFinished(page);
  });

  test("its owner finishes a DNS challenge, and no page blames the name servers", async () => {
    await at.signIn();
    leaveSessions(at.agent, at.issuer);
    await flood();
    const page = await at.begin();
    expect(page.step).toBe("dns-challenge");
    expect(page.html).not.toMatch(BLAME);
    await expectFinished(page);
  });

  test("the page says for how long resolvers may remember the absence that they were asked for", async () => {
    await flood();
    const page = await at.begin();
    expect(page.html).toMatch(
      /We are busy.* For up to \d+ seconds, other DNS servers can still report that there is no record/,
    );
  });

  test("the name servers are asked again in the next minute, and no resolver before them", async () => {
    const page = await at.begin();
    await flood();
    at.advance(61);
    const [direct, resolved] = [nameServer, resolver].map((server) =>
      askedFor(server, "_domain-signin"),
    );
    expect((await at.agent.open(page.url)).step).toBe("dns-setup");
    expect(askedFor(nameServer, "_domain-signin")).toBe((direct ?? 0) + 1);
    expect(askedFor(resolver, "_domain-signin")).toBe(resolved);
  });
});
