// The helper that runs commands in this process: one at a time, each in its folder.

import { expect, test } from "vitest";
import { type CommandOptions, command } from "../support/command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const run = (args: readonly string[], options: Partial<CommandOptions> = {}) =>
  command(args, { folder: folder.path, ...options });

test("two commands at once are refused, since a process has one current folder", async () => {
  const before = process.cwd();
  const first = run(["clients", "list"]);
  await expect(run(["--version"])).rejects.toThrow(
    '"clients list" is still running: run commands one by one',
  );
  expect((await first).stderr).toContain("there is no database ");
  expect(process.cwd()).toBe(before);
  expect((await run(["--version"])).status).toBe(0);
});

test("what crashes the program is thrown, and the next command runs", async () => {
  const before = process.cwd();
  const env: Record<string, string> = JSON.parse('{ "DOMAIN_SIGNIN_DATABASE": 1 }');
  const crash = run(["clients", "list"], { env });
  await expect(crash).rejects.toThrow(TypeError);
  expect(process.cwd()).toBe(before);
  expect((await run(["--version"])).status).toBe(0);
});
