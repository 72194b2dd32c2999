// Tests of the secret file: creation, permissions, and errors.

import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { inNewFolder } from "../../test/support/new-folder.ts";
import { OperatorError } from "../lib/errors.ts";
import { readServeConfig, readSettings } from "./config.ts";
import { makeSecretFile } from "./secret-file.ts";

const issuer = "https://auth.example.com";
const secret = "a secret that is long enough for this";

inNewFolder();

describe("the secret file of a first start", () => {
  const fresh = { flags: {}, env: { DOMAIN_SIGNIN_ISSUER: issuer } };
  const path = "domain-signin.secret";

  it("is made once, for its owner alone, with 256 random bits, and used from then on", () => {
    expect(readServeConfig(fresh).secret).toBeNull();
    const made = makeSecretFile();
    expect(Buffer.from(made, "base64url")).toHaveLength(32);
    expect(readFileSync(path, "utf8").trim()).toBe(made);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect([readServeConfig(fresh).secret, makeSecretFile()]).toEqual([made, made]);
    rmSync(path);
    expect(makeSecretFile()).not.toBe(made);
  });

  it("is the same from a variable and from a file, without surrounding whitespace", () => {
    writeFileSync("given", `${secret}\n`);
    for (const name of ["DOMAIN_SIGNIN_SECRET", "DOMAIN_SIGNIN_SECRET_FILE"]) {
      const value = name.endsWith("FILE") ? "given" : ` ${secret}\n`;
      const env = { DOMAIN_SIGNIN_ISSUER: issuer, [name]: value };
      expect(readServeConfig({ flags: {}, env }).secret).toBe(secret);
    }
  });

  it("is not asked for by a command that needs none, wherever it should be", () => {
    const env = { DOMAIN_SIGNIN_SECRET_FILE: "nowhere" };
    expect(readSettings({ flags: {}, env }, ["port"])).toEqual({ port: 8080 });
  });

  it("is not made where a secret is given, nor by a command that needs none", () => {
    readServeConfig({ flags: {}, env: { ...fresh.env, DOMAIN_SIGNIN_SECRET: secret } });
    const database = "sqlite:./domain-signin.db";
    expect(readSettings({ flags: {}, env: {} }, ["database"])).toEqual({ database });
    expect(existsSync(path)).toBe(false);
  });

  it("is never overwritten: one that is too short is reported, and not changed", () => {
    writeFileSync(path, "short");
    expect(() => readServeConfig(fresh)).toThrow(OperatorError);
    expect(() => readServeConfig(fresh)).toThrow(path);
    expect(readFileSync(path, "utf8")).toBe("short");
  });

  it("that cannot be read is reported without a stack trace", () => {
    mkdirSync(path);
    expect(() => readServeConfig(fresh)).toThrow(OperatorError);
    expect(() => readServeConfig(fresh)).toThrow(path);
  });
});
