// The mark file: what is read back, what is refused, and how it is replaced.

import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Mark, readMark, writeMark } from "./mark.ts";

const folder = mkdtempSync(join(tmpdir(), "domain-signin-mark-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "domain-signin.mark");

const MARK: Mark = {
  ...{ databaseId: "an id", counter: 7, at: 1_800_000_000 },
  endedKeys: [{ purpose: "es256", keyId: 2, madeAt: 5, endedAt: 6 }],
  endedSecrets: [{ clientId: "dsid_a", secretHash: "a hash", endedAt: 6 }],
};
const JSON_MARK = {
  ...{ v: 1, database: "an id", counter: 7, at: 1_800_000_000 },
  ended_keys: [{ purpose: "es256", key_id: 2, made_at: 5, ended_at: 6 }],
  ended_secrets: [{ client_id: "dsid_a", secret_hash: "a hash", ended_at: 6 }],
};

test("what was written is read back, and only the owner can read the file", async () => {
  expect(readMark(path)).toBeNull();
  await writeMark(path, { ...MARK, counter: 6 });
  await writeMark(path, MARK);
  expect(readMark(path)).toEqual(MARK);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["domain-signin.mark"]);
});

test("of writers with the same process id, as in two containers, none breaks the file of another", async () => {
  const counters = Array.from({ length: 20 }, (_, index) => index + 10);
  await Promise.all(counters.map((counter) => writeMark(path, { ...MARK, counter })));
  expect(counters).toContain(readMark(path)?.counter);
  expect(readdirSync(folder)).toEqual(["domain-signin.mark"]);
});

const { database: _, ...withoutDatabase } = JSON_MARK;
test.each([
  ["an empty file", "", "is empty"],
  ["a file that is cut short", JSON.stringify(JSON_MARK).slice(0, 60), "is damaged or cut short"],
  ["a file of zeros", "\0".repeat(40), "is damaged or cut short"],
  ["something else", "null", "is damaged"],
  ["a newer version", JSON.stringify({ ...JSON_MARK, v: 2 }), "was written by a newer"],
  ["no version", JSON.stringify({ ...JSON_MARK, v: undefined }), "is damaged"],
  ["no database", JSON.stringify(withoutDatabase), "is damaged"],
  ["a database without a name", JSON.stringify({ ...JSON_MARK, database: "" }), "is damaged"],
  ["a counter below zero", JSON.stringify({ ...JSON_MARK, counter: -1 }), "is damaged"],
  ["a counter that is text", JSON.stringify({ ...JSON_MARK, counter: "7" }), "is damaged"],
  ["no time", JSON.stringify({ ...JSON_MARK, at: null }), "is damaged"],
  ["no list of keys", JSON.stringify({ ...JSON_MARK, ended_keys: {} }), "is damaged"],
  ["a key without a number", JSON.stringify({ ...JSON_MARK, ended_keys: [{}] }), "is damaged"],
  ["a secret of nobody", JSON.stringify({ ...JSON_MARK, ended_secrets: [null] }), "is damaged"],
])("%s is refused, and the message names the file and the problem", (_name, text, problem) => {
  writeFileSync(path, text);
  expect(() => readMark(path)).toThrow(`the mark file ${path} ${problem}`);
});

test("a file that cannot be read is refused, and not taken for a missing one", () => {
  expect(() => readMark(folder)).toThrow(`the mark file ${folder} cannot be read: EISDIR`);
});

test("a mark that cannot be written names the file, and leaves the former one and no draft", async () => {
  await writeMark(path, MARK);
  const away = join(folder, "away", "domain-signin.mark");
  await expect(writeMark(away, MARK)).rejects.toThrow(`cannot write the mark file ${away}: ENOENT`);
  expect(readMark(path)).toEqual(MARK);
  const taken = join(folder, "taken");
  mkdirSync(taken);
  await expect(writeMark(taken, MARK)).rejects.toThrow(`cannot write the mark file ${taken}`);
  expect(readdirSync(folder).sort()).toEqual(["domain-signin.mark", "taken"]);
});

test.runIf(process.getuid?.() === 0)(
  "a mark that root writes belongs to the owner of the former one, or of the folder",
  async () => {
    const own = mkdtempSync(join(folder, "own-"));
    chownSync(own, 4321, 4322);
    chmodSync(own, 0o700);
    const mark = join(own, "domain-signin.mark");
    await writeMark(mark, MARK);
    expect(statSync(mark)).toMatchObject({ uid: 4321, gid: 4322 });
    chownSync(mark, 4323, 4324);
    await writeMark(mark, MARK);
    expect(statSync(mark)).toMatchObject({ uid: 4323, gid: 4324 });
  },
);
