// Tests of the check of the message files: each kind of mistake is reported with its file and line.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { programTest } from "./support/program-test.ts";

const script = fileURLToPath(new URL("../scripts/check-messages.mjs", import.meta.url));
const messages = fileURLToPath(new URL("../messages", import.meta.url));

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Runs the check on the message files, with a change to one of them. */
function checked(file: string, change: (text: string) => string): [status: number | null, string] {
  const folder = mkdtempSync(`${tmpdir()}/messages-`);
  folders.push(folder);
  cpSync(messages, folder, { recursive: true });
  writeFileSync(`${folder}/${file}`, change(readFileSync(`${folder}/${file}`, "utf8")));
  const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: "utf8" });
  return [status, stderr.trim()];
}

test("the message files have no mistakes", () => {
  expect(checked("de.ftl", (text) => text)).toEqual([0, ""]);
});

test.each<[string, (text: string) => string, string]>([
  [
    "a message that is missing",
    (text) => text.replace(/^common-copy = .*\n/m, ""),
    "de.ftl: common-copy is missing (en.ftl:6)",
  ],
  [
    "a message that English lacks",
    (text) => text.replace("common-copy =", "common-copies = x\ncommon-copy ="),
    "de.ftl:6: common-copies is unknown",
  ],
  [
    "a message that is defined twice",
    (text) => text.replace("common-copied =", "common-copy = x\ncommon-copied ="),
    "de.ftl:7: common-copy is defined twice",
  ],
  [
    "a variable that is missing",
    (text) => text.replace(/^common-backTo = .*$/m, "common-backTo = x"),
    "de.ftl:8: common-backTo lacks { $client }",
  ],
  [
    "a variable that English lacks",
    (text) => text.replace(/^common-copy = .*$/m, "common-copy = { $client }"),
    "de.ftl:6: common-copy has unknown { $client }",
  ],
  [
    "an attribute that is missing",
    (text) => text.replace(/^ {4}\.paragraph1 = .*\n {4}\.paragraph2 = .*\n/m, "    x\n"),
    "de.ftl:22: domain-how-paragraphs lacks its .paragraph",
  ],
])("%s is reported", (_, change, message) => {
  expect(checked("de.ftl", change)).toEqual([1, message]);
});

programTest(
  "a declaration of the messages that does not match English is reported with its line",
  () => {
    const stale = "differs from en.ftl; to update it: npm run messages -- --write";
    const change = (text: string) =>
      text.replace('"common-copy": never', '"common-copy": "client"');
    expect(checked("en.d.ts", change)).toEqual([1, `en.d.ts:6: ${stale}`]);
    expect(checked("en.d.ts", () => "")).toEqual([1, `en.d.ts:1: ${stale}`]);
  },
);

programTest("text that is not Fluent is reported with its line", () => {
  const [status, output] = checked("de.ftl", (text) =>
    text.replace("common-copy =", "common-copy"),
  );
  expect(status).toBe(1);
  expect(output.split("\n")[0]).toMatch(/^de\.ftl:6: this is not Fluent: /);
});
