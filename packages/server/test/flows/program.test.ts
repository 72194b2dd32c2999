// The real program, started once per command: its status, its two outputs and its end.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openSqlite } from "../../src/database/sqlite.ts";
import { sealWith } from "../../src/keys/seal.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { complaints } from "../support/command.ts";
import { fixture } from "../support/fixture.ts";
import { temporaryFolder } from "../support/folder.ts";
import { noteSecret } from "../support/log-run.ts";
import { programTest, programTests } from "../support/program-test.ts";
import { startRootedZone } from "../support/rooted-zone.ts";
import { domainSignin, SERVED, serve } from "../support/serve.ts";

const APP = ["--name", "App", "--redirect-uri", "https://app.example.org/callback"];
/** An idle connection would keep the service for two seconds. */
const ALONE = { connection: "close" };
const SP_SECRET = "what the SP gave us, which comes from the input";

noteSecret("client secret", SP_SECRET);
const empty = temporaryFolder();
const zone = fixture(() => startRootedZone(["alice.test"]));
const at = fixture(() => serve(zone));

/** In the folder of the running service, with its settings. */
function program(args: readonly string[], options: { input?: string; cwd?: string } = {}) {
  const env = { ...SERVED, ...zone.env, DOMAIN_SIGNIN_ISSUER: at.issuer };
  return domainSignin(args, { cwd: at.folder, env, ...options });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** What the first start of the service made. */
async function secretOfFolder(): Promise<string> {
  return (await readFile(join(at.folder, "domain-signin.secret"), "utf8")).trim();
}

programTest(
  "clients add makes a database in an empty folder, and leaves no other file",
  async () => {
    const added = await program(["clients", "add", "--public", ...APP], { cwd: empty.path });
    const { stdout } = added;
    expect([added.status, complaints(added)]).toEqual([0, ""]);
    expect(JSON.parse(added.stderr)).toMatchObject({ command: "clients add" });
    expect(stdout).toMatch(/\nregistered in \.\/domain-signin\.db\n/);
    expect(await readdir(empty.path)).toEqual(["domain-signin.db"]);
  },
);

programTest("sp add reads a secret from standard input", async () => {
  const entry = ["https://sp.example.org", "--client-id", "us", "--client-secret-file", "-"];
  const added = await program(["sp", "add", ...entry], { input: `${SP_SECRET}\n` });
  const { stdout } = added;
  expect([added.status, complaints(added)]).toEqual([0, ""]);
  expect(stdout).toContain("token_endpoint_auth_method: client_secret_basic\n");
  expect(stdout).not.toContain(SP_SECRET);
});

programTests("standard output has the answer, and standard error is empty", () => {
  programTest.each([
    ["clients list", 0, /^no clients in \.\/domain-signin\.db; /],
    ["sp list", 0, /^https:\/\/sp\.example\.org {2}operator {2}us\n$/],
    ["keys list", 0, /^es256 {2}1 {2}current {2}current from the start {2}kid [\w-]{43}$/m],
    ["migrate", 0, /^the database has schema \d+\n$/],
    ["check-sp ISSUER --json", 0, /^\{"issuer":"http:.*"problem":null\}\n$/],
    [
      "check alice.test --min-assurance single --dns-servers DNS",
      1,
      /^alice\.test has no sign-in record yet\.\n\n_domain-signin\.alice\.test TXT: absent, /,
    ],
  ] as const)("%s ends with status %d", async (line, status, answer) => {
    const values: Record<string, string> = { ISSUER: at.issuer, DNS: zone.address };
    const result = await program(line.split(" ").map((word) => values[word] ?? word));
    expect(result).toEqual({ status, stdout: expect.stringMatching(answer), stderr: "" });
  });
});

programTests("standard error has the error, and standard output is empty", () => {
  programTest.each([
    ["a missing argument", "clients show", 2, /^error: missing required argument 'client_id'\n/],
    [
      "a database that does not answer",
      "migrate --database postgres://user@127.0.0.1:1/name",
      3,
      /^unavailable: cannot connect to the database/,
    ],
  ] as const)("%s (%s) ends with status %d", async (_, line, status, words) => {
    const result = await program(line.split(" "));
    expect(result).toEqual({ status, stdout: "", stderr: expect.stringMatching(words) });
  });

  programTest("an unexpected error prints its stack and ends with status 1", async () => {
    const broken = "process.stdout.write = () => { throw new TypeError('not expected'); };";
    const preload = `--import=data:text/javascript,${encodeURIComponent(broken)}`;
    const env = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} ${preload}` };
    const { status, stdout, stderr } = await domainSignin(["clients", "list"], {
      cwd: at.folder,
      env,
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/TypeError: not expected\n +at /);
  });
});

programTests("without a library for SQLite", () => {
  const file = fileURLToPath(new URL("../support/hide-sqlite.cjs", import.meta.url));
  const env = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --require=${file}` };
  const missing = expect.stringMatching(/^Node \S+ needs the package libsql .+`npm i libsql`.+\n$/);

  programTest.each([
    ["serve --issuer http://localhost:8080 --port 0", "an empty folder"],
    ["clients add --name App --redirect-uri https://app.example/cb", "an empty folder"],
    ["clients list", "the folder of a service"],
    ["verify", "the folder of a service"],
    ["backup copy.db", "the folder of a service"],
    ["clock show", "the folder of a service"],
  ])("%s in %s says what to install, and changes no file", async (line, where) => {
    const cwd = where === "an empty folder" ? empty.path : at.folder;
    const before = await readdir(cwd);
    const resolvers = ["--dns-servers", "127.0.0.1:9", "--min-assurance", "single"];
    const args = [...line.split(" "), ...(line.startsWith("serve") ? resolvers : [])];
    const result = await domainSignin(args, { cwd, env });
    expect(result).toEqual({ status: 2, stdout: "", stderr: missing });
    expect(await readdir(cwd)).toEqual(before);
  });

  programTest("PostgreSQL needs none", async () => {
    const database = ["--database", "postgres://user@127.0.0.1:1/name"];
    const { stderr } = await domainSignin(["migrate", ...database], { cwd: empty.path, env });
    expect(stderr).toMatch(/^unavailable: cannot connect to the database/);
  });
});

test("serve answers on standard output and logs on standard error, until SIGTERM ends it with 0", async () => {
  expect((await fetch(`${at.issuer}/livez`, { headers: ALONE })).status).toBe(200);
  expect(await at.stop()).toBe(0);
  const { stdout, stderr } = at.output();
  const port = Number(new URL(at.issuer).port);
  expect(JSON.parse(stdout)).toEqual({ issuer: at.issuer, port, pid: at.pid });
  const lines = stderr.trimEnd().split("\n");
  const messages = lines.map((line) => JSON.parse(line).msg);
  expect(messages).toEqual(expect.arrayContaining(["listening", "stopping", "stopped"]));
  expect(stderr).not.toContain(await secretOfFolder());
  expect(isRunning(at.pid)).toBe(false);
  await expect(fetch(`${at.issuer}/livez`, { headers: ALONE })).rejects.toThrow();
  const files = await readdir(at.folder);
  expect(files.sort()).toEqual(
    ["db", "db-lock", "mark", "secret"].map((extension) => `domain-signin.${extension}`),
  );
});

// Last, because a file of a database that this process opened stays open for a while.
programTest("sp add sealed the whole secret with the secret of the folder", async () => {
  const engine = openSqlite(join(at.folder, "domain-signin.db"));
  const [row] = await engine.execute("SELECT sealed_secret FROM sp_clients", []);
  await engine.close();
  const seal = sealWith(await secretOfFolder(), systemRandom);
  const opened = seal.open("sp-client/operator/https://sp.example.org", String(row?.sealed_secret));
  expect(opened?.plain.toString()).toBe(SP_SECRET);
});
