// Tests of the HTML on which scripts, styles and the content security policy rely.

import { describe, expect, test } from "vitest";
import { everyPage } from "../../test/support/every-page.ts";
import { RECOGNIZES } from "../../test/support/recognizing-steps.ts";
import { assets, passkeyScriptPath, scriptPath, stylePath } from "./assets.ts";
import { homePage } from "./check.ts";
import { continuePage } from "./continue.ts";
import { dnsChallengePage } from "./dns-challenge.ts";
import { dnsSetupPage } from "./dns-setup.ts";
import { contextIn, ENGLISH, LANGUAGES } from "./languages.ts";
import type { ClientPageContext, PageContext } from "./layout.ts";

/** The forms that sign out, on a page that recognizes somebody. */
const SIGN_OUT = ["sign-out-form", "sign-out-all-form"];

/** Pages that no app waits for. */
const WITHOUT_APP =
  /^(home|check.*|account.*|delete-account|remove-passkey|recovery-codes|new-passkey)$/;

const english: PageContext = contextIn(ENGLISH);
const { t } = english;
const host = "notes.example";
const client = { clientName: "Notes", clientHost: host, backToApp: `https://${host}/cb` };
const context: ClientPageContext = { ...english, client };

const plain = await everyPage("value.example");
const names = Object.keys(plain);

function of(name: string): string {
  const html = plain[name];
  if (html === undefined) throw new Error(`no page ${name}`);
  return html;
}

/** The tag of the element with this id. */
function tag(html: string, id: string): string {
  return new RegExp(`<[^<>]* id="${id}"[^<>]*>`).exec(html)?.[0] ?? "";
}

