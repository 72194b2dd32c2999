// Keeps the page of the examples to what its script makes: one file, small, that loads nothing.

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

/** Octets, gzipped: the verifier alone in one script, and the script of the page, which contains it. */
const MAX_VERIFIER_OCTETS = 13_500;
const MAX_PAGE_SCRIPT_OCTETS = 15_000;

const folder = new URL("../../../examples/verify-offline/", import.meta.url);
const page = readFileSync(new URL("index.html", folder), "utf8");
const { bundled, makePage, verifier } = (await import(new URL("build.mjs", folder).href)) as {
  bundled(input: string): Promise<string>;
  makePage(): Promise<string>;
  verifier: string;
};

test("the committed page is what its script makes of the sources now", async () => {
  const made = await makePage();
  // Not the texts themselves, whose difference nobody could read.
  expect([made.length, made === page]).toEqual([page.length, true]);
});

test("the verifier is at most 13.5 KB in a browser, and the page's script with it 15 KB", async () => {
  const alone = gzipSync(await bundled(verifier)).length;
  const [, script = ""] = /<script>([\s\S]*)<\/script>/.exec(page) ?? [];
  const whole = gzipSync(script).length;
  console.info(`gzipped: the verifier ${alone}, the page's script ${whole}`);
  expect(script.length).toBeGreaterThan(20_000);
  expect(alone).toBeLessThanOrEqual(MAX_VERIFIER_OCTETS);
  expect(whole).toBeLessThanOrEqual(MAX_PAGE_SCRIPT_OCTETS);
});

test("the page may load nothing, send nothing and run no other script", () => {
  const [, policy = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  const hash = "'sha256-[A-Za-z0-9+/]{43}='";
  const directives = [
    "default-src 'none'",
    `script-src ${hash}`,
    `style-src ${hash}`,
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  expect(policy).toMatch(new RegExp(`^${directives.join("; ")}$`));
  expect(page).not.toMatch(/\s(?:src|href|action|style|on[a-z]+)=/);
});
