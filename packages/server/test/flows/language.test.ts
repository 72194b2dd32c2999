// Every page of a sign-in speaks one language: what the client asked for, else what the browser asks for.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LANGUAGES } from "../../src/pages/languages.ts";
import { textsIn, VALUES } from "../support/catalogue.ts";
import { flow } from "../support/flow.ts";
import { authorizationUrl } from "../support/sign-in.ts";

const at = flow({
  registration: { name: "App", consent: "always", scope: "openid profile" },
  domain: "alice.test",
});

/** What every browser of the test asks for. */
let acceptLanguage = "";
beforeEach(() => {
  const send = globalThis.fetch;
  vi.stubGlobal("fetch", (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set("accept-language", acceptLanguage);
    return send(url, { ...init, headers });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const wish = (uiLocales: string | undefined) => ({
  ...{ ui_locales: uiLocales, scope: "openid profile" },
});
const open = (agent: UserAgent, uiLocales: string | undefined, more: Record<string, string> = {}) =>
  at.open({ ...wish(uiLocales), ...more }, { agent });

type Visited = Pick<Page, "step" | "status" | "html">;

/** A form post with this browser's cookies, past the forms of the page. */
async function post(agent: UserAgent, url: string, origin: string, body: string): Promise<Visited> {
  const headers = { origin, "content-type": "application/x-www-form-urlencoded" };
  const cookie = agent.cookies.header(url) ?? "";
  const response = await fetch(url, { method: "POST", headers: { ...headers, cookie }, body });
  const html = await response.text();
  const [, step] = /<body data-step="([^"]*)">/.exec(html) ?? [];
  return { step, status: response.status, html };
}

/** The sentences of each language, split at their arguments. Short ones are left out, because they are not specific. */
const sentences = new Map(
  [...LANGUAGES.values()].map((language) => {
    const texts = [...textsIn(language, VALUES).values()].flat();
    const parts = texts.flatMap((text) => text.split(/value\d+\.example/));
    return [language.lang, parts.filter(({ length }) => length > 12)];
  }),
);

/** Which language a page is in: as it says, and by the sentences of others that stand in it. */
function languageOf({ html }: Visited) {
  const [, lang, dir] = /<html lang="([^"]*)" dir="([^"]*)">/.exec(html) ?? [];
  const own = (sentences.get(lang ?? "") ?? []).join();
  const foreign = [...sentences.values()]
    .flat()
    .filter((sentence) => !own.includes(sentence) && html.includes(sentence));
  return { lang, dir, foreign };
}

/** Two sign-ins as alice.test with every turn that a person may take; each page that was seen. */
async function everyPage(uiLocales: string | undefined): Promise<Visited[]> {
  const seen: Visited[] = [];
  const see = <P extends Visited>(page: P): P => {
    seen.push(page);
    return page;
  };
  const owner = createUserAgent();
  const first = see(await open(owner, uiLocales));
  see(await owner.submit(first, "domain-form", { domain: "me@alice.test" }));
  see(await owner.submit(first, "domain-form", { domain: "not.ours.test" }));
  const setUp = see(await owner.submit(first, "domain-form", { domain: "alice.test" }));
  see(await owner.submit(setUp, "check-form"));
  at.publish(setUp);
  const codes = see(await owner.submit(setUp, "check-form"));
  const consent = see(await owner.submit(codes, "recovery-codes-form"));
  see(await post(owner, consent.url, at.issuer, "decision=perhaps"));
  const denied = await at.submit(consent, "consent-form", {}, { agent: owner, button: "deny" });
  expect(denied.stopped).toBe(true);
  const back = see(await open(owner, uiLocales));
  see(await owner.submit(back, "other-domain-form"));
  see(await owner.submit(back, "continue-form"));

  const anew = await open(owner, uiLocales, { prompt: "login" });
  const known = see(await owner.submit(anew, "domain-form", { domain: "alice.test" }));
  see(await owner.submit(known, "check-form"));

  const other = createUserAgent();
  // A record of ours that no account has.
  at.replaceRecord(setUp.text("dns-value"), "bob.test");
  see(await other.submit(await open(other, uiLocales), "domain-form", { domain: "bob.test" }));
  const again = await open(other, uiLocales);
  const challenge = see(await other.submit(again, "domain-form", { domain: "alice.test" }));
  see(await other.submit(challenge, "check-form"));
  see(await other.submit(challenge, "check-form", { recovery_code: "none-of-ours" }));

  // What is wrong, without any way back to the request but the interaction.
  see(await createUserAgent().open(challenge.url));
  at.advance(86_401);
  see(await other.open(challenge.url));
  see(await other.submit(challenge, "check-form"));
  // And with none but the request itself.
  see(await open(other, uiLocales, { client_id: "dsid_nobody" }));
  see(await open(other, uiLocales, { redirect_uri: "https://evil.example/" }));
  const crossSite = new URL(authorizationUrl(at, at.client, wish(uiLocales)));
  crossSite.pathname = "/sign-in";
  see(await post(other, crossSite.href, "https://evil.example", "domain=alice.test"));
  return seen;
}

const PAGES = [
  ...["domain 200", "domain 400", "domain 503", "dns-setup 200", "dns-setup 200"],
  ...["recovery-codes 200", "consent 200"],
  ...["problem 400", "continue 200", "domain 200", "consent 200"],
  ...["dns-challenge 200", "dns-challenge 200", "problem 200"],
  ...["dns-challenge 200", "dns-challenge 400", "dns-challenge 400"],
  ...["problem 403", "problem 400", "problem 400", "problem 400", "problem 400", "problem 403"],
];

describe("every page speaks", () => {
  test.each([
    ["what the client asked for", "ar", "fr;q=0.9,en;q=0.5", "ar", "rtl"],
    ["what the client asked for, though not first of all", "ja de en", "ar", "de", "ltr"],
    ["English, if the client asked for that", "en", "de", "en", "ltr"],
    ["what the browser asks for", undefined, "pt-PT,pt;q=0.9,en;q=0.8", "pt-BR", "ltr"],
    ["what the browser asks for, if the client's wish is none of ours", "ja", "es", "es", "ltr"],
    ["English, if nobody asks", undefined, "*", "en", "ltr"],
  ])("%s", async (_, uiLocales, accept, lang, dir) => {
    acceptLanguage = accept;
    const seen = await everyPage(uiLocales);
    const languages = seen.map((page) => [`${page.step} ${page.status}`, languageOf(page)]);
    expect(languages).toEqual(PAGES.map((page) => [page, { lang, dir, foreign: [] }]));
  });
});

test("a page that belongs to no request speaks as the browser asks", async () => {
  acceptLanguage = "fr-CA,de;q=0.5";
  const agent = createUserAgent();
  for (const path of [
    "/nowhere",
    "/interaction/AAAAAAAAAAAAAAAAAAAAAA/consent",
    "/oauth/authorize",
  ]) {
    expect(languageOf(await agent.open(at.issuer + path))).toMatchObject({
      lang: "fr",
      foreign: [],
    });
  }
});

test("the language is the request's, also when the person changes the browser's on the way", async () => {
  acceptLanguage = "de";
  const agent = createUserAgent();
  const page = await agent.submit(await open(agent, "es"), "domain-form", { domain: "bob.test" });
  acceptLanguage = "ar";
  expect(languageOf(await agent.open(page.url))).toMatchObject({ lang: "es", foreign: [] });
  const free = await open(agent, undefined);
  expect(languageOf(free)).toMatchObject({ lang: "ar", dir: "rtl" });
});
