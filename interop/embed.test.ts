// Runs each program of docs/embed.md as a reader would.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noteSecret } from "../packages/server/test/support/log-run.ts";
import { freePort } from "../packages/server/test/support/serve.ts";

const SECRET = "the operator's secret of an embedded service";
const TIMEOUT_MS = 10_000;

const page = readFileSync(new URL("../docs/embed.md", import.meta.url), "utf8");
const programs = new Map(
  [...page.matchAll(/^```js file=(\S+)\n([\s\S]*?)^```$/gm)].map(([, file = "", code = ""]) => [
    file,
    code,
  ]),
);

// In this folder, so that the programs find the packages they import.
const folder = mkdtempSync(fileURLToPath(new URL("embed-", import.meta.url)));
beforeAll(() => {
  noteSecret("operator's secret", SECRET);
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
  for (const [file, code] of programs) {
    // Nothing listens here: no test may query a resolver.
    const local = code.replace(/dnsServers: \[[^\]]*\]/, 'dnsServers: ["127.0.0.1:9"]');
    writeFileSync(join(folder, file), local.replace('"corroborated"', '"single"'));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(["express.js", "fastify.js", "hono.js"])(
  "%s answers requests of every kind",
  async (file) => {
    expect([...programs.keys()]).toContain(file);
    const port = await freePort();
    const issuer = `http://localhost:${port}`;
    const env = { ISSUER: issuer, PORT: String(port), SECRET, DATABASE: "sqlite::memory:" };
    const child = spawn(process.execPath, [file], {
      ...{ cwd: folder, env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] },
    });
    try {
      const metadata = await firstAnswer(`${issuer}/.well-known/openid-configuration`, child);
      expect(await metadata.json()).toMatchObject({ issuer });
      // The body reaches the service.
      const body = new URLSearchParams({ grant_type: "password" });
      const refused = await fetch(`${issuer}/oauth/token`, { method: "POST", body });
      expect([refused.status, await refused.json()]).toEqual([
        400,
        expect.objectContaining({ error: "unsupported_grant_type" }),
      ]);
      const problem = await fetch(`${issuer}/oauth/authorize?client_id=nobody`);
      expect([problem.status, problem.headers.get("content-type")]).toEqual([
        400,
        "text/html; charset=utf-8",
      ]);
    } finally {
      child.kill();
    }
  },
);

async function firstAnswer(url: string, child: ChildProcess): Promise<Response> {
  const until = Date.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    if (answer !== null) return answer;
    if (child.exitCode !== null || Date.now() > until) throw new Error(`no answer from ${url}`);
    await sleep(20);
  }
}
