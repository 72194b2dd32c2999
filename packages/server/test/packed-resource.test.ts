// Keeps the packed middleware usable: alone with jose, for a strict compiler, and as its documents say.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installInto, linkInto, packInto } from "./support/packed.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "packed-resource-"));
  linkInto(folder, "jose");
  installInto(folder, packInto(folder, "packages/resource"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    ...{ cwd: folder, encoding: "utf8", timeout: 60_000 },
  });
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
}

/** With the strictest compiler that an API might have, and with the web's types or Node's. */
function compile(file: string, ...how: string[]) {
  const strict = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022"];
  return run(`${root}node_modules/typescript/bin/tsc`, ...strict, ...how, file);
}

test("it brings jose along and nothing else", () => {
  const packages = readdirSync(join(folder, "node_modules")).filter((name) => name[0] !== ".");
  expect(packages).toEqual(["domain-signin-resource", "jose"]);
});

test("it has the version of jose that the server has", () => {
  const read = (path: string) => JSON.parse(readFileSync(`${root}${path}/package.json`, "utf8"));
  const { dependencies } = read("packages/resource");
  expect(dependencies).toEqual({ jose: read("packages/server").dependencies.jose });
});

test("it exports two things, and its inside to nobody", () => {
  const names =
    'import * as it from "domain-signin-resource"; console.log(Object.keys(it).join());';
  writeFileSync(join(folder, "names.mjs"), names);
  expect(run("names.mjs").stdout).toBe("AccessTokenError,protectResource");
  writeFileSync(join(folder, "in.mjs"), 'import "domain-signin-resource/dist/gate.js";');
  expect(run("in.mjs").stderr).toContain("ERR_PACKAGE_PATH_NOT_EXPORTED");
});

test("it protects a handler of a program that a strict compiler accepts", () => {
  const program = `
    import { AccessTokenError, type AccessToken, protectResource } from "domain-signin-resource";
    const api = protectResource({
      issuer: "http://localhost:9", resource: "http://localhost:8/api", scopes: ["notes:read"],
    });
    const handler = api.fetch(
      (request, auth: AccessToken, count: number) => new Response(auth.domain + count + request.url),
      { scope: "notes:read" },
    );
    const answer: Response = await handler(new Request("http://localhost:8/api"), 7);
    console.log(answer.status, answer.headers.get("www-authenticate"));
    const refused = await api.verify("no token").catch((error: unknown) => error);
    if (refused instanceof AccessTokenError) console.log(refused.status, refused.code);
    // @ts-expect-error A misspelled option would be a check that is not made.
    api.hono({ scopes: "notes:read" });
    // @ts-expect-error There is no API without an identifier.
    void (() => protectResource({ issuer: "http://localhost:9" }));
  `;
  writeFileSync(join(folder, "api.ts"), program);
  expect(compile("api.ts", "--types", "")).toEqual({ status: 0, stdout: "", stderr: "" });
  const js = program.replace(/, type \w+|: AccessToken|: Response|: unknown|: number/g, "");
  writeFileSync(join(folder, "api.mjs"), js);
  const document = "http://localhost:8/.well-known/oauth-protected-resource/api";
  expect(run("api.mjs")).toEqual({
    status: 0,
    stdout: `401 Bearer resource_metadata="${document}", scope="notes:read"\n401 invalid_token`,
    stderr: "",
  });
});

test.each(["packages/resource/README.md", "docs/protect-an-api.md"])(
  "it does what the code in %s says, to a strict compiler",
  (file) => {
    const blocks = readFileSync(root + file, "utf8").matchAll(/^```js\n([\s\S]*?)^```$/gm);
    const programs = [...blocks].map(([, code = ""]) => code);
    expect(programs.join("")).toContain("protectResource(");
    for (const program of programs.filter((one) => !/from "(?:hono|express)/.test(one))) {
      writeFileSync(join(folder, "told.ts"), `${whatAnApiHas}${program}`);
      expect(compile("told.ts", "--types", "")).toEqual({ status: 0, stdout: "", stderr: "" });
    }
  },
);

/** The names that the code in the documents takes for known. */
const whatAnApiHas = "";
