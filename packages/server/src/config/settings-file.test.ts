// Tests of the error messages for files of settings.

import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { inNewFolder } from "../../test/support/new-folder.ts";
import { OperatorError } from "../lib/errors.ts";
import { readSettings } from "./config.ts";

inNewFolder();

/** The error message for these sources alone. */
function messageFor(env: Record<string, string>, config?: string): string {
  try {
    readSettings({ flags: config === undefined ? {} : { config }, env }, ["issuer", "port"]);
    return "";
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return error.message;
  }
}

describe("a file of settings, and no word of the issuer that may stand in it", () => {
  it("that is not there is reported", () => {
    const words = "cannot read nofile.json: no such file";
    expect(messageFor({}, "nofile.json")).toBe(words);
    expect(messageFor({ DOMAIN_SIGNIN_CONFIG: "nofile.json" })).toBe(words);
  });

  it("that is a directory is reported", () => {
    mkdirSync("folder");
    expect(messageFor({}, "folder")).toBe("cannot read folder: is a directory");
  });

  it("that is somebody else's is reported", () => {
    writeFileSync("theirs.json", "{}", { mode: 0o000 });
    // Root may read everything, so it steps back for the moment.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      expect(messageFor({}, "theirs.json")).toBe("cannot read theirs.json: permission denied");
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  test.each([
    ["[1]", "array"],
    ["null", "nothing"],
    ['"text"', "text"],
  ])("that holds %s is reported", (content) => {
    writeFileSync("a.json", content);
    expect(messageFor({}, "a.json")).toBe("a.json must contain a JSON object");
  });

  test.each([
    ['{\n  "port": 8080,\n  "issuer": x,\n  "host": tru\n}', "line 3 column 13"],
    ["{port: 1}", "line 1 column 2"],
    ['{"port": 1,\n}', "line 2 column 1"],
    ['{"port": 1', "line 1 column 11"],
    ['{"port": 1}\n\n}', "line 3 column 1"],
    ["", "line 1 column 1"],
    ["x", "line 1 column 1"],
  ])("that is no JSON is reported with line and column: %j", (content, place) => {
    writeFileSync("a.json", content);
    const words = new RegExp(`^a\\.json is not JSON: [A-Z].*, ${place}$`);
    expect(messageFor({}, "a.json")).toMatch(words);
  });

  test.each([
    '{"secret": hunter2}',
    '{"secret": "x" hunter2}',
    "hunter2",
    "undefined",
    '{"secret": "x\nhunter2"',
  ])("that is no JSON is reported without its content: %j", (content) => {
    writeFileSync("a.json", content);
    const words = messageFor({}, "a.json");
    expect(words).toMatch(/^a\.json is not JSON: /);
    expect(words).not.toMatch(/hunter|secret|undefined|position/);
  });
});

describe("a file that holds one value", () => {
  it("that cannot be read is reported with the reason, and not as a missing value", () => {
    const name = "DOMAIN_SIGNIN_ISSUER_FILE";
    expect(messageFor({ [name]: "absent" })).toBe(`${name}: cannot read absent: no such file`);
  });

  it("together with the value itself is a mistake", () => {
    writeFileSync("port", "81");
    const both = { DOMAIN_SIGNIN_PORT: "80", DOMAIN_SIGNIN_PORT_FILE: "port" };
    const issuer = { DOMAIN_SIGNIN_ISSUER: "https://auth.example.com" };
    const words = "DOMAIN_SIGNIN_PORT and DOMAIN_SIGNIN_PORT_FILE are both set; remove one";
    expect(messageFor({ ...issuer, ...both })).toBe(words);
    const { DOMAIN_SIGNIN_PORT: port, ...file } = both;
    expect(messageFor({ ...issuer, ...file, DOMAIN_SIGNIN_PORT: port })).toBe(words);
  });
});
