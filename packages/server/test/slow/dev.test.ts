// `npm run dev` in a copy of the sources: what it shows after a change, after a mistake, and what it leaves.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const BUILT = new Set(["dist", "types", ".dev", "node_modules"]);
const READY = /^Ready in \d+\.\d s\. Waiting for a change …$/;
const ENDED = /^The demo has ended\. Waiting for a change …$/;
const WAITING = /^Waiting for a change …$/;

/** Without anything built, with the installed packages and its own workspaces. */
let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "domain-signin-dev-test-"));
  for (const entry of ["package.json", "tsconfig.base.json", "packages"]) {
    const filter = (path: string) => !BUILT.has(basename(path));
    cpSync(join(ROOT, entry), join(copy, entry), { recursive: true, filter });
  }
  mkdirSync(join(copy, "node_modules"));
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    const path = join(ROOT, "node_modules", name);
    // A relative link leads to a workspace of the copy.
    const target = lstatSync(path).isSymbolicLink() ? readlinkSync(path) : path;
    symlinkSync(target, join(copy, "node_modules", name));
  }
});
afterAll(() => rmSync(copy, { recursive: true }));

function startDev() {
  const args = ["run", "--silent", "dev", "--", "--port", "0", "--issuer-port", "0"];
  // Both outputs in one, so that lines come in the order in which they were printed.
  const child = spawn("sh", ["-c", 'exec npm "$@" 2>&1', "sh", ...args], {
    ...{ cwd: copy, stdio: ["ignore", "pipe", "inherit"] },
    // A group of its own, which a test can send a signal to.
    detached: true,
  });
  const ended = once(child, "exit");
  if (child.stdout === null) throw new Error("no output");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** Resolves to the lines up to the next one that matches. */
    async until(pattern: RegExp): Promise<string> {
      const read: string[] = [];
      do {
        const { value, done } = await lines.next();
        if (done) throw new Error(`it has ended:\n${read.join("\n")}`);
        read.push(value);
      } while (!pattern.test(read.at(-1) ?? ""));
      return read.join("\n");
    },
    /** As a supervisor of processes does: sends SIGTERM to npm. Resolves to its status. */
    async terminate(): Promise<unknown> {
      child.kill("SIGTERM");
      return (await ended)[0];
    },
    /** As a terminal does: sends SIGINT to npm and to what npm has started. */
    async interrupt(): Promise<unknown> {
      process.kill(-Number(child.pid), "SIGINT");
      return (await ended)[0];
    },
  };
}

/** Replaces the one `before` of the file, in one step. */
function edit(file: string, before: string, after: string): void {
  const text = readFileSync(join(copy, file), "utf8");
  expect(text.split(before)).toHaveLength(2);
  writeFileSync(join(copy, "edited"), text.replace(before, after));
  renameSync(join(copy, "edited"), join(copy, file));
}

const MESSAGES = "packages/server/messages/en.ftl";
const SOURCE = "packages/server/src/pages/problem.ts";

test("npm run dev shows a changed message and a changed source at the same addresses, and outlives mistakes", async () => {
  const dev = startDev();
  onTestFinished(async () => void (await dev.terminate()));
  const [, issuer = ""] = /Service (\S+)\n/.exec(await dev.until(READY)) ?? [];

  /** The page that answers a request without a client. */
  async function problemPage(): Promise<string> {
    try {
      return await (await fetch(`${issuer}/oauth/authorize`)).text();
    } catch {
      // It restarts once more.
      await dev.until(READY);
      return problemPage();
    }
  }
  async function untilShown(text: string): Promise<void> {
    do expect(await dev.until(READY)).toContain(`Service ${issuer}\n`);
    while (!(await problemPage()).includes(text));
  }

  expect(await problemPage()).toContain("The app did not identify itself");
  edit(MESSAGES, "The app did not identify itself", "Which app is this?");
  await untilShown("Which app is this?");

  edit(SOURCE, "// ", "const = 1; // ");
  expect(await dev.until(WAITING)).toContain(`${SOURCE}:1:7`);
  expect(await problemPage()).toContain("Which app is this?");

  edit(SOURCE, "const = 1; // ", 'throw new Error("a start that fails"); // ');
  expect(await dev.until(ENDED)).toContain("Error: a start that fails");

  edit(SOURCE, 'throw new Error("a start that fails"); // ', "// ");
  edit(SOURCE, '<p class="lead">', '<p id="changed" class="lead">');
  await untilShown('<p id="changed" class="lead">');

  // The test file fails if a process or a folder is left.
  expect(await dev.terminate()).toBe(0);
});

test("Ctrl-C ends npm run dev with status 0, although npm repeats the signal", async () => {
  const dev = startDev();
  onTestFinished(async () => void (await dev.terminate()));
  await dev.until(READY);
  expect(await dev.interrupt()).toBe(0);
});
