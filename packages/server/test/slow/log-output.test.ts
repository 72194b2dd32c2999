// The log of the real program: no output that fails, stalls or is slow stops it, and a good one loses nothing.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { within } from "../../src/lib/within.ts";
import {
  BAD_OUTPUTS,
  droppedLines,
  entriesIn,
  makePipe,
  NO_ZONE,
  refuse,
  STOP_MS,
} from "../support/log-outputs.ts";
import { CLI, freePort, type Serving, serve } from "../support/serve.ts";

/** SIGUSR2 is an error that nobody expects. */
const CRASH = "process.on('SIGUSR2', () => { throw new Error('crash'); });";
const CRASHES = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(CRASH)}` };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "domain-signin-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Null if it does not end. */
const stopOf = (at: Serving) => within(STOP_MS, at.stop());

describe.each(Object.entries(BAD_OUTPUTS))("standard error is %s", (_, open) => {
  test("serve answers every request, and ends in time", async () => {
    const { close, ...stderr } = await open();
    const at = await serve(NO_ZONE, [], stderr);
    try {
      await refuse(at, 500);
      expect(await stopOf(at)).toBe(0);
    } finally {
      await at.close();
      await close();
    }
  });

  test("a command that changes something ends in time, and its answer is whole", async () => {
    const { close, stderr = "pipe" } = await open();
    const words = ["clients", "add", "--json", "--public", "--name", "App"];
    const args = [CLI, ...words, "--redirect-uri", "https://app.example.org/callback"];
    const stdio = ["ignore", "pipe", stderr] as const;
    const child = spawn(process.execPath, args, { cwd: folder, stdio: [...stdio] });
    try {
      const ended = once(child, "exit");
      const answer = text(child.stdout ?? Readable.from([]));
      expect((await within(STOP_MS, ended))?.[0]).toBe(0);
      expect(await answer).toMatch(/^\{"client_id":.*\}\n$/);
    } finally {
      child.kill("SIGKILL");
      child.stderr?.destroy();
      await close();
    }
  });
});

test("a reader that stalled gets whole lines again, and one says how many were dropped", async () => {
  const pipe = await makePipe();
  const port = await freePort();
  const args = ["--management-port", String(port)];
  const at = await serve(NO_ZONE, [], { stderr: pipe.writer, args });
  try {
    await refuse(at, 4500);
    const dropped = await droppedLines(port);
    expect(dropped).toBeGreaterThan(0);
    let log = "";
    // A slow reader from here on.
    while (!/"msg":"log lines dropped".*\n/.test(log)) {
      log += pipe.read(8192);
      await sleep(1);
    }
    const entries = entriesIn(log.slice(0, log.lastIndexOf("\n")));
    const missing = 4500 - entries.filter(({ msg }) => msg === "refused").length;
    // One more line says that the resolver is unreachable.
    expect([missing, missing + 1]).toContain(dropped);
    expect(entries.at(-1)).toMatchObject({ level: "warn", count: dropped, total: dropped });
    const stopped = stopOf(at);
    for (; !log.endsWith('"msg":"stopped"}\n'); await sleep(1)) log += pipe.read(8192);
    expect(await stopped).toBe(0);
  } finally {
    await at.close();
    await pipe.close();
  }
});

test("a process that an error ends has logged every request that it answered", async () => {
  const path = join(folder, "crash.log");
  const stderr = openSync(path, "a");
  const at = await serve(NO_ZONE, [], { stderr, env: CRASHES });
  try {
    await refuse(at, 200);
    expect(await at.end("SIGUSR2")).toBe(1);
    const log = await readFile(path, "utf8");
    expect(log.match(/"msg":"refused"/g)).toHaveLength(200);
    expect(log).toContain("Error: crash");
  } finally {
    await at.close();
    closeSync(stderr);
  }
});

test("an error ends a process in time, although nobody reads its standard error", async () => {
  const pipe = await makePipe();
  const at = await serve(NO_ZONE, [], { stderr: pipe.writer, env: CRASHES });
  try {
    await refuse(at, 500);
    expect(await within(STOP_MS, at.end("SIGUSR2"))).toBe(1);
  } finally {
    await at.close();
    await pipe.close();
  }
});
