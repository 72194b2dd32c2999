// Gives a project's run a folder for logs and secrets, and scans it for secrets in logs at the end.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type Log, readSecrets, type Secret, scan, told } from "./log-scan.ts";

declare module "vitest" {
  interface ProvidedContext {
    logScanFolder: string;
  }
}

const HISTORIES = { code: 100, "grant id": 100, "access token": 100, "refresh token": 100 };
/**
 * What a whole run of a project logs and carries at least, without PostgreSQL and on a slow machine.
 * Less says that the collecting is broken, not that all is well.
 */
const LEAST: Record<string, { lines: number; secrets: Record<string, number> }> = {
  flows: {
    lines: 1000,
    secrets: {
      ...HISTORIES,
      ...{ "browser cookie": 100, "session cookie": 20 },
      ...{ "client secret": 30, "Basic pair": 15, "code verifier": 25, "recovery code": 1000 },
      // The tests' own, and the one that `serve` makes.
      ...{ state: 5, nonce: 1, "operator's secret": 2 },
    },
  },
  browser: {
    lines: 20,
    secrets: {
      ...{ "browser cookie": 15, "session cookie": 8, "recovery code": 200 },
      ...{ code: 5, "grant id": 5, state: 1, "client secret": 2, "Basic pair": 1 },
      ...{ "access token": 1, "refresh token": 1, "operator's secret": 1 },
    },
  },
  interop: {
    lines: 50,
    secrets: {
      ...{ code: 70, "grant id": 25, "access token": 50, "refresh token": 35, "ID token": 50 },
      ...{ "browser cookie": 45, "code verifier": 60, "client secret": 8, state: 50, nonce: 50 },
    },
  },
  timed: {
    lines: 100,
    secrets: { "access token": 10, "refresh token": 10, "recovery code": 10 },
  },
  // The nodes of a drill have logs of their own, on disks that fill up.
  drill: { lines: 0, secrets: HISTORIES },
  // The store logs nothing.
  store: { lines: 0, secrets: {} },
  programs: { lines: 10, secrets: { "operator's secret": 1, "client secret": 1 } },
  languages: { lines: 10, secrets: { "browser cookie": 10 } },
  slow: { lines: 100, secrets: { ...HISTORIES, "operator's secret": 1 } },
};
/** Finds that are told: one mistake of ours may stand in every line. */
const MOST_TOLD = 20;

export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "domain-signin-logs-"));
  project.provide("logScanFolder", folder);
  return async () => {
    // Nothing is waited for after this: what takes long here, vitest cuts off at its next turn.
    const whole = await ranWhole(project);
    const { logs, secrets } = readRun(folder);
    const finds = scan(logs, secrets);
    const lines = logs.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
    const kinds = countsOf(secrets);
    const missing = whole ? shortfalls(project.name, lines, kinds) : [];
    const said =
      `log scan of ${project.name}: ${number(lines)} lines, ` +
      `${number(secrets.length)} secrets of ${kinds.size} kinds`;
    if (finds.length === 0 && missing.length === 0) {
      rmSync(folder, { recursive: true });
      process.stdout.write(`${said}, none found\n`);
      return;
    }
    // Vitest prints what a teardown throws, and ends with status 0 all the same.
    process.exitCode = 1;
    const about = [...finds.slice(0, MOST_TOLD).map(told), ...missing].map((line) => `\n  ${line}`);
    process.stderr.write(
      `\nFAILED ${said}, ${finds.length} found; see ${folder}${about.join("")}\n\n`,
    );
  };
}

function readRun(folder: string): { logs: Log[]; secrets: Secret[] } {
  const logs: Log[] = [];
  const secrets = new Map<string, Secret>();
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), "utf8");
    if (name.endsWith(".log")) {
      const [test = "", what = ""] = name.split("@").map(decodeURIComponent);
      logs.push({ test, what, text });
      continue;
    }
    for (const secret of readSecrets(text)) secrets.set(secret.value, secret);
  }
  return { logs, secrets: [...secrets.values()] };
}

function countsOf(secrets: readonly Secret[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of secrets) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Every file of the project ran, and no test was left out by its name. */
async function ranWhole(project: TestProject): Promise<boolean> {
  const { vitest } = project;
  const { testFiles } = await project.globTestFiles();
  const modules = vitest.state.getTestModules().filter((one) => one.project === project);
  const ran = new Set(modules.filter((one) => one.state() === "passed").map((one) => one.moduleId));
  return (
    vitest.getGlobalTestNamePattern() === undefined && testFiles.every((file) => ran.has(file))
  );
}

function shortfalls(project: string, lines: number, kinds: ReadonlyMap<string, number>): string[] {
  const least = LEAST[project];
  if (least === undefined) return [`${project} has no figures in log-scan-setup.ts`];
  const found = Object.entries(least.secrets)
    .map(([kind, wanted]) => ({ kind, wanted, count: kinds.get(kind) ?? 0 }))
    .filter(({ wanted, count }) => count < wanted)
    .map(({ kind, wanted, count }) => `${kind}: only ${count} were seen, not ${wanted}`);
  return lines < least.lines
    ? [`lines of logs: only ${lines} were seen, not ${least.lines}`, ...found]
    : found;
}

function number(value: number): string {
  return value.toLocaleString("en");
}
