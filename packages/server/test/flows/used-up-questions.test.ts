// A stranger who enters random names below a domain does not keep its owner out.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { recordType } from "domain-signin-verify/dns/records";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type DnsServerForTest, serveDns } from "../support/dns-server.ts";
import { type Flow, flow, hasCode } from "../support/flow.ts";
import { startTestService } from "../support/service.ts";
import { leaveSessions } from "../support/sign-in.ts";
import { enterRandomNames } from "../support/used-up-questions.ts";

const DOMAIN = "alice.test";

let resolver: DnsServerForTest;
let nameServer: DnsServerForTest;
let isSilent = true;
async function start() {
  isSilent = true;
  nameServer = await serveDns(
    DOMAIN,
    () => at.zone.records(),
    ({ questions: [question] }) => (isSilent && question?.name.includes("silent") ? null : {}),
  );
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

const flood = () => enterRandomNames(at, at.client, { domain: DOMAIN, count: 100 });

const BLAME = /did not answer|could not reach/;

describe("when a stranger has entered 100 random names below a domain", () => {
  test("its owner finishes a set-up that began a minute ago, and its name servers are asked for it", async () => {
    const page = await at.begin();
    expect(page.step).toBe("dns-setup");
    at.advance(61);
    const flooding = flood();
    await at.agent.open(page.url);
    await flooding;
    const before = askedFor(nameServer, "_domain-signin");
    await expectFinished(page);
    expect(askedFor(nameServer, "_domain-signin")).toBeGreaterThan(before);
  });

  test("its owner begins a set-up and finishes it, and no page blames the name servers", async () => {
    await flood();
    const page = await at.begin();
    expect([page.status, page.step]).toEqual([200, "dns-setup"]);
    expect(page.html).not.toMatch(BLAME);
    await expectFinished(page);
  });

  test("its owner finishes a DNS challenge, and its name servers are asked for it", async () => {
    await at.signIn();
    leaveSessions(at.agent, at.issuer);
    await flood();
    const page = await at.begin();
    expect(page.step).toBe("dns-challenge");
    expect(page.html).not.toMatch(BLAME);
    const before = askedFor(nameServer, "_domain-signin-challenge");
    await expectFinished(page);
    expect(askedFor(nameServer, "_domain-signin-challenge")).toBeGreaterThan(before);
  });
});

describe("while the name servers are asked for a stranger", () => {
  const slowLook = () => enterRandomNames(at, at.client, { domain: `silent.${DOMAIN}`, count: 1 });
  const isSlow = () =>
    nameServer.queries.some(({ questions: [question] }) => question?.name.includes("silent"));

  test("the resolvers are asked for its owner, and the page says for how long they may remember the absence", async () => {
    const looking = slowLook();
    await vi.waitUntil(isSlow, { timeout: 60_000, interval: 2 });
    const page = await at.begin();
    expect([page.status, page.step]).toEqual([200, "dns-setup"]);
    expect(page.html).toMatch(
      /We are busy.* For up to \d+ seconds, other DNS servers can still report that there is no record/,
    );
    isSilent = false;
    await looking;
  });

  test("they are asked for an owner whose set-up began a minute ago, and no resolver before them", async () => {
    const page = await at.begin();
    at.advance(61);
    const looking = slowLook();
    await vi.waitUntil(isSlow, { timeout: 60_000, interval: 2 });
    const [direct, resolved] = [nameServer, resolver].map((server) =>
      askedFor(server, "_domain-signin"),
    );
    expect((await at.agent.open(page.url)).step).toBe("dns-setup");
    expect(askedFor(nameServer, "_domain-signin")).toBe((direct ?? 0) + 1);
    expect(askedFor(resolver, "_domain-signin")).toBe(resolved);
    isSilent = false;
    await looking;
  });
});
