// The page that verifies a token response, opened from disk in a real browser without network.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserTests } from "../support/browser-tests.ts";
import { launchChromium } from "../support/chromium.ts";
import { type Members, type TestVector, testVector } from "../support/test-vectors.ts";
import { ALL_APPEARANCES, NARROW_LIGHT, nameOf, screenshot, show } from "./appearances.ts";
import { axeResult } from "./axe-probe.ts";

const pageUrl = new URL("../../../../examples/verify-offline/index.html", import.meta.url).href;
const all = testVector("good-data.json", "all parts, with a passkey of ES256");
const chained = testVector("good-data.json", "attestation and chain, without an owner proof");

let browser: Browser;
let page: Page;
/** What the page asked for, and what the console had to tell, since it was last loaded. */
const seen = { asked: [] as string[], errors: [] as string[] };

browserTests("the page from disk, with the network off,", () => {
  beforeAll(async () => {
    browser = await launchChromium();
    const context = await browser.newContext({ offline: true });
    await context.route(
      () => true,
      async (route) => {
        seen.asked.push(route.request().url());
        await (route.request().url() === pageUrl ? route.continue() : route.abort());
      },
    );
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on("pageerror", (error) => seen.errors.push(String(error)));
    page.on("console", (message) => seen.errors.push(message.text()));
  });
  afterAll(() => browser?.close());

  /** The page asks for nothing but itself, and the console has only this to tell, or the test fails. */
  async function withPage(act: () => Promise<void>, complaint: RegExp = /^$/): Promise<void> {
    Object.assign(seen, { asked: [], errors: [] });
    await page.goto(pageUrl);
    await act();
    expect(new Set(seen.asked)).toEqual(new Set([pageUrl]));
    expect(seen.errors.filter((error) => !complaint.test(error))).toEqual([]);
  }

  test.each([
    ["both", all],
    ["owner_proof", all],
    ["attestation_and_dnssec", chained],
    ["attestation", chained],
  ])("says what is proven by %s", async (require, vector) => {
    await withPage(async () => {
      await fillIn(vector, { require });
      await verify();
      expect(await page.getAttribute("#answer", "data-outcome")).toBe("proven");
      expect(await page.innerText("#answer h2")).toBe("alice.test is proven");
      const words = await page.innerText("#answer");
      expect(words).toContain("m3Zk0bq2vS1nF9o7b0uHqg");
      expect(words).toContain("https://auth.example.com");
      // Until the first proof ends, and for as long as the zone has signed.
      expect(words).toMatch(/Proven until\s+2030-03-17 1[78]:/);
      expect(words).toMatch(/2030-03-16 17:46:40 UTC to 2030-03-24 17:46:40 UTC/);
      expect(words).toContain("by itself it says nothing about who signed in");
      expect(words.includes("Nothing but its word")).toBe(require === "attestation");
    });
  });

  test.each(["attestation", "attestation_and_dnssec", "owner_proof", "both"])(
    "refuses one flipped bit in what was required: %s",
    async (require) => {
      await withPage(async () => {
        const part = require.startsWith("attestation") ? ["attestation"] : ["owner_proof"];
        const places = require === "attestation" ? [part] : [part, ["dnssec", "chain"]];
        for (const path of places) {
          await fillIn({ ...all, input: flipped(all.input, path) }, { require });
          await verify();
          expect(await page.getAttribute("#answer", "data-outcome")).toBe("refused");
          expect(await page.innerText("#answer")).toMatch(/Code\s+bad_signature\s/);
        }
      });
    },
  );

  test("tells apart a good attestation and the bad chain beside it, which was not required", async () => {
    await withPage(async () => {
      const input = flipped(all.input, ["dnssec", "chain"]);
      await fillIn({ ...all, input }, { require: "attestation" });
      await verify();
      expect(await page.getAttribute("#answer", "data-outcome")).toBe("proven");
      expect(await page.innerText("#answer h3")).toBe("The DNS root proves nothing here");
      expect(await page.innerText("#answer")).toMatch(/Code\s+bad_signature\s/);
    });
  });

  test("says which field it cannot read, and which code a refusal has", async () => {
    await withPage(async () => {
      await verify();
      expect(await page.innerText("#answer h2")).toBe("The token response is not a JSON object");
      await page.fill("#response", '{"access_token":"x"}');
      await verify();
      expect(await page.innerText("#answer h2")).toMatch(
        /has no member validation_data: ask GET \/oauth\/validation_data$/,
      );
      await fillIn(all, { require: "both", redirect_uri: "https://app.example.net/" });
      await verify();
      expect(await page.innerText("#answer")).toMatch(/Code\s+wrong_redirect_uri\s/);
      await fillIn(all, { require: "both", trust_anchors: ["nonsense"] });
      await verify();
      expect(await page.innerText("#answer")).toMatch(/Code\s+malformed_trust_anchor\s/);
    });
  });

  test("may not send anything by its own policy, even where there is a network", async () => {
    await withPage(async () => {
      const directive = await page.evaluate<string>(`new Promise((resolve) => {
        document.addEventListener("securitypolicyviolation",
          ({ effectiveDirective }) => resolve(effectiveDirective));
        fetch("http://127.0.0.1:9/").catch(() => {});
        setTimeout(resolve, 20_000, "none");
      })`);
      expect(directive).toBe("connect-src");
    }, /violates the .*Content Security Policy/);
  });

  test("is accessible at 320 and 1280 pixels, light and dark, and fits", async () => {
    await withPage(async () => {
      await fillIn(chained, { require: "attestation_and_dnssec" });
      await verify();
      const findings: string[] = [];
      for (const appearance of ALL_APPEARANCES) {
        await show(page, appearance);
        await screenshot(page, "verify-page", appearance);
        const rules = appearance === NARROW_LIGHT ? "all" : "appearance";
        const { checks, findings: found } = await axeResult(page, rules);
        expect(checks).toBeGreaterThan(rules === "all" ? 10 : 1);
        findings.push(...found.map((finding) => `${nameOf(appearance)} ${finding}`));
        const width = await page.evaluate<number>("document.documentElement.scrollWidth");
        if (width > appearance.width) findings.push(`${nameOf(appearance)} is ${width} wide`);
      }
      expect(findings).toEqual([]);
    });
  });
});

