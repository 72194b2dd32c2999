// Tests of where compiled code is kept: whoever can write there runs code in the service.

import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { folderForCode } from "./compiled-code.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "domain-signin-home-"));
});
afterEach(() => rmSync(home, { recursive: true }));

const folderBelow = (homedir: string) => folderForCode(() => ({ ...userInfo(), homedir }));
const modeOf = (path: string) => lstatSync(path).mode & 0o777;

test("the folder is made below the home, for its user alone, and found again", () => {
  const folder = join(home, ".cache", "domain-signin");
  expect(folderBelow(home)).toBe(folder);
  expect([modeOf(join(home, ".cache")), modeOf(folder)]).toEqual([0o700, 0o700]);
  chmodSync(join(home, ".cache"), 0o755);
  expect(folderBelow(home)).toBe(folder);
});

test.each([
  ["", 0o777],
  ["", 0o775],
  [".cache", 0o757],
  [".cache/domain-signin", 0o750],
  [".cache/domain-signin", 0o701],
])("nothing is kept if others may use ~/%s (mode %o)", (path, mode) => {
  folderBelow(home);
  chmodSync(join(home, path), mode);
  expect(folderBelow(home)).toBeNull();
});

test("nothing is kept behind a symbolic link", () => {
  folderBelow(home);
  renameSync(join(home, ".cache"), join(home, "elsewhere"));
  symlinkSync(join(home, "elsewhere"), join(home, ".cache"));
  expect(folderBelow(home)).toBeNull();
});

test("without a user or a home, or with a file in its place, nothing is kept", () => {
  const nobody = () => {
    throw new Error("no such user");
  };
  expect(folderForCode(nobody)).toBeNull();
  expect(folderBelow(join(home, "none"))).toBeNull();
  writeFileSync(join(home, "file"), "");
  expect(folderBelow(join(home, "file"))).toBeNull();
});

test("nothing is kept in the home of another user, who could put code there for this one", () => {
  folderBelow(home);
  const { uid } = userInfo();
  expect(folderForCode(() => ({ homedir: home, uid: uid + 1 }))).toBeNull();
});
