// The walk's Chromium when the service is busy: what its user presses, and that it ends with the demo.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { browserTests } from "../../../server/test/support/browser-tests.ts";
import { findChromium } from "../../src/browser/chromium.ts";
import { openWalkChromium, type WalkChromium } from "../../src/walk/chromium.ts";
import { NARRATION } from "../../src/walk/narration.ts";
import { listenForWeb } from "../../src/web-listener.ts";

const CLI = fileURLToPath(new URL("../../bin/domain-signin-demo.js", import.meta.url));

const page = (step: string, forms = "") => `<body data-step="${step}">${forms}</body>`;
const domainForm =
  '<form id="domain-form" method="post" action="/typed"><input id="domain" value="a.test"><button>Go</button></form>';
const passkeyForm =
  '<form id="passkey-form" method="post" action="/passkey"><button>Use</button></form>';

async function open(issuer: string, stopped?: Promise<unknown>): Promise<WalkChromium> {
  const found = findChromium();
  if ("missing" in found) throw new Error(found.missing);
  const opened = await openWalkChromium(found.path, { issuer, narrate: () => {}, stopped });
  if (typeof opened === "string") throw new Error(opened);
  onTestFinished(opened.close);
  return opened;
}

/** Answers the first request with 503 and the page, and every later one with the page "done". */
async function busyService(busy: string) {
  const requests: string[] = [];
  const { port, close } = await listenForWeb(
    (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/favicon.ico") return new Response(null, { status: 404 });
      requests.push(`${request.method} ${pathname}`);
      const headers = { "content-type": "text/html", "retry-after": "0" };
      const [status, body] = requests.length === 1 ? [503, busy] : [200, page("done")];
      return new Response(body, { status, headers });
    },
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(close);
  return { issuer: `http://localhost:${port}`, requests };
}

browserTests("the walk in Chromium, with a busy service", () => {
  test.each([
    ["reloads a page without a form", page("problem"), "GET /start"],
    ["types the domain again", page("domain", domainForm), "POST /typed"],
    ["uses the passkey again", page("passkey", passkeyForm), "POST /passkey"],
  ])("%s", async (_, busy, next) => {
    const { issuer, requests } = await busyService(busy);
    const { page } = await open(issuer);
    await page.goto(`${issuer}/start`);
    await page.locator('body[data-step="done"]').waitFor();
    expect(requests).toEqual(["GET /start", next]);
  });

  test("ends what waits for a page when the demo is stopped", async () => {
    let stop = () => {};
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const { page } = await open("http://localhost:1", stopped);
    const waiting = page.locator("#never").waitFor();
    stop();
    await expect(waiting).rejects.toThrow();
  });

  test("leaves no folder and no line of a failure when SIGINT stops the program in Chromium", async () => {
    const folder = mkdtempSync(join(tmpdir(), "domain-signin-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const child = spawn(process.execPath, [CLI, "--exit"], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const closed = once(child, "close");
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      lines.push(line);
      if (line.includes(NARRATION["passkey-set-up"])) child.kill("SIGINT");
    }
    expect(await closed).toEqual([1, null]);
    expect(lines.filter((line) => line.includes("failed"))).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
