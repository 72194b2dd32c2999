// The real program, as a process of its own: its JSON, its signal and its status.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { DemoDescription } from "../src/description.ts";

const CLI = fileURLToPath(new URL("../bin/domain-signin-demo.js", import.meta.url));
/** An idle connection would keep the service for two seconds. */
const ALONE = { connection: "close" };

test("it runs until SIGTERM, ends with status 0, and logs no secret", async () => {
  const child = spawn(process.execPath, [CLI, "--json"], { stdio: ["ignore", "pipe", "pipe"] });
  const log = text(child.stderr);
  const closed = once(child, "close");
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const { issuer, pid, clients }: DemoDescription = JSON.parse(value);
  expect(pid).toBe(child.pid);
  expect((await fetch(`${issuer}/livez`, { headers: ALONE })).status).toBe(200);
  child.kill("SIGTERM");
  expect(await closed).toEqual([0, null]);
  await expect(fetch(`${issuer}/livez`, { headers: ALONE })).rejects.toThrow();
  const logged = await log;
  for (const { client_secret } of clients) {
    if (client_secret !== null) expect(logged).not.toContain(client_secret);
  }
});

test("a wrong option ends it with status 2", async () => {
  const child = spawn(process.execPath, [CLI, "--nonsense"], { stdio: ["ignore", "pipe", "pipe"] });
  const message = text(child.stderr);
  expect(await once(child, "close")).toEqual([2, null]);
  expect(await message).toBe("error: unknown option '--nonsense'\nTry --help.\n");
});