async function fillIn(vector: TestVector, more: Members): Promise<void> {
  const options = { ...vector.options, ...more };
  await page.evaluate(`document.querySelector("details").open = true`);
  const response = { token_type: "Bearer", expires_in: 3600, validation_data: vector.input };
  await page.fill("#response", JSON.stringify(response, null, 2));
  await page.fill("#issuer", String(options.issuer));
  await page.fill("#client", String(options.client_id));
  await page.fill("#redirect", String(options.redirect_uri));
  await page.fill("#verifier", String(options.code_verifier));
  await page.fill("#jwks", JSON.stringify(options.jwks));
  await page.fill("#now", String(options.now));
  await page.fill("#anchors", (options.trust_anchors as string[]).join("\n"));
  await page.selectOption("#require", String(options.require));
}

/** By the Enter key, as in any form, and until the answer is there. */
async function verify(): Promise<void> {
  await page.evaluate(`document.querySelector("#answer").removeAttribute("data-outcome")`);
  await page.press("#issuer", "Enter");
  await page.waitForSelector("#answer[data-outcome]");
}

/** The data with one bit changed, in the last octets of a text in it or of its last signed text. */
function flipped(data: Members, [member = "", ...path]: readonly string[]): Members {
  const value = data[member];
  if (typeof value === "object" && value !== null) {
    const inner = value as Members;
    return { ...data, [member]: flipped(inner, path.length > 0 ? path : ["signature"]) };
  }
  const text = String(value);
  const at = text.length - 10;
  const other = text[at] === "A" ? "B" : "A";
  return { ...data, [member]: text.slice(0, at) + other + text.slice(at + 1) };
}
