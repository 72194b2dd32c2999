// Tests of the table of planted faults against today's sources, and of what judges whether a fault was found.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";
import { partOf } from "../../../scripts/part.mjs";
import { FAULTS } from "./faults/faults.mjs";
import { judgeClean, judgePlanted, readReport } from "./faults/judge.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

test("every planted fault fits into its file at exactly one place, changes it, and has a test file", () => {
  const misfits = FAULTS.filter(({ file, find, replace, test }) => {
    const places = readFileSync(root + file, "utf8").split(find).length - 1;
    return places !== 1 || find === replace || !existsSync(root + test);
  });
  expect(misfits).toEqual([]);
});

test("no fault is in the table twice", () => {
  const names = FAULTS.map(({ file, find }) => `${file}: ${find}`);
  expect(new Set(names).size).toBe(names.length);
});

test("seven days in a row run every seventh once, and a part can be chosen", () => {
  const days = Array.from({ length: 7 }, (_, day) => partOf({ parts: "7" }, day * 86_400_000 + 1));
  expect(days.map(({ part }) => part)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(partOf({ parts: "7", part: "3" })).toEqual({ part: 2, parts: 7 });
  expect(partOf({ parts: "1" })).toEqual({ part: 0, parts: 1 });
  for (const part of ["0", "8", "x", "1.5"]) {
    expect(() => partOf({ parts: "7", part })).toThrow(`--part ${part}: the parts are 1 to 7`);
  }
  for (const parts of ["0", "x", "1.5", ""]) {
    expect(() => partOf({ parts })).toThrow(`--parts ${parts}: must be a whole number from 1`);
  }
});

const ended = { status: 0, isLate: false, seconds: 1 };
const failure = (fullName: string, message = "AssertionError: expected 1 to be 2") => ({
  ...{ fullName, status: "failed", failureMessages: [message] },
});
const passed = { fullName: "passes", status: "passed", failureMessages: [] };
const skipped = { fullName: "is skipped", status: "skipped", failureMessages: [] };
const run = (tests: readonly object[], message = "", more: object = {}) =>
  readReport({ testResults: [{ assertionResults: tests, message }] }, { ...ended, ...more });

describe("a planted fault", () => {
  it("is found by a test that fails, if need be by the one that is named", () => {
    expect(judgePlanted(run([passed, failure("a > b")]))).toMatchObject({ kind: "found" });
    expect(judgePlanted(run([passed, failure("a > b")]), "b")).toMatchObject({ detail: "a > b" });
    expect(judgePlanted(run([failure("a"), failure("b")]), "b")).toMatchObject({ detail: "b" });
    expect(judgePlanted(run([failure("a")]), "b")).toMatchObject({ kind: "broken" });
  });

  it("stays green where all tests pass", () => {
    expect(judgePlanted(run([passed]))).toMatchObject({ kind: "green" });
  });

  it.each([
    ["a name that is not there", run([failure("a", "ReferenceError: x is not defined")])],
    ["syntax", run([], "Error: Transform failed with 1 error")],
    ["a set-up that fails", run([skipped], "Error: no port was opened")],
    ["no report", readReport(null, { ...ended, status: 1 })],
    ["no end", run([passed], "", { isLate: true, status: null })],
    ["no test that ran", run([skipped])],
  ])("is not found by %s: its row is broken", (_, broken) => {
    expect(judgePlanted(broken)).toMatchObject({ kind: "broken" });
  });
});

describe("without a fault a test file", () => {
  it("passes", () => {
    expect(judgeClean(run([passed, skipped]))).toBeNull();
  });

  it.each([
    ["a test that fails", run([passed, failure("a")])],
    ["an error outside of its tests", run([passed], "Error: a hook failed")],
    ["another status than 0", run([passed], "", { status: 1 })],
    ["no end", run([passed], "", { isLate: true })],
    ["no test that ran", run([skipped])],
    ["no report", readReport(null, ended)],
  ])("judges no fault with %s", (_, broken) => {
    expect(judgeClean(broken)).toMatchObject({ kind: "broken" });
  });
});