describe("the pages", () => {
  test.each(names)("%s escapes values that try to leave their place", async (name) => {
    const hostile = await everyPage(`"'><script>alert(1)</script><img src=x onerror=y>&`);
    expect(hostile[name]).not.toContain("<script>");
    expect(hostile[name]).not.toContain("<img");
    expect(hostile[name]).not.toMatch(/"'>/);
    expect(hostile[name]).toContain("&quot;&#39;&gt;&lt;script&gt;");
  });

  test.each(names)(
    "%s has no inline style, script or handler and nothing from elsewhere",
    (name) => {
      const html = of(name);
      expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/i);
      const hasPasskey =
        /^(domain.*|new-passkey|passkey|set-up-passkey|dns-setup|record-found|account|account-change|account-deleted)$/.test(
          name,
        );
      const scripts = hasPasskey ? [scriptPath, passkeyScriptPath] : [scriptPath];
      const tags = scripts.map((path) => `<script src="${path}" defer>`);
      expect(html.match(/<script[^>]*>/g)).toEqual(tags);
      expect(html).toContain(`<link rel="stylesheet" href="${stylePath}">`);
      // A page that waits for DNS is reloaded where its script cannot check.
      const refresh = '<noscript><meta http-equiv="refresh" content="15"></noscript>';
      expect(html.includes(refresh)).toBe(name === "dns-setup");
      // Where a browser without script can do nothing, it goes on at once.
      const onward = /<noscript><meta http-equiv="refresh" content="0; url=[^"]*"><\/noscript>/;
      expect(onward.test(html)).toBe(name === "set-up-passkey");
      expect(html.replace(refresh, "").replace(onward, "")).not.toMatch(/http-equiv/i);
    },
  );

  test.each(names)("%s gives each id once and refers only to ids that it has", (name) => {
    const html = of(name);
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, references] of html.matchAll(/ (?:for|aria-[a-z]+by|data-copy)="([^"]*)"/g)) {
      for (const id of (references ?? "").split(" ")) expect(ids).toContain(id);
    }
  });

  test.each(names)("%s has one heading of the first level, a title and a way back", (name) => {
    const html = of(name);
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).toMatch(/<title>[^<]+ · domain-signin<\/title>/);
    // Denying leads back to the client.
    if (name === "consent") return expect(html).toContain('name="decision" value="deny"');
    if (WITHOUT_APP.test(name)) return;
    expect(tag(html, "back-to-app")).toMatch(/^<a .*href="value\.example"/);
  });

  test.each([
    ["home", "home", ["check-domain-form"]],
    ["check", "check", ["check-domain-form"]],
    ["domain", "domain", ["domain-form", "passkey-form"]],
    [
      "continue",
      "continue",
      ["continue-form", "continue-2-form", "other-domain-form", ...SIGN_OUT],
    ],
    ["dns-setup", "dns-setup", ["check-form", "start-over-form", "resume-1-form"]],
    ["set-up-passkey", "set-up-passkey", ["passkey-form", "without-passkey-form", "resume-1-form"]],
    ["record-found", "dns-setup", ["passkey-form", "start-over-form"]],
    ["recovery-codes", "recovery-codes", ["recovery-codes-form", ...SIGN_OUT]],
    ["dns-challenge", "dns-challenge", ["check-form", "lost-access-form"]],
    ["own-unknown", "problem", ["start-over-form"]],
    ["consent", "consent", ["consent-form", ...SIGN_OUT]],
    [
      "account",
      "account",
      [
        ...["rename-passkey-1-form", "sign-out-2-form", "forget-1-form", "revoke-1-form"],
        ...[...SIGN_OUT, "sign-out-everywhere-form", "sign-out-everywhere-apps-form"],
      ],
    ],
    ["new-passkey", "new-passkey", ["passkey-form", ...SIGN_OUT]],
    ["remove-passkey", "account-change", ["remove-passkey-form", ...SIGN_OUT]],
    ["account-change", "account-change", SIGN_OUT],
    ["delete-account", "account-change", ["delete-account-form", ...SIGN_OUT]],
    ["account-deleted", "account-change", []],
    ["problem", "problem", []],
  ])("%s says its step and has its forms", (name, step, forms) => {
    expect(of(name)).toContain(`<body data-step="${step}">`);
    const found = [...of(name).matchAll(/<form id="([^"]*)"/g)].map((match) => match[1]);
    expect(found).toEqual(forms);
  });

  test("each page that recognizes somebody offers to sign out: here, of all domains, and everywhere", () => {
    const steps = Object.entries(RECOGNIZES).flatMap(([step, is]) => (is ? [step] : []));
    // On the page of a deleted account, nobody is signed in any more.
    const recognizing = names.filter(
      (name) =>
        name !== "account-deleted" &&
        steps.some((step) => of(name).includes(`data-step="${step}"`)),
    );
    expect(recognizing.length).toBeGreaterThan(steps.length);
    for (const name of recognizing) {
      const ids = [...of(name).matchAll(/ id="(sign-out[a-z-]*)"/g)].map((match) => match[1]);
      expect(ids, name).toEqual(expect.arrayContaining(SIGN_OUT));
      expect(ids.join(" "), name).toContain("sign-out-everywhere");
    }
  });

  test.each(["dns-setup", "dns-challenge", "account-change"])(
    "%s has the exact strings of the record",
    (name) => {
      const code = (id: string, text: string) =>
        `<code id="${id}" dir="ltr" translate="no">${text}</code>`;
      expect(of(name)).toContain(code("dns-name", "value.example.alice.com"));
      expect(of(name)).toContain(code("dns-type", "TXT"));
      expect(of(name)).toContain(code("dns-value", "value.example"));
    },
  );

  test("the field of the domain page keeps what was typed and is tied to its problem", () => {
    const field = tag(of("domain"), "domain");
    expect(field).toContain('name="domain"');
    expect(field).toContain('value="value.example"');
    expect(field).toContain('aria-invalid="true"');
    expect(field).toContain('aria-describedby="domain-problem domain-hint"');
    expect(tag(of("domain"), "domain-problem")).toContain('role="alert"');
  });

  test("the field of the page that checks a domain keeps what was typed, also beside a problem", () => {
    expect(tag(of("check"), "domain")).toContain('value="value.example"');
    const field = tag(of("check-problem"), "domain");
    expect(field).toContain('value="value.example"');
    expect(field).toContain('aria-describedby="domain-problem domain-hint"');
    expect(tag(of("check-problem"), "domain-problem")).toContain('role="alert"');
  });

  test.each([...LANGUAGES.values()])(
    "the front page has at most 60 words in $lang",
    async (language) => {
      const html = `${await homePage(contextIn(language), { issuerHost: "auth.example.com" })}`;
      const [, main = ""] = /<main>(.*)<\/main>/s.exec(html) ?? [];
      const words = main.replace(/<[^>]*>/g, " ").match(/[\p{L}\p{N}][^\s]*/gu) ?? [];
      expect(words).toContain("auth.example.com");
      expect(words.length).toBeLessThanOrEqual(60);
    },
  );

  test("another domain is requested by POST, to an action with the unchanged request", () => {
    expect(tag(of("continue"), "other-domain-form")).toContain('method="post"');
  });

  test("a browser that is known is not asked for a recovery code", async () => {
    const html = await dnsChallengePage(context, {
      domain: "alice.com",
      issuerHost: "auth.example",
      record: { name: "_domain-signin-challenge.alice.com", type: "TXT", value: "v", ttl: 60 },
      action: "/check",
      result: t.explanation("looks-seen"),
      lostAccessAction: "/lost",
    });
    expect(`${html}`).not.toContain('name="recovery_code"');
    expect(tag(of("dns-challenge"), "recovery_code")).toContain('name="recovery_code"');
  });

  test.each([1, 2])(
    "of %s domains to continue with, people read U-labels, and forms and links have A-labels",
    async (count) => {
      const [first, second] = ["xn--bcher-kva.example", "xn--strae-oqa.example"];
      const domains = [first, second].slice(0, count);
      const offers = domains.map((domain) => ({ domain, proof: "p" }));
      const html = `${await continuePage(context, { offers, query: "q", ended: [] })}`;
      const buttons = [...html.matchAll(/<button [^>]*>([^<]*)</g)].map(([, label]) => label);
      expect(buttons).toContain(t("signOut-domain", { domain: "bücher.example" }));
      expect(buttons.join(" ")).not.toContain("xn--");
      for (const domain of domains) {
        expect(html).toContain(`name="domain" value="${domain}"`);
        expect(html).toContain(`name="which" value="${domain}"`);
        expect(html).toContain(`href="/account?domain=${domain}#sign-out-title"`);
      }
    },
  );

  test("consent has one primary button, which allows, beside one that denies", () => {
    const buttons = [...of("consent").matchAll(/<button ([^>]*name="decision"[^>]*)>/g)].map(
      (match) => match[1] ?? "",
    );
    expect(buttons.map((attributes) => attributes.replace(/ value="[^"]*"/, ""))).toEqual([
      'class="button primary" name="decision"',
      'class="button" name="decision"',
    ]);
    const values = buttons.map((attributes) => / value="([^"]*)"/.exec(attributes)?.[1]);
    expect(values).toEqual(["allow", "deny"]);
  });

  test("a scope without a description is shown by its name, as code", () => {
    expect(of("consent")).toContain("<li><code>value.example</code></li>");
    // The sentence above the list says what openid means.
    expect(of("consent")).not.toContain(t("scopes-openid"));
  });

  test("a name below the registered domain is shown relative to both zones", async () => {
    const html = await dnsSetupPage(context, {
      domain: "blog.alice.co.uk",
      record: { name: "_domain-signin.blog.alice.co.uk", type: "TXT", value: "v", ttl: 300 },
      action: "/check",
      earlier: [],
      ...{ formerRecord: "/", handOn: "/" },
      resumeAction: "/resume",
      autoCheck: { isOn: true, other: "/stopped" },
      startOverAction: "/start-over",
      result: t.explanation("looks-seen"),
    });
    expect(`${html}`).toContain('<code dir="ltr" translate="no">_domain-signin</code>');
    expect(`${html}`).toContain('<code dir="ltr" translate="no">_domain-signin.blog</code>');
  });

  // The browser tests check contrast once in each color scheme, not in each width and language.
  test("colors depend only on the color scheme, and nothing else depends on it", () => {
    const style = assets.get(stylePath)?.body ?? "";
    const contents = (pattern: RegExp) => [...style.matchAll(pattern)].map(([, one = ""]) => one);
    const schemes = contents(/prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}/g);
    const dark = schemes.join("").match(/[^\s;][^;]*/g) ?? [];
    expect(style.match(/prefers-color-scheme/g)).toHaveLength(schemes.length);
    expect(dark.length).toBeGreaterThan(10);
    expect(dark.filter((one) => !/^--[a-z-]+: #[0-9a-f]{6}$/.test(one))).toEqual([]);
    const widths = contents(/@media \([a-z]+-width[^{]*\{((?:[^{}]*\{[^}]*\})*)\s*\}/g);
    const languages = contents(/\[(?:dir|lang)[^{]*\{([^}]*)\}/g);
    expect(style.match(/@media \([a-z]+-width/g)).toHaveLength(widths.length);
    expect(languages.length).toBeGreaterThan(1);
    const colours = /color|background|var\(--|#[0-9a-f]{3}\b|opacity|filter/i;
    expect([...widths, ...languages].filter((one) => colours.test(one))).toEqual([]);
  });

  test("the path of an asset contains a hash of its content", () => {
    const hashed = /^\/assets\/[a-z]+-[0-9a-f]{8}\.(css|js|svg)$/;
    expect([...assets.keys()].every((path) => hashed.test(path))).toBe(true);
    expect(assets.get(stylePath)?.contentType).toBe("text/css; charset=utf-8");
    expect(assets.get(scriptPath)?.contentType).toBe("text/javascript; charset=utf-8");
    expect(() => new Function(assets.get(scriptPath)?.body ?? "(")).not.toThrow();
  });

  test("eight domains to continue with, of a request with a long state, are a page of at most 30 KB", async () => {
    const offers = Array.from({ length: 8 }, (_, index) => ({
      domain: `${index}.a-domain-of-alice.example`,
      proof: "p".repeat(31),
    }));
    const query = new URLSearchParams({
      ...{ response_type: "code", client_id: "x".repeat(27), scope: "openid offline_access" },
      ...{ redirect_uri: "https://app.example.org/callback", nonce: "n".repeat(43) },
      ...{ code_challenge: "c".repeat(43), code_challenge_method: "S256", state: "s".repeat(800) },
    }).toString();
    const html = await continuePage(context, { offers, query, ended: [] });
    // The style sheet, scripts and icon have less than 10,500.
    expect(Buffer.byteLength(`${html}`)).toBeLessThanOrEqual(19_500);
  });
});
