// What the command line says of itself, of its defaults, and of a folder that is not the service's.

import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SETTINGS, type Setting } from "../../src/config/settings.ts";
import { command } from "../support/command.ts";
import { temporaryFolder } from "../support/folder.ts";
import { noteSecret } from "../support/log-run.ts";

const APP = ["--name", "App", "--redirect-uri", "https://app.example.org/callback"];

const folder = temporaryFolder();

/** In a folder of this name. */
async function inFolder(name: string, ...args: string[]) {
  const path = folder.file(name);
  await mkdir(path, { recursive: true });
  const result = await command(args, { folder: path });
  const [, secret] = /client_secret\W+(dss_[\w-]+)/.exec(result.stdout) ?? [];
  if (secret !== undefined) noteSecret("client secret", secret);
  return { ...result, path, files: (await readdir(path)).sort() };
}

/** By option, in one line each. */
async function helpOf(...words: string[]): Promise<Map<string, string>> {
  const { status, stdout } = await inFolder("help", ...words, "--help");
  expect(status).toBe(0);
  const flat = stdout.replace(/\n {10,}/g, " ");
  return new Map(
    [...flat.matchAll(/^ +(--[\w-]+)(.*)$/gm)].map(([, name, told]) => [`${name}`, `${told}`]),
  );
}

