// The real program, as a process of its own: its JSON, its signals, its failures and what it leaves.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, watch } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { programTest } from "../../server/test/support/program-test.ts";
import type { DemoDescription } from "../src/description.ts";

const CLI = fileURLToPath(new URL("../bin/domain-signin-demo.js", import.meta.url));
/** An idle connection would keep the service for two seconds. */
const ALONE = { connection: "close" };

/** The temporary folder of each program. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "domain-signin-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** `preload` is the text of a module that runs before the program. */
function start(args: readonly string[], preload = "", temporary = folder) {
  const imported = `data:text/javascript,${encodeURIComponent(preload)}`;
  const env = { ...process.env, TMPDIR: temporary, CHROMIUM_PATH: "none" };
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const child = spawn(process.execPath, ["--import", imported, CLI, ...args], {
    env,
    stdio: [...stdio],
  });
  const firstLine = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    log: text(child.stderr),
    closed: once(child, "close"),
    firstLine: async () => String((await firstLine.next()).value),
  };
}

/** Sends the signal as soon as the program has made its folder, long before it is ready. */
function signalDuringStart(child: ChildProcess, signal: NodeJS.Signals): void {
  const watcher = watch(folder, () => {
    watcher.close();
    child.kill(signal);
  });
}

test("it runs until SIGTERM, ends with status 0, and logs no secret", async () => {
  const { child, log, closed, firstLine } = start(["--json"]);
  const { issuer, pid, clients }: DemoDescription = JSON.parse(await firstLine());
  expect(pid).toBe(child.pid);
  expect((await fetch(`${issuer}/livez`, { headers: ALONE })).status).toBe(200);
  expect(readdirSync(folder)).toHaveLength(1);
  child.kill("SIGTERM");
  expect(await closed).toEqual([0, null]);
  await expect(fetch(`${issuer}/livez`, { headers: ALONE })).rejects.toThrow();
  const logged = await log;
  for (const { client_secret } of clients) {
    if (client_secret !== null) expect(logged).not.toContain(client_secret);
  }
  expect(readdirSync(folder)).toEqual([]);
});

programTest("a wrong option ends it with status 2", async () => {
  const { log, closed } = start(["--nonsense"]);
  expect(await closed).toEqual([2, null]);
  expect(await log).toBe("error: unknown option '--nonsense'\nTry --help.\n");
});

programTest.each([
  ["SIGTERM", [], 0],
  ["SIGINT", ["--exit"], 1],
  ["SIGHUP", ["--json"], 0],
] as const)(
  "%s during the start with %j ends it with status %i, says nothing and leaves no folder",
  async (signal, args, status) => {
    const { child, log, closed } = start(args);
    signalDuringStart(child, signal);
    expect(await closed).toEqual([status, null]);
    expect(await log).toBe("");
    expect(readdirSync(folder)).toEqual([]);
  },
);

programTest("a second signal ends it at once, and leaves no folder either", async () => {
  // The services of this program never close.
  const preload = `
    import { Server } from "node:http";
    Server.prototype.close = () => process.stdout.write("closing\\n");`;
  const { child, closed, firstLine } = start(["--json"], preload);
  await firstLine();
  child.kill("SIGTERM");
  expect(await firstLine()).toBe("closing");
  child.kill("SIGTERM");
  expect(await closed).toEqual([143, null]);
  expect(readdirSync(folder)).toEqual([]);
});

programTest("a port in use is one line that says what to do, and leaves no folder", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as { port: number };
    const { log, closed } = start(["--issuer-port", `${port}`]);
    expect(await closed).toEqual([2, null]);
    expect(await log).toMatch(
      /^the demo cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE.*; choose another with --port or --issuer-port\n$/,
    );
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    server.close();
  }
});

programTest("a temporary folder that does not exist is one line that says what to do", async () => {
  const { log, closed } = start([], "", join(folder, "nowhere"));
  expect(await closed).toEqual([2, null]);
  expect(await log).toMatch(
    /^the demo cannot keep its data: ENOENT.*; set TMPDIR to a folder in which the demo can write\n$/,
  );
});

programTest(
  "a service that cannot start is one line with status 1, and leaves no folder",
  async () => {
    // The second database cannot be created: a folder has its name.
    const preload = `
    import { mkdirSync, readdirSync } from "node:fs";
    const watcher = setInterval(() => {
      const [made] = readdirSync(process.env.TMPDIR);
      if (made === undefined) return;
      clearInterval(watcher);
      mkdirSync(process.env.TMPDIR + "/" + made + "/sp.db", { recursive: true });
    }, 0);`;
    const { log, closed } = start(["--exit"], preload);
    expect(await closed).toEqual([1, null]);
    expect(await log).toMatch(/^The demo failed: .*sp\.db.*\. Run the demo again; .*\n$/);
    expect(readdirSync(folder)).toEqual([]);
  },
);

programTest.each([
  ["an error that nobody catches", 'throw new Error("lost\\nand more")'],
  ["a promise that nobody waits for", 'Promise.reject(new Error("lost\\nand more"))'],
])("%s ends it with one line and status 1, and leaves no folder", async (_, thrown) => {
  const preload = `process.on("SIGUSR2", () => { ${thrown}; });`;
  const { child, log, closed, firstLine } = start(["--json"], preload);
  await firstLine();
  child.kill("SIGUSR2");
  expect(await closed).toEqual([1, null]);
  expect(await log).toMatch(/^The demo failed: lost\. Run the demo again; .*\n$/);
  expect(readdirSync(folder)).toEqual([]);
});

programTest(
  "a walk that fails ends with one line that says at which step and why, and leaves no folder",
  async () => {
    const preload = `
    globalThis.fetch = async () => {
      throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
    };`;
    const { log, closed } = start(["--exit"], preload);
    expect(await closed).toEqual([1, null]);
    const [, last, ...more] = (await log).split("\n");
    expect(last).toMatch(
      /^The walk failed at authorize: fetch failed \(connect ECONNREFUSED\)\. Run the demo again; /,
    );
    expect(more).toEqual([""]);
    expect(readdirSync(folder)).toEqual([]);
  },
);
