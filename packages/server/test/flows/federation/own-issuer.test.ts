// A record that names this service in another spelling: a mistake with its own page, and no request to ourselves.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import { LANGUAGES } from "../../../src/pages/languages.ts";
import { fixture } from "../../support/fixture.ts";
import { startTestService } from "../../support/service.ts";
import { authorizationUrl, replaceRecord } from "../../support/sign-in.ts";

let received = 0;
const at = fixture(() =>
  startTestService({
    clientAddress: () => {
      received += 1;
      return "127.0.0.1";
    },
  }),
);

const DOMAIN = "alice.test";
const acct = "a".repeat(22);

/** Enters the domain, in a language; tells also how many requests the service got for it. */
async function enter(sp: string, locale = "en") {
  replaceRecord(at.zone, `_domain-signin.${DOMAIN}`, `v=dsi1 sp=${sp} acct=${acct}`);
  const agent = createUserAgent();
  const client = await at.addClient();
  const first = await agent.open(authorizationUrl(at, client, { ui_locales: locale }));
  received = 0;
  const page = await agent.submit(first, "domain-form", { domain: DOMAIN });
  return { page, requests: received };
}

test.each([
  ["with a slash", (issuer: string) => `${issuer}/`, "remove the slash"],
  ["with a path", (issuer: string) => `${issuer}/oauth/authorize`, "remove the slash"],
  ["with https", (issuer: string) => issuer.replace("http:", "https:"), "http or https"],
])("%s, the record is a mistake, and the service asks itself nothing", async (_, spell, words) => {
  const { page, requests } = await enter(spell(at.issuer));
  expect([page.step, page.status]).toEqual(["domain", 422]);
  expect(page.html).toContain(words);
  expect(page.html).toContain("names this service in another spelling");
  expect(requests).toBe(1);
});

test("a service that is asked counts it", async () => {
  const away = await startTestService();
  try {
    const record = `v=dsi1 sp=${at.issuer} acct=${acct}`;
    away.zone.add({ name: `_domain-signin.${DOMAIN}`, type: "TXT", value: record, ttl: 300 });
    const agent = createUserAgent();
    const first = await agent.open(authorizationUrl(away, await away.addClient()));
    received = 0;
    const stopAt = `${at.issuer}/oauth/authorize`;
    const sent = await agent.submit(first, "domain-form", { domain: DOMAIN }, { stopAt });
    expect(sent.stopped).toBe(true);
    expect(received).toBeGreaterThan(0);
  } finally {
    await away.close();
  }
});

test("every language has its own words for it", async () => {
  const texts = new Set<string | undefined>();
  for (const locale of LANGUAGES.keys()) {
    const { page } = await enter(`${at.issuer}/`, locale);
    texts.add(/role="alert"[\s\S]*?<\/div>/.exec(page.html)?.[0]);
  }
  expect(texts).not.toContain(undefined);
  expect(texts.size).toBe(LANGUAGES.size);
});
