// `keys list` and `keys rotate` as an operator runs them, with every mistake.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clockFrom } from "../../src/lib/clock.ts";
import { createService } from "../../src/service.ts";
import { openSqlite } from "../../src/store/sqlite.ts";
import { command } from "../support/command.ts";
import { noteSecret } from "../support/log-run.ts";
import { makeTestKey } from "../support/test-keys.ts";

const SECRET = "a secret for these keys, and for nothing else";
const NEW_SECRET = "a later secret for these keys, and for nothing else";
const DAY = 86_400;

let folder = "";
beforeAll(async () => {
  for (const secret of [SECRET, NEW_SECRET]) noteSecret("operator's secret", secret);
  folder = await mkdtemp(join(tmpdir(), "domain-signin-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const keys = (args: string[], env: Record<string, string> = {}) =>
  command(["keys", ...args], { folder, env });
const withSecret = { DOMAIN_SIGNIN_SECRET: SECRET };
const refused = (stderr: unknown) => ({ status: 1, stdout: "", stderr });

/** A start of the service at a time, which leaves the keys that it makes. */
async function start(secret: string, time: number, previousSecret?: string): Promise<void> {
  const service = createService(
    {
      ...{ issuer: "http://localhost:9", database: `sqlite:${join(folder, "domain-signin.db")}` },
      ...{ secret, previousSecret, dnsServers: ["127.0.0.1:9"], minAssurance: "single" },
      allowedSpecialNames: [],
    },
    { clock: clockFrom(() => time * 1000), makeKey: makeTestKey },
  );
  await service.ready();
  await service.close();
}

test("where there is no database, that is said with status 2, and none is made", async () => {
  for (const verb of ["list", "rotate"]) {
    const { status, stdout, stderr } = await keys([verb], withSecret);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(`there is no database ${join(folder, "domain-signin.db")}: `);
  }
});

test("before the first start there are no keys, and nothing to rotate", async () => {
  await command(["migrate"], { folder });
  expect(await keys(["list", "--json"])).toMatchObject({ status: 0, stdout: "[]\n" });
  expect((await keys(["list"])).stdout).toBe(
    "no keys in ./domain-signin.db: the service creates them on its first start\n",
  );
  expect(await keys(["rotate"], withSecret)).toEqual(
    refused("there is no key for es256 yet: the service creates it on its first start\n"),
  );
});

const PURPOSES = ["client-assertion", "eddsa", "es256", "grant-token", "owner-statement", "rs256"];
const first = { current_from: 0, published_until: null, state: "current", id: 1 };
const kid = expect.stringMatching(/^[\w-]{43}$/);

test("a list needs no secret, which adds the kid", async () => {
  await start(SECRET, Date.now() / 1000);
  const bare = await keys(["list", "--json"]);
  expect({ status: bare.status, stderr: bare.stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(bare.stdout)).toEqual(
    PURPOSES.map((purpose) => ({ ...first, purpose, kid: null })),
  );
  const { stdout } = await keys(["list", "--json"], withSecret);
  expect(JSON.parse(stdout)).toEqual(
    PURPOSES.map((purpose) => ({
      ...{ ...first, purpose },
      kid: purpose === "grant-token" ? null : kid,
    })),
  );
  expect((await keys(["list"], withSecret)).stdout).toMatch(
    /\nes256 {2}1 {2}current {2}current from the start {2}kid [\w-]{43}\ngrant-token {2}1 .* start\n/,
  );
});

test("a rotation adds the next key, and a second one is refused until that is current", async () => {
  const now = Math.floor(Date.now() / 1000);
  const { status, stdout } = await keys(["rotate", "--json"], withSecret);
  expect(status).toBe(0);
  const [current, next, ...more] = JSON.parse(stdout);
  expect(more).toEqual([]);
  const from = next.current_from;
  expect(from - now - DAY).toBeGreaterThanOrEqual(0);
  expect(from - now - DAY).toBeLessThan(60);
  expect([current, next]).toEqual([
    { ...first, purpose: "es256", kid, published_until: from + DAY },
    {
      ...{ purpose: "es256", id: 2, kid, state: "next" },
      current_from: from,
      published_until: null,
    },
  ]);
  expect(current.kid).not.toBe(next.kid);
  expect(await keys(["rotate", "--purpose", "es256", "--json"], withSecret)).toEqual(
    refused(expect.stringMatching(/^es256 already has a next key; .*\n$/)),
  );
  expect((await keys(["rotate", "--purpose", "grant-token"], withSecret)).stdout).toMatch(
    /^grant-token {2}1 {2}current .*\ngrant-token {2}2 {2}next {2}current from \d{4}-.*Z\nRunning /,
  );
});

test("a rotation of the key of owners' statements ends no key that a record may list", async () => {
  const args = ["rotate", "--purpose", "owner-statement", "--json"];
  const { status, stdout } = await keys(args, withSecret);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([
    { id: 1, kid, state: "current", published_until: null },
    { id: 2, kid, state: "next", published_until: null },
  ]);
});

test("the rotation of MAC keys that is one too many is refused with the reason", async () => {
  const engine = openSqlite(join(folder, "domain-signin.db"));
  await engine.execute("DELETE FROM keys WHERE id = 2", []);
  await start(SECRET, Date.now() / 1000);
  const { sealWith } = await import("../../src/keys/seal.ts");
  const { systemRandom } = await import("../../src/lib/random.ts");
  const sealed = sealWith(SECRET, systemRandom).close("grant-token/255", systemRandom(32));
  await engine.execute(
    "INSERT INTO keys (purpose, id, sealed, current_from) VALUES ('grant-token', 255, ?1, 1)",
    [sealed],
  );
  expect(await keys(["rotate", "--purpose", "grant-token"], withSecret)).toEqual(
    refused(expect.stringContaining("cannot be rotated again: all 255 key ids are used")),
  );
  await engine.execute("DELETE FROM keys WHERE id = 255", []);
  await engine.close();
});

test("a secret that is missing, wrong or too short is status 2, in words", async () => {
  const missing = await keys(["rotate"]);
  expect(missing).toMatchObject({ status: 2, stdout: "" });
  expect(missing.stderr).toMatch(/^the secret is missing: set DOMAIN_SIGNIN_SECRET or .*\n$/);
  for (const verb of ["list", "rotate"]) {
    const wrong = await keys([verb], { DOMAIN_SIGNIN_SECRET: NEW_SECRET });
    expect(wrong).toMatchObject({ status: 2, stdout: "" });
    expect(wrong.stderr).toContain("the secret does not open the keys");
    const short = await keys([verb], { ...withSecret, DOMAIN_SIGNIN_PREVIOUS_SECRET: "x" });
    expect(short).toMatchObject({ status: 2, stdout: "" });
    expect(short.stderr).toBe("previous_secret must have at least 32 characters\n");
  }
});

test("the previous secret opens the keys, and a start seals them with the new one", async () => {
  const both = { DOMAIN_SIGNIN_SECRET: NEW_SECRET, DOMAIN_SIGNIN_PREVIOUS_SECRET: SECRET };
  const before = await keys(["list", "--json"], withSecret);
  expect(await keys(["list", "--json"], both)).toEqual(before);
  await start(NEW_SECRET, Date.now() / 1000, SECRET);
  const alone = await keys(["list", "--json"], { DOMAIN_SIGNIN_SECRET: NEW_SECRET });
  expect(alone).toEqual(before);
  expect((await keys(["list"], withSecret)).status).toBe(2);
});

test.each([
  ["list", "--secret", SECRET],
  ["list", "--previous-secret", SECRET],
  ["rotate", "--purpose", "rs512"],
  ["remove"],
])("a use that there is not is status 2: %s %s", async (...args) => {
  const { status, stdout, stderr } = await keys(args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).not.toMatch(/\n +at /);
});

test("a database that does not answer is status 3", async () => {
  const nowhere = "postgres://user:a-secret-password@127.0.0.1:1/name";
  for (const verb of ["list", "rotate"]) {
    const { status, stderr } = await keys([verb, "--database", nowhere], withSecret);
    expect(status).toBe(3);
    expect(stderr).toContain("unavailable: cannot connect to the database");
  }
});

test("no private key is printed: neither its JWK member nor a row of what is sealed", async () => {
  const env = { DOMAIN_SIGNIN_SECRET: NEW_SECRET };
  const engine = openSqlite(join(folder, "domain-signin.db"));
  const rows = await engine.execute("SELECT sealed FROM keys", []);
  await engine.close();
  expect(rows.length).toBeGreaterThan(1);
  for (const args of [["list"], ["list", "--json"], ["rotate"]]) {
    const { status, stdout, stderr } = await keys(args, env);
    expect(status).toBe(0);
    expect(stdout).not.toMatch(/"d"|PRIVATE|sealed/);
    for (const { sealed } of rows) expect(stdout + stderr).not.toContain(String(sealed));
  }
});
