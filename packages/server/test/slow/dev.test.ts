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
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const BUILT = new Set(["dist", "types", ".dev", "node_modules"]);
const READY = /^Ready in \d+\.\d s\. Waiting for a change …$/;
const WAITING = /^Waiting for a change …$/;

/** Built by nobody, with the installed packages and its own workspaces. */
function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), "domain-signin-dev-test-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
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
  return copy;
}

function startDev(folder: string) {
  const args = ["run", "--silent", "dev", "--", "--port", "0", "--issuer-port", "0"];
  const child = spawn("npm", args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text: Buffer) => {
      printed += text;
    });
  }
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    printed: () => printed,
    /** Reads the lines up to the next one that matches, and returns them. */
    async until(pattern: RegExp): Promise<string[]> {
      const read: string[] = [];
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`it has ended: ${printed}`);
        read.push(value);
        if (pattern.test(value)) return read;
      }
    },
    /** Ends npm as a supervisor of processes would; resolves to its status. */
    async stop(): Promise<unknown> {
      child.kill("SIGTERM");
      const [status] = await ended;
      return status;
    },
  };
}

/** Replaces the one `before` of the file. */
function edit(path: string, before: string, after: string): void {
  const text = readFileSync(path, "utf8");
  expect(text.split(before)).toHaveLength(2);
  writeFileSync(path, text.replace(before, after));
}

test("npm run dev shows a changed message and a changed source at the same addresses, and outlives mistakes", async () => {
  const copy = copySources();
  const dev = startDev(copy);
  onTestFinished(async () => void (await dev.stop()));
  const [addresses = ""] = await dev.until(READY);
  const issuer = /Service (\S+)$/.exec(addresses)?.[1] ?? "";
  // A request without a client gets a page that says so.
  const page = async () => (await fetch(`${issuer}/oauth/authorize`)).text();
  expect(await page()).toContain("The app did not identify itself");

  const messages = join(copy, "packages/server/messages/en.ftl");
  edit(messages, "The app did not identify itself", "Which app is this?");
  expect(await dev.until(READY)).toContain(addresses);
  expect(await page()).toContain("Which app is this?");

  const source = join(copy, "packages/server/src/pages/problem.ts");
  edit(source, "// ", "const = 1; // ");
  await dev.until(WAITING);
  expect(dev.printed()).toContain("packages/server/src/pages/problem.ts:1:7");
  expect(await page()).toContain("Which app is this?");

  edit(source, "const = 1; // ", 'throw new Error("a start that fails"); // ');
  await dev.until(/^The demo has ended\. Waiting for a change …$/);
  expect(dev.printed()).toContain("Error: a start that fails");

  edit(source, 'throw new Error("a start that fails"); // ', "// ");
  expect(await dev.until(READY)).toContain(addresses);
  expect(await page()).toContain("Which app is this?");

  // The test file fails if a process or a folder is left.
  expect(await dev.stop()).toBe(0);
});
