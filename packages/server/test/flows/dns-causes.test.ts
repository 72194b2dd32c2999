// Each cause of a failed look has its own sentence: on the page, and from `domain-signin check`.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { parseTrustAnchor } from "domain-signin-verify";
import { type DnsMessage, rcode } from "domain-signin-verify/dns/message";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { command } from "../support/command.ts";
import { fixture } from "../support/fixture.ts";
import { flow } from "../support/flow.ts";
import { serveOddZones } from "../support/judged-odd-zones.ts";
import { type LyingResolver, startLyingResolver } from "../support/lying-resolvers.ts";
import { withoutTimeouts } from "../support/moving-time.ts";
import { SERVED } from "../support/serve.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { authorizationUrl } from "../support/sign-in.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const VALIDATION_FAILED = /DNSSEC validation failed/;

const odd = fixture(serveOddZones);
const folder = temporaryFolder();
let resolvers: LyingResolver[];
let resolver: LyingResolver;
beforeAll(async () => {
  resolver = await startLyingResolver(odd);
  resolvers = [resolver, await startLyingResolver(odd), await startLyingResolver(odd)];
});
afterEach(() => {
  for (const one of resolvers) one.lie();
});
afterAll(() => {
  withoutTimeouts();
  for (const one of resolvers) one.close();
});
const at = flow({ start: () => startService("single") });

function startService(minAssurance: "single" | "secure"): Promise<TestService> {
  const dnsServers = (minAssurance === "single" ? [resolver] : resolvers).map(({ text }) => text);
  const trustAnchors = odd.trustAnchors.map(parseTrustAnchor);
  return startTestService({ config: { minAssurance, dnsServers, trustAnchors } });
}

/** A service that remembers nothing of the other tests. */
async function startOther(minAssurance: "single" | "secure"): Promise<TestService> {
  const service = await startService(minAssurance);
  onTestFinished(service.close);
  return service;
}

async function enter(domain: string, service: TestService = at): Promise<Page> {
  const agent = createUserAgent();
  const first = await agent.open(authorizationUrl(service, await service.addClient()));
  return agent.submit(first, "domain-form", { domain });
}

function runCheck(domain: string, ...options: string[]) {
  const args = ["check", domain, "--issuer", "http://localhost:9", ...options];
  const servers = ["--dns-servers", resolver.text, "--min-assurance", "single"];
  const env = { ...SERVED, DOMAIN_SIGNIN_TRUST_ANCHORS: odd.trustAnchors.join(",") };
  return command([...args, ...servers], { folder: folder.path, env });
}

/** What `check --json` prints. */
async function check(domain: string) {
  const { stdout, status } = await runCheck(domain, "--json");
  return { ...JSON.parse(stdout), status };
}

const escaped = (html: string) => html.replaceAll("’", "'");

describe("a zone that cannot be used is refused for what it is", () => {
  test.each([
    ["dname.test", "dname", "A DNAME record redirects the sign-in record for dname.test."],
    ["unsigned-sub.test", "unsigned_subzone", "is in a separate zone without DNSSEC."],
    ["many-keys.test", "too_large", "The DNS answers for many-keys.test are too large to check."],
    ["unknown-signatures.test", "unsupported_dnssec", "is signed in a way that we cannot check."],
  ])("%s: %s", async (domain, cause, sentence) => {
    const page = await enter(domain);
    expect([page.status, page.step]).toEqual([503, "domain"]);
    expect(page.html).toContain(sentence);
    expect(page.html).not.toMatch(VALIDATION_FAILED);
    const checked = await check(domain);
    expect(checked).toMatchObject({ outcome: "bogus", cause, status: 3 });
    expect(escaped(checked.verdict)).toContain(sentence);
  });

  test.each(["wrong-digest.test", "no-keys.test", "other-key.test"])(
    "%s: DNSSEC validation failed, and only then are these the words",
    async (domain) => {
      expect((await enter(domain)).html).toMatch(VALIDATION_FAILED);
      const checked = await check(domain);
      expect(checked).toMatchObject({ outcome: "bogus", cause: "validation_failed" });
      expect(checked.verdict).toMatch(VALIDATION_FAILED);
    },
  );
});

describe("a zone signed with unknown algorithms or digests only is insecure (RFC 4035 §5.2)", () => {
  test.each(["unknown-algorithm.test", "unknown-digest.test"])("%s", async (domain) => {
    // Its record says sp=none: it was read.
    expect((await enter(domain)).html).toContain("is turned off");
    expect(await check(domain)).toMatchObject({ outcome: "disabled", unsupported_dnssec: true });
    expect((await runCheck(domain)).stdout).toContain("so it counts as unsigned");
    expect((await runCheck("unsigned.test")).stdout).not.toContain("counts as unsigned");
  });

  test("and where only signed zones may sign in, the page does not call it unsigned", async () => {
    const service = await startOther("secure");
    for (const one of resolvers) one.lie(withoutRecord);
    const unknown = await enter("unknown-algorithm.test", service);
    expect([unknown.status, unknown.step]).toEqual([422, "domain"]);
    expect(unknown.html).toContain("is signed in a way that we cannot check.");
    const unsigned = await enter("unsigned.test", service);
    expect(unsigned.html).toContain("accepts only domains whose DNS is signed");
  });
});

