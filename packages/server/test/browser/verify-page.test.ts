// The page that verifies a token response, opened from disk in a real browser without network.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../../../verify/test/support/jose.ts";
import { attest, goodData, providerProof } from "../../../verify/test/support/sign-in.ts";
import { makeKit } from "../../../verify/test/vectors/kit.ts";
import { browserTests } from "../support/browser-tests.ts";
import { launchChromium } from "../support/chromium.ts";
import {
  ALL_APPEARANCES,
  NARROW_LIGHT,
  nameOf,
  screenshot,
  show,
  WIDE_DARK,
} from "./appearances.ts";
import { axeResult } from "./axe-probe.ts";

const pageUrl = new URL("../../../../examples/verify-offline/index.html", import.meta.url).href;
/** A token response's member, and what the app knows of its request, in the names of the test vectors. */
interface SignIn {
  readonly input: Json;
  readonly options: Json;
}
/** Two that differ in all, unless every appearance is asked for. */
const appearances = process.env.EVERY_APPEARANCE ? ALL_APPEARANCES : [NARROW_LIGHT, WIDE_DARK];
const BROKER = "https://broker.example.org";

let browser: Browser;
let page: Page;
/** With all parts; without proofs; and through another service than the one that the record names. */
let signIns: { readonly all: SignIn; readonly chained: SignIn; readonly federated: SignIn };
/** What the page asked for, and what the console had to tell, since it was last loaded. */
const seen = { asked: [] as string[], errors: [] as string[] };