describe("the command", () => {
  test("tells the version of its package", async () => {
    const file = new URL("../../package.json", import.meta.url);
    const { version } = JSON.parse(await readFile(file, "utf8"));
    const { status, stdout, stderr } = await inFolder("help", "--version");
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("tells in serve --help what stands in for each setting", async () => {
    const help = await helpOf("serve");
    const settings: [string, Setting][] = Object.entries(SETTINGS);
    for (const [key, { fallback, without, isSecret }] of settings) {
      if (isSecret) continue;
      const empty = Array.isArray(fallback) && fallback.length === 0;
      const value = empty ? "none" : String(fallback ?? without);
      const told = key === "issuer" ? "no default" : `default: ${value}`;
      expect(help.get(`--${key.replaceAll("_", "-")}`)).toContain(`; ${told})`);
    }
  });

  test.each([
    [["demo"]],
    [["demo", "--help"]],
    [["demo", "--json", "--exit"]],
    [["demo", "anything", "--nonsense"]],
  ])("says for %j where the demo went, with status 2", async (args) => {
    expect(await inFolder("demo", ...args)).toMatchObject({
      ...{ status: 2, stdout: "", files: [] },
      stderr: "The demo is now a separate package: run npx domain-signin-demo\n",
    });
  });

  test("tells in clients add --help what a client is that is given nothing", async () => {
    const help = await helpOf("clients", "add");
    const { stdout } = await inFolder("defaults", "clients", "add", ...APP, "--json");
    const { client_id, client_secret, name, redirect_uris, type, ...others } = JSON.parse(stdout);
    noteSecret("client secret", client_secret);
    const { post_logout_redirect_uris, backchannel_logout_uri, default_scope, ...defaults } =
      others;
    const empty = [post_logout_redirect_uris, backchannel_logout_uri, default_scope];
    expect(empty).toEqual([[], "", ""]);
    expect(Object.keys(defaults).length).toBeGreaterThan(8);
    for (const [key, value] of Object.entries(defaults)) {
      const told = new RegExp(`\\(default: ${value}[);]`);
      expect(help.get(`--${key.replaceAll("_", "-")}`)).toMatch(told);
    }
    // A change has none: what is not given stays.
    const ofChange = [...(await helpOf("clients", "update")).values()].join();
    expect(ofChange).not.toMatch(/default: (web|30)/);
  });
});

describe("a wrong use is status 2, with a hint at --help and no stack", () => {
  test.each([
    ["nothing at all", [], /^Usage: domain-signin \[options\] \[command\]\n/],
    ["an unknown command", ["nonsense"], /^error: unknown command 'nonsense'\nTry --help\.\n$/],
    ["a group without its command", ["keys"], /^Usage: domain-signin keys /],
    ["a command of no group", ["clients", "nonsense"], /^error: unknown command 'nonsense'\n/],
    ["an argument too many", ["migrate", "now"], /^error: too many arguments for 'migrate'/],
    ["an argument too few", ["check-sp"], /^error: missing required argument 'issuer'\n/],
    [
      "an option without its value",
      ["serve", "--port"],
      /^error: option '--port <value>' argument/,
    ],
    [
      "an unknown option",
      ["migrate", "--nonsense"],
      /^error: unknown option '--nonsense'\nTry --help/,
    ],
  ])("%s", async (_, args, words) => {
    const { status, stdout, stderr } = await inFolder("wrong use", ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/\n +at /);
  });
});

describe("in a folder without a database", () => {
  test.each([
    ["list"],
    ["show", "dsid_x"],
    ["update", "dsid_x", "--name", "x"],
    ["rotate-secret", "dsid_x"],
    ["remove", "dsid_x"],
  ])("clients %s says which file is not there, and makes none", async (...args) => {
    const { status, stdout, stderr, path, files } = await inFolder("wrong", "clients", ...args);
    expect({ status, stdout, files }).toEqual({ status: 2, stdout: "", files: [] });
    expect(stderr).toContain(`there is no database ${join(path, "domain-signin.db")}: `);
    expect(stderr).toContain("--database");
  });

  test("clients add makes one, and says which; an empty one is told as empty", async () => {
    const added = await inFolder("new", "clients", "add", ...APP);
    const files = expect.arrayContaining(["domain-signin.db"]);
    expect(added).toMatchObject({ status: 0, files });
    expect(added.stdout).toMatch(/\nregistered in \.\/domain-signin\.db\n/);
    const [, id = ""] = /^client_id: (\S+)$/m.exec(added.stdout) ?? [];
    expect((await inFolder("new", "clients", "remove", id)).status).toBe(0);
    const listed = await inFolder("new", "clients", "list");
    const how = "to add one, see: domain-signin clients add --help\n";
    expect(listed.stdout).toBe(`no clients in ./domain-signin.db; ${how}`);
  });

  test("a secret that is rotated tells in words when the old one ends", async () => {
    const added = await inFolder("new", "clients", "add", ...APP);
    const [, id = ""] = /^client_id: (\S+)$/m.exec(added.stdout) ?? [];
    const { stdout } = await inFolder("new", "clients", "rotate-secret", id, "--overlap", "1");
    const [, end = ""] = /^former_secret_expires_at: (\S+)$/m.exec(stdout) ?? [];
    expect(end).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Math.abs(Date.parse(end) - Date.now() - 3_600_000)).toBeLessThan(60_000);
  });
});

describe("a password on the command line", () => {
  const word = `hunter${"2".repeat(20)}`;
  const database = `postgres://me:${word}@127.0.0.1:1/nothing`;

  test.each([
    ["clients", "list"],
    ["serve", "--issuer", "https://auth.example.com", "--port", "0"],
  ])(
    "is warned of once by %s, which names what to use instead, and is not repeated",
    async (...args) => {
      noteSecret("password of the database", word);
      const { stdout, stderr } = await inFolder("password", ...args, "--database", database);
      const warnings = stderr.split("\n").filter((line) => line.includes("password in arguments"));
      const hint = expect.stringMatching(/DOMAIN_SIGNIN_DATABASE_FILE/);
      const warning = { level: "warn", option: "--database", hint };
      expect(warnings.map((line) => JSON.parse(line))).toMatchObject([warning]);
      expect(stdout + stderr).not.toContain(word);
    },
  );

  test("in the environment is none", async () => {
    const env = { DOMAIN_SIGNIN_DATABASE: database };
    const { stderr } = await command(["clients", "list"], { folder: folder.path, env });
    expect(stderr).toMatch(/^unavailable: /);
  });
});

describe("a mistake on the command line", () => {
  const revoke = ["grants", "revoke", "alice.com", "--database", "sqlite:::memory:"];
  test.each<[culprit: string, ...args: string[]]>([
    ["issuer", "serve"],
    ["issuer", "serve", "--issuer", "http://auth.example.com"],
    ["port", "serve", "--issuer", "https://auth.example.com", "--port", "70000"],
    ["hsts", "serve", "--issuer", "https://auth.example.com", "--hsts", "yes"],
    [
      "security_contact",
      "serve",
      "--issuer",
      "https://auth.example.com",
      "--security-contact",
      "x",
    ],
    ["trusted_proxies", "serve", "--issuer", "https://auth.example.com", "--trusted-proxies", "x"],
    ["--colour", "serve", "--colour", "red"],
    ["database", "clients", "list", "--database", "mysql://x"],
    ["--type", "clients", "add", ...APP, "--type", "x"],
    ["--consent", "clients", "add", ...APP, "--consent", "x"],
    ["--refresh-idle-lifetime", "clients", "add", ...APP, "--refresh-idle-lifetime", "x"],
    [
      "--redirect-uri",
      ...["clients", "add", "--name", "App"],
      "--redirect-uri",
      "https://*.example.org/",
    ],
    ["--overlap", "clients", "rotate-secret", "x", "--overlap", "1.5"],
    ["--limit", "accounts", "list", "--limit", "0"],
    ["--client", ...revoke],
    ["--issuer", "check", "alice.com", "--sub", "x"],
    ["--sub", "check", "alice.com", "--issuer", "https://sp.example.org", "--sub", "é"],
    ["--to", "move", "--from", "sqlite:x"],
    ["--from", "move", "--to", "postgres://db.example.com/x"],
    ["-x", "check-sp", "-x"],
  ])("names %s: %s", async (culprit, ...args) => {
    const { status, stdout, stderr } = await inFolder("mistakes", ...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(culprit);
  });
});
