// `sp add`, `sp list` and `sp remove` as an operator runs them, with every mistake.

import { readdir, readFile, writeFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { openSqlite } from "../../src/database/sqlite.ts";
import { readSpEntry } from "../../src/federation/sp-registry.ts";
import { sealWith } from "../../src/keys/seal.ts";
import { sha256, systemRandom } from "../../src/lib/random.ts";
import { command, complaints } from "../support/command.ts";
import { temporaryFolder } from "../support/folder.ts";
import { noteSecret } from "../support/log-run.ts";
import { startOnce } from "../support/service.ts";

const SECRET = "a secret for these entries, and for nothing else";
const SP_SECRET = "what the SP gave us: 7Uq2 +/= and a space";
const OWN = "https://auth.example.com";
const SP = "https://sp.example.org/tenant/v2.0";
const withSecret = { DOMAIN_SIGNIN_SECRET: SECRET, DOMAIN_SIGNIN_ISSUER: OWN };

const folder = temporaryFolder();
beforeAll(async () => {
  noteSecret("operator's secret", SECRET);
  noteSecret("client secret", SP_SECRET);
  await writeFile(folder.file("sp.secret"), `${SP_SECRET}\n`);
});

const sp = (args: string[], env: Record<string, string> = withSecret, input = "") =>
  command(["sp", ...args], { folder: folder.path, env, input });
const path = () => folder.file("domain-signin.db");
/** A start of the service, which leaves the keys that it makes. */
const start = (secrets: { secret: string; previousSecret?: string }) =>
  startOnce({ issuer: OWN, database: `sqlite:${path()}`, ...secrets });

async function rows(): Promise<readonly Record<string, unknown>[]> {
  const engine = openSqlite(path());
  const found = await engine.execute("SELECT * FROM sp_clients", []);
  await engine.close();
  return found;
}
/** What the secret of the service makes of the sealed secret of the SP. */
const opened = (row: Record<string, unknown> | undefined, by = SECRET) =>
  sealWith(by, systemRandom)
    .open(`sp-client/operator/${SP}`, String(row?.sealed_secret))
    ?.plain.toString();

test("where there is no database, that is said with status 2, and none is made", async () => {
  for (const args of [["add", SP, "--client-id", "us"], ["list"], ["remove", SP]]) {
    const { status, stdout, stderr } = await sp(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(`there is no database ${path()}: `);
  }
});

const listed = {
  ...{ issuer: SP, source: "operator", client_id: "us at the SP" },
  token_endpoint_auth_method: "client_secret_basic",
  allow: ["endpoints_elsewhere", "no_iss"],
  made_at: expect.any(Number),
};
const allow = ["--allow", "no_iss, endpoints_elsewhere"];
const added = ["add", SP, "--client-id", "us at the SP", ...allow, "--json"];

test("an entry tells where the SP has to send its answers, and keeps the secret sealed", async () => {
  await start({ secret: SECRET });
  const entered = await sp([...added, "--client-secret-file", "sp.secret"]);
  expect([entered.status, complaints(entered)]).toEqual([0, ""]);
  const redirect_uri = `${OWN}/federation/callback/${sha256(SP)}`;
  expect(JSON.parse(entered.stdout)).toEqual({ ...listed, redirect_uri });
  const [row] = await rows();
  expect(opened(row)).toBe(SP_SECRET);
});

test("the secret is in no output, and in no file of the database", async () => {
  const said = [await sp(["list"]), await sp(["list", "--json"])];
  expect(JSON.parse(said[1]?.stdout ?? "")).toEqual([listed]);
  expect(said[0]?.stdout).toBe(`${SP}  operator  us at the SP  endpoints_elsewhere,no_iss\n`);
  // Another connection may go only when its statements are collected, and -wal and -shm with it. Ours keeps them.
  const held = openSqlite(path());
  await held.execute("SELECT * FROM sp_clients", []);
  const files = (await readdir(folder.path)).filter((name) => name.startsWith("domain-signin.db"));
  const read = files.map((name) => readFile(folder.file(name), "latin1"));
  const database = (await Promise.all(read)).join("");
  await held.close();
  expect(database).toContain("us at the SP");
  for (const text of [database, ...said.map(({ stdout, stderr }) => stdout + stderr)]) {
    for (const form of [SP_SECRET, Buffer.from(SP_SECRET).toString("base64url")]) {
      expect(text).not.toContain(form);
    }
  }
});

test("a secret comes from the input too, and a later entry stands in the place of the former", async () => {
  const post = ["--token-endpoint-auth-method", "client_secret_post"];
  const args = ["add", SP, "--client-id", "us again", ...post, "--client-secret-file", "-"];
  const { status, stdout } = await sp(args, withSecret, `${SP_SECRET}\n`);
  expect(status).toBe(0);
  expect(stdout).toContain("token_endpoint_auth_method: client_secret_post\nallow: nothing\n");
  expect(stdout).not.toContain(SP_SECRET);
  expect((await rows()).map(({ client_id }) => client_id)).toEqual(["us again"]);
});

test("a client without a secret needs none of ours; one with a secret needs the right one", async () => {
  const env = { DOMAIN_SIGNIN_ISSUER: OWN };
  const byKey = ["--client-id", "us", "--token-endpoint-auth-method", "private_key_jwt"];
  expect(await sp(["add", "https://key.example.org", ...byKey], env)).toMatchObject({ status: 0 });
  const secret = ["--client-id", "us", "--client-secret-file", "sp.secret"];
  const missing = await sp(["add", "https://other.example.org", ...secret], env);
  expect(missing).toMatchObject({ status: 2, stdout: "" });
  expect(missing.stderr).toMatch(
    /^the secret that encrypts the client secret is missing: .*DOMAIN_SIGNIN_SECRET/,
  );
  const another = { ...env, DOMAIN_SIGNIN_SECRET: `another ${SECRET}` };
  const wrong = await sp(["add", "https://other.example.org", ...secret], another);
  expect(wrong).toMatchObject({ status: 2, stdout: "" });
  expect(wrong.stderr).toContain("the secret does not open the keys");
  expect(await rows()).toHaveLength(2);
});

test("a start with a new secret seals anew what the former one sealed", async () => {
  const secret = `a later ${SECRET}`;
  noteSecret("operator's secret", secret);
  await start({ secret, previousSecret: SECRET });
  const row = (await rows()).find(({ issuer }) => issuer === SP);
  expect([opened(row, secret), opened(row)]).toEqual([SP_SECRET, undefined]);
  expect(await rows()).toHaveLength(2);
});

test("an SP is forgotten once; one that is not known is a negative answer", async () => {
  const removed = await sp(["remove", "https://key.example.org", "--json"]);
  expect(removed.status).toBe(0);
  const issuer = "https://key.example.org";
  expect(JSON.parse(removed.stdout)).toEqual({ issuer, removed: ["operator"] });
  expect(await sp(["remove", "https://key.example.org"])).toEqual({
    ...{ status: 1, stdout: "", stderr: 'no registration at "https://key.example.org"\n' },
  });
});

test("every mistake of an entry and of the settings is told at once", async () => {
  const bad = await sp(
    [
      ...["add", "http://sp.example.org", "--token-endpoint-auth-method", "basic"],
      ...["--allow", "no_iss,no_tls", "--client-secret-file", "nowhere"],
    ],
    { DOMAIN_SIGNIN_ISSUER: "auth.example.com", DOMAIN_SIGNIN_SECRET: "x" },
  );
  expect(bad).toMatchObject({ status: 2, stdout: "" });
  for (const told of [
    ...[
      "issuer must be",
      "secret must have",
      "must begin with https://",
      "client_id (--client-id)",
    ],
    ...["token_endpoint_auth_method (", "not no_tls", "cannot read nowhere"],
  ]) {
    expect(bad.stderr).toContain(told);
  }
});

test.each([
  ["https://sp.example.org:8443", OWN, "must not have a port"],
  ["http://localhost:41001", OWN, "must begin with https://"],
  ["https://sp.example.org/?a=b", OWN, "must not have a query"],
  ["https://sp.example.org; x=y", OWN, "invalid issuer"],
  ["none", OWN, "invalid issuer"],
  [OWN, OWN, "is the issuer of this service"],
])("%s is no SP beside %s: %s", (issuer, own, why) => {
  const input = { issuer, client_id: "us", client_secret: null, allow: [] };
  expect(() => readSpEntry(input, own)).toThrow(why);
  expect(readSpEntry({ ...input, issuer: SP }, own)).toMatchObject({ issuer: SP });
});

test("a secret fits its method: one too many and one too few are refused", async () => {
  const named = ["add", SP, "--client-id", "us", "--token-endpoint-auth-method"];
  const few = await sp([...named, "client_secret_post"]);
  const missing = expect.stringContaining("requires a client secret");
  expect([few.status, few.stderr]).toEqual([2, missing]);
  const many = await sp([...named, "none", "--client-secret-file", "sp.secret"]);
  const unused = expect.stringContaining("does not use a client secret");
  expect([many.status, many.stderr]).toEqual([2, unused]);
  // Other processes read flags.
  expect((await sp([...named, "none", "--client-secret", "x"])).status).toBe(2);
});