browserTests("the page from disk, with the network off,", () => {
  beforeAll(async () => {
    signIns = await makeSignIns();
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
    [
      "both",
      "all",
      /as the owner's approved this request of your app, and https:\S+ says the same/,
    ],
    ["owner_proof", "all", /approved this request of your app\. Nothing is proven about sub/],
    ["provider_proof", "all", /the domain's own record names says .* Nothing is proven about sub/],
    ["attestation_and_dnssec", "chained", /The domain's own record names the same account/],
    ["attestation", "chained", /says that the person who signed in .* controls the domain\.$/m],
  ] as const)("says what is proven by %s", async (require, name, sentence) => {
    await withPage(async () => {
      await fillIn(signIns[name], { require });
      await verify();
      expect(await page.getAttribute("#answer", "data-outcome")).toBe("proven");
      expect(await page.innerText("#answer h2")).toBe("alice.test is proven");
      const words = await page.innerText("#answer");
      expect(words).toMatch(sentence);
      expect(words).toContain("m3Zk0bq2vS1nF9o7b0uHqg");
      expect(words).toContain("https://auth.example.com");
      // Until the first proof expires.
      expect(words).toMatch(/Proven until\s+2030-03-17 1[78]:/);
      // Only the attestation says them.
      const isAttested = !require.endsWith("_proof");
      expect(/^sub\s+acc_1\s+Assurance\s+secure$/m.test(words)).toBe(isAttested);
    });
  });

  test.each([
    ["all", ["Valid", "Valid", "Valid"]],
    ["chained", ["Valid", "Not in this response.", "Not in this response."]],
  ] as const)(
    "says of each part what it proves, what not and whom to trust: %s",
    async (name, statuses) => {
      await withPage(async () => {
        await fillIn(signIns[name], { require: "attestation" });
        await verify();
        expect(await statusOf("attestation")).toBe("Valid");
        expect(await Promise.all(["chain", "provider_proof", "owner_proof"].map(statusOf))).toEqual(
          statuses,
        );
        expect(await page.innerText("#chain .status")).toMatch(
          /Signed\s+2030-03-16 17:46:40 UTC to 2030-03-24 17:46:40 UTC/,
        );
        for (const part of ["attestation", "chain", "provider_proof", "owner_proof"]) {
          const words = await page.innerText(`#${part}`);
          expect(words).toMatch(
            /^If valid, it proves$[\s\S]+^It does not prove$[\s\S]+^You trust$/m,
          );
        }
        expect(await page.innerText("#provider_proof")).toContain(
          "the provider can sign this alone",
        );
        expect(await page.innerText("#chain")).toContain("anyone can look this record up");
      });
    },
  );

  test("needs no key set for a proof, and says which part it could not check then", async () => {
    await withPage(async () => {
      await fillIn(signIns.all, { require: "provider_proof" });
      await page.fill("#jwks", "");
      await verify();
      expect(await page.getAttribute("#answer", "data-outcome")).toBe("proven");
      expect(await statusOf("attestation")).toMatch(/^Not checked: the key set/);
      expect(await statusOf("chain")).toBe("Valid");
    });
  });

  test("refuses a chain for another service provider, unless the box is ticked", async () => {
    await withPage(async () => {
      const { input, options } = signIns.federated;
      const { provider_proof: _, ...bare } = input;
      await fillIn({ input: bare, options }, { require: "attestation_and_dnssec" });
      await verify();
      expect(await page.innerText("#answer")).toMatch(/Code\s+wrong_service_provider\s/);
      // By itself, each part is valid.
      expect(await Promise.all(["attestation", "chain"].map(statusOf))).toEqual(["Valid", "Valid"]);
      await page.check("#federation");
      await verify();
      expect(await page.getAttribute("#answer", "data-outcome")).toBe("proven");
      await fillIn(signIns.federated, { require: "provider_proof" });
      await verify();
      expect(await page.getAttribute("#answer", "data-outcome")).toBe("proven");
    });
  });

  test.each(["attestation", "attestation_and_dnssec", "provider_proof", "owner_proof", "both"])(
    "refuses one flipped bit in what was required: %s",
    async (require) => {
      await withPage(async () => {
        const part = {
          attestation: ["attestation"],
          attestation_and_dnssec: ["attestation"],
          provider_proof: ["provider_proof", "statement"],
          owner_proof: ["owner_proof"],
          both: ["owner_proof"],
        }[require] as readonly string[];
        const places = require === "attestation" ? [part] : [part, ["dnssec", "chain"]];
        for (const path of places) {
          const { all } = signIns;
          await fillIn({ ...all, input: flipped(all.input, path) }, { require });
          await verify();
          expect(await page.getAttribute("#answer", "data-outcome")).toBe("refused");
          expect(await page.innerText("#answer h2")).toBe("What you require is not proven");
          expect(await page.innerText("#answer")).toMatch(/Code\s+bad_signature\s/);
        }
      });
    },
  );

  test("tells apart a good attestation and the bad chain with it, which was not required", async () => {
    await withPage(async () => {
      const input = flipped(signIns.all.input, ["dnssec", "chain"]);
      await fillIn({ ...signIns.all, input }, { require: "attestation" });
      await verify();
      expect(await page.getAttribute("#answer", "data-outcome")).toBe("proven");
      expect(await statusOf("attestation")).toBe("Valid");
      expect(await page.innerText("#chain .status")).toMatch(/^Not valid\s+Code\s+bad_signature\s/);
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
      await fillIn(signIns.all, { require: "both", redirect_uri: "https://app.example.net/" });
      await verify();
      expect(await page.innerText("#answer")).toMatch(/Code\s+wrong_redirect_uri\s/);
      await fillIn(signIns.all, { require: "both", now: "noon" });
      await verify();
      expect(await page.innerText("#answer")).toMatch(/Code\s+malformed_time\s/);
      expect(await statusOf("owner_proof")).toBe("Not checked");
      await fillIn(signIns.all, { require: "both", trust_anchors: ["nonsense"] });
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

  test.each(["proven", "refused"])(
    "is accessible at 320 and 1280 pixels, light and dark, and fits, with the result %s",
    async (outcome) => {
      await withPage(async () => {
        const { input, options } = signIns.all;
        const data = outcome === "proven" ? input : flipped(input, ["provider_proof", "statement"]);
        await fillIn({ input: data, options }, { require: "provider_proof" });
        await verify();
        expect(await page.getAttribute("#answer", "data-outcome")).toBe(outcome);
        const findings: string[] = [];
        for (const appearance of appearances) {
          await show(page, appearance);
          await screenshot(page, `verify-page-${outcome}`, appearance);
          const rules = appearance === NARROW_LIGHT ? "all" : "appearance";
          const { checks, findings: found } = await axeResult(page, rules);
          expect(checks).toBeGreaterThan(rules === "all" ? 10 : 1);
          findings.push(...found.map((finding) => `${nameOf(appearance)} ${finding}`));
          const width = await page.evaluate<number>("document.documentElement.scrollWidth");
          if (width > appearance.width) findings.push(`${nameOf(appearance)} is ${width} wide`);
        }
        expect(findings).toEqual([]);
      });
    },
  );
});

async function makeSignIns() {
  const { scene, options } = await makeKit();
  const input = await goodData(scene);
  const { provider_proof: _, owner_proof: __, ...chained } = input;
  const attestation = await attest(scene, { iss: BROKER });
  const provider_proof = await providerProof(scene, { svc: BROKER });
  return {
    all: { input, options },
    chained: { input: chained, options },
    federated: {
      input: { ...chained, attestation, provider_proof },
      options: { ...options, issuer: BROKER },
    },
  };
}

async function fillIn({ input, options: own }: SignIn, more: Json): Promise<void> {
  const options = { ...own, ...more };
  await page.evaluate(`document.querySelector("details").open = true`);
  const response = { token_type: "Bearer", expires_in: 3600, validation_data: input };
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

/** The first line of a part's status. */
function statusOf(part: string): Promise<string> {
  return page.innerText(`#${part} .status p`);
}

/** By the Enter key, as in any form, and until the answer is there. */
async function verify(): Promise<void> {
  await page.evaluate(`document.querySelector("#answer").removeAttribute("data-outcome")`);
  await page.press("#issuer", "Enter");
  await page.waitForSelector("#answer[data-outcome]");
}

/** The data with one bit changed, in the last octets of a text in it or of its last signed text. */
function flipped(data: Json, [member = "", ...path]: readonly string[]): Json {
  const value = data[member];
  if (typeof value === "object" && value !== null) {
    const inner = value as Json;
    return { ...data, [member]: flipped(inner, path.length > 0 ? path : ["signature"]) };
  }
  const text = String(value);
  const at = text.length - 10;
  const other = text[at] === "A" ? "B" : "A";
  return { ...data, [member]: text.slice(0, at) + other + text.slice(at + 1) };
}