test.each(["ds-in.unsigned.test", "wrong-ds-in.unsigned.test"])(
  "a DS record in an unsigned parent is ignored: %s (RFC 4035 §5.2)",
  async (domain) => {
    expect((await enter(domain)).html).toContain("is turned off");
    const checked = await check(domain);
    expect(checked).toMatchObject({ outcome: "disabled", assurance: "single" });
    expect(checked.sources).toMatchObject([{ security: "insecure" }]);
  },
);

/** As if nothing were published at the name. */
function withoutRecord(query: DnsMessage, answer: DnsMessage): DnsMessage {
  return query.questions[0]?.type === 16
    ? { ...answer, rcode: rcode.nxDomain, answers: [] }
    : answer;
}

/** The resolver explains its answer to every question about records. */
function explaining(code: number, changes: Partial<DnsMessage>) {
  const options = [{ code: 15, data: Uint8Array.of(0, code, 0x78) }];
  return (query: DnsMessage, answer: DnsMessage): DnsMessage =>
    query.questions[0]?.type === 16
      ? { ...answer, ...changes, edns: { udpSize: 1232, version: 0, dnssecOk: true, options } }
      : answer;
}

describe("an error that the resolver explains is told as such (RFC 8914)", () => {
  const failed = { rcode: rcode.servFail, answers: [], authorities: [] };
  const denied = { rcode: rcode.nxDomain, answers: [], authorities: [] };

  test.each([
    [22, failed, "no_authority", "cannot reach the name servers of unsigned.test."],
    [15, failed, "blocked", "Our DNS resolvers block unsigned.test."],
    [16, denied, "blocked", "Our DNS resolvers block unsigned.test."],
    [17, denied, "blocked", "Our DNS resolvers block unsigned.test."],
    [4, {}, "blocked", "Our DNS resolvers block unsigned.test."],
    [3, {}, "stale", "have only an old answer for unsigned.test."],
    [19, denied, "stale", "have only an old answer for unsigned.test."],
    [1, failed, "unsupported_dnssec", "is signed in a way that we cannot check."],
    [13, failed, "servfail", "The DNS servers for unsigned.test did not answer."],
  ])("EDE %i", async (code, changes, reason, sentence) => {
    resolver.lie(explaining(code, changes));
    const page = await enter("unsigned.test");
    expect([page.status, page.step]).toEqual([503, "domain"]);
    expect(page.html).toContain(sentence);
    const checked = await check("unsigned.test");
    const extended_error = { code, name: expect.any(String) };
    expect(checked).toMatchObject({ outcome: "unavailable", reason, extended_error, status: 3 });
    expect(escaped(checked.verdict)).toContain(sentence);
    const logged = at.events.filter((event) => event.startsWith("unavailable "));
    expect(logged.at(-1)).toContain(`"extendedError":{"code":${code},`);
  });

  test("an answer that is served from a synthesis of NSEC records is one as any other", async () => {
    resolver.lie(explaining(29, {}));
    expect((await enter("plain.test")).html).toContain("is turned off");
  });
});

describe("a domain that is not registered", () => {
  test("is called so, where the zone above proves it and where resolvers agree", async () => {
    const service = await startOther("single");
    for (const domain of ["alise.test", "www.alise.test"]) {
      const page = await enter(domain, service);
      expect([page.status, page.step]).toEqual([422, "domain"]);
      expect(page.html).toContain(`${domain} is not a registered domain.`);
      expect(page.html).toContain("Check the spelling.");
      const checked = await check(domain);
      expect(checked).toMatchObject({ outcome: "unregistered", status: 1 });
      expect(checked.verdict).toBe(`${domain} is not a registered domain.`);
      expect(checked.advice).toContain("Check the spelling.");
    }
  });

  test("is not meant by an absence below a domain that is there, and nothing below it is asked", async () => {
    const service = await startOther("single");
    resolver.asked.length = 0;
    for (const domain of ["blog.plain.test", "blog.unsigned.test"]) {
      expect((await enter(domain, service)).step).toBe("dns-setup");
    }
    const below = resolver.asked.filter((question) => /^2 .*blog/.test(question));
    expect(below).toEqual([]);
    expect(resolver.asked).toContain("2 unsigned.test");
  });
});
