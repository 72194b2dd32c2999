// The helper that runs commands in this process: one at a time, each in its folder.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { command } from "../support/command.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "domain-signin-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("two commands at once are refused, since a process has one current folder", async () => {
  const before = process.cwd();
  const first = command(["clients", "list"], { folder });
  await expect(command(["--version"], { folder })).rejects.toThrow(
    '"clients list" is still running: run commands one by one',
  );
  expect((await first).stderr).toContain("there is no database ");
  expect(process.cwd()).toBe(before);
  expect((await command(["--version"], { folder })).status).toBe(0);
});

test("what crashes the program is thrown, and the next command runs", async () => {
  const before = process.cwd();
  const env: Record<string, string> = JSON.parse('{ "DOMAIN_SIGNIN_DATABASE": 1 }');
  const crash = command(["clients", "list"], { folder, env });
  await expect(crash).rejects.toThrow(TypeError);
  expect(process.cwd()).toBe(before);
  expect((await command(["--version"], { folder })).status).toBe(0);
});
