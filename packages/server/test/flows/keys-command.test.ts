// `keys list`, `keys rotate` and `keys revoke` as an operator runs them, with every mistake.

import { beforeAll, expect, test } from "vitest";
import type { SqlEngine } from "../../src/database/engine.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { createService } from "../../src/service.ts";
import { createStore } from "../../src/store/store.ts";
import { command, complaints, refused } from "../support/command.ts";
import { noteSecret } from "../support/log-run.ts";
import { withSqlite } from "../support/sqlite-file.ts";
import { liveAccount } from "../support/store-rows.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { makeTestKey } from "../support/test-keys.ts";

const SECRET = "a secret for these keys, and for nothing else";
const NEW_SECRET = "a later secret for these keys, and for nothing else";
const DAY = 86_400;

const folder = temporaryFolder();
beforeAll(() => {
  for (const secret of [SECRET, NEW_SECRET]) noteSecret("operator's secret", secret);
});

const withSecret = { DOMAIN_SIGNIN_SECRET: SECRET };
const keys = (args: string[], env: Record<string, string> = withSecret) =>
  command(["keys", ...args], { folder: folder.path, env });
const onDatabase = <T>(task: (engine: SqlEngine) => Promise<T>) =>
  withSqlite(folder.file("domain-signin.db"), task);

/** A start of the service at a time, which leaves the keys that it makes. */
async function start(secret: string, time: number, previousSecret?: string): Promise<void> {
  const service = createService(
    {
      ...{ issuer: "http://localhost:9", database: folder.database() },
      ...{ secret, previousSecret, dnsServers: ["127.0.0.1:9"], minAssurance: "single" },
      allowedSpecialNames: [],
    },
    { clock: clockFrom(() => time * 1000), makeKey: makeTestKey },
  );
  await service.ready();
  await service.close();
}

test("where there is no database, that is said with status 2, and none is made", async () => {
  for (const args of [["list"], ["rotate"], ["revoke", "a".repeat(43)]]) {
    expect(await keys(args)).toEqual(
      refused(
        expect.stringContaining(`there is no database ${folder.file("domain-signin.db")}: `),
        2,
      ),
    );
  }
});

test("before the first start there are no keys, and nothing to rotate", async () => {
  await command(["migrate"], { folder: folder.path });
  expect(await keys(["list", "--json"], {})).toMatchObject({ status: 0, stdout: "[]\n" });
  expect((await keys(["list"], {})).stdout).toBe(
    "no keys in ./domain-signin.db: the service creates them on its first start\n",
  );
  expect(await keys(["rotate"])).toEqual(
    refused("there is no key for es256 yet: the service creates it on its first start\n"),
  );
});

const first = { current_from: 0, published_until: null, state: "current", id: 1 };
const standby = { current_from: null, published_until: null, state: "standby", id: 2 };
/** What the first start makes, by purpose and id. */
const MADE = [
  { ...first, purpose: "client-assertion" },
  { ...first, purpose: "eddsa" },
  { ...first, purpose: "es256" },
  { ...first, purpose: "grant-token" },
  { ...first, purpose: "provider-statement" },
  { ...standby, purpose: "provider-statement" },
  { ...first, purpose: "rs256" },
];
const kid = expect.stringMatching(/^[\w-]{43}$/);

/** What the command prints when all is well. */
async function printed(...args: string[]): Promise<string> {
  const result = await keys(args);
  expect([result.status, complaints(result)]).toEqual([0, ""]);
  return result.stdout;
}
const json = async (...args: string[]) => JSON.parse(await printed(...args, "--json"));

async function listed(purpose: string, env?: Record<string, string>) {
  const { stdout } = await keys(["list", "--json"], env);
  const all: { purpose: string; id: number; kid: string; state: string }[] = JSON.parse(stdout);
  return all.filter((key) => key.purpose === purpose);
}

test("a list needs no secret, which adds the kid", async () => {
  await start(SECRET, Date.now() / 1000);
  const bare = await keys(["list", "--json"], {});
  expect({ status: bare.status, stderr: bare.stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(bare.stdout)).toEqual(MADE.map((key) => ({ ...key, kid: null })));
  expect(await json("list")).toEqual(
    MADE.map((key) => ({ ...key, kid: key.purpose === "grant-token" ? null : kid })),
  );
  const text = await printed("list");
  expect(text).toMatch(/\nprovider-statement {2}2 {2}standby {2}kid [\w-]{43}\n/);
  expect(text).toMatch(
    /\nes256 {2}1 {2}current {2}current from the start {2}kid [\w-]{43}\ngrant-token {2}1 .* start\n/,
  );
});

test("a rotation adds the next key, and a second one is refused until that is current", async () => {
  const now = Math.floor(Date.now() / 1000);
  const [current, next, ...more] = await json("rotate");
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
  expect(await keys(["rotate", "--purpose", "es256", "--json"])).toEqual(
    refused(expect.stringMatching(/^es256 already has a next key; .*\n$/)),
  );
  expect(await printed("rotate", "--purpose", "grant-token")).toMatch(
    /^grant-token {2}1 {2}current .*\ngrant-token {2}2 {2}next {2}current from \d{4}-.*Z\nRunning /,
  );
});

/** The keys of statements, current and standby. */
async function statementKeys(env?: Record<string, string>): Promise<readonly string[]> {
  const ring = await listed("provider-statement", env);
  return ["current", "standby"].flatMap((state) =>
    ring.flatMap((key) => (key.state === state ? key.kid : [])),
  );
}

/** An account here whose record, as last accepted, lists these keys. */
async function accountWith(domain: string, spk: string): Promise<void> {
  await onDatabase(async (engine) => {
    const store = createStore(engine);
    await liveAccount(store, { domain, now: 1 });
    const signature = { inception: 1, expiration: 2, checkedAt: 2 };
    await store.acceptedAnswers.noteAccepted({ domain, key: "k", spk, ...signature });
  });
}

test("the rotation of statement keys promotes the standby, and names records that do not list it", async () => {
  const [retired = "", promoted = ""] = await statementKeys();
  await accountWith("alice.test", `${retired},${promoted}`);
  await accountWith("bob.test", retired);
  const args = ["rotate", "--purpose", "provider-statement"];
  const rotated = await json(...args);
  const [current, next] = await statementKeys();
  expect(current).toBe(promoted);
  expect(rotated).toEqual({
    keys: [
      { ...first, purpose: "provider-statement", kid: retired, state: "retired" },
      {
        purpose: "provider-statement",
        id: 2,
        kid: promoted,
        state: "current",
        current_from: expect.any(Number),
        published_until: null,
      },
      { ...standby, purpose: "provider-statement", id: 3, kid: next },
    ],
    spk: `${current},${next}`,
    domains: ["bob.test"],
  });
  const again = await keys(args);
  expect(again).toEqual(refused(expect.stringContaining("was rotated less than a day ago")));
  expect(await statementKeys()).toEqual([current, next]);
});

test("a revocation ends a key at once, and names the records that list it, as often as it is asked", async () => {
  const [current = "", next = ""] = await statementKeys();
  const revoked = await printed("revoke", current);
  const [now, standing] = await statementKeys();
  expect(now).toBe(next);
  expect(revoked).toBe(
    `${current} is revoked. Running services apply the change within a minute.\n` +
      "Domains whose records list it (its holder can sign provider proofs for them):\n  alice.test\n" +
      `Their records should contain spk=${now},${standing}\n`,
  );
  expect(await json("revoke", current)).toEqual({
    kid: current,
    revoked: false,
    spk: `${now},${standing}`,
    domains: ["alice.test"],
  });
  expect(await printed("revoke", standing ?? "")).toMatch(
    /sign provider proofs for them\): none\n$/,
  );
});

test("a signing key ends by its kid, and a MAC key by its purpose and id, each once", async () => {
  const [signing] = await listed("es256");
  expect(await printed("revoke", signing?.kid ?? "")).toMatch(
    /^[\w-]{43} is revoked\. Running services apply the change within a minute\.\nes256 {2}2 {2}current {2}current from the start {2}kid [\w-]{43}\n$/,
  );
  expect(await listed("es256")).toMatchObject([{ id: 2, state: "current" }]);
  expect((await keys(["revoke", signing?.kid ?? ""])).status).toBe(1);

  // Its next key was added above, and ends first: the one that follows is new.
  for (const id of [2, 1]) {
    const ended = await json("revoke", `grant-token/${id}`);
    expect(ended).toMatchObject({ kid: null, purpose: "grant-token", id });
  }
  expect(await listed("grant-token")).toMatchObject([{ id: 3, state: "current" }]);
  expect(await keys(["revoke", "grant-token/1"])).toEqual(
    refused("there is no key grant-token/1 (see domain-signin keys list)\n"),
  );
  expect((await keys(["revoke", "grant-token/3"], {})).stderr).toMatch(/^the secret is missing/);
});

test("a day later the statement keys can be rotated again, and the text says what records should contain", async () => {
  const [, promoted] = await statementKeys();
  const past = "UPDATE keys SET current_from = current_from - ?1 WHERE purpose = ?2 AND id = 3";
  await onDatabase((engine) => engine.execute(past, [DAY, "provider-statement"]));
  const stdout = await printed("rotate", "--purpose", "provider-statement");
  const [current, next] = await statementKeys();
  expect(current).toBe(promoted);
  expect(stdout).toMatch(
    /^(provider-statement {2}[13] {2}retired .*\n){2}provider-statement {2}4 {2}current .*\nprovider-statement {2}5 {2}standby {2}kid .*\n/,
  );
  expect(stdout).toContain(
    "Running services apply the change within a minute.\n" +
      "Domains whose records do not list the new key (apps get no provider proof for them):\n" +
      `  alice.test\n  bob.test\nTheir records should contain spk=${current},${next}\n`,
  );
  expect(stdout).not.toMatch(/"d"|PRIVATE|sealed/);
});

test("a kid that is none is status 2, and one that nobody knows is status 1", async () => {
  for (const text of ["", "a", "a".repeat(44), `${"a".repeat(42)}%`]) {
    const { status, stderr } = await keys(["revoke", text]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("thumbprint of 43 characters")]);
  }
  // One in 64 begins with a hyphen, as an option does.
  for (const nobodys of ["a".repeat(43), `-h${"a".repeat(41)}`, `--${"a".repeat(41)}`]) {
    for (const args of [
      ["revoke", nobodys],
      ["revoke", nobodys, "--json"],
    ]) {
      expect(await keys(args)).toEqual(
        refused(`there is no statement key ${nobodys}, and no record lists it\n`),
      );
    }
  }
});

test("the rotation of MAC keys that is one too many is refused with the reason", async () => {
  const engine = openSqlite(folder.file("domain-signin.db"));
  await engine.execute("DELETE FROM keys WHERE id = 2 AND purpose <> 'provider-statement'", []);
  await start(SECRET, Date.now() / 1000);
  const { sealWith } = await import("../../src/keys/seal.ts");
  const { systemRandom } = await import("../../src/lib/random.ts");
  const sealed = sealWith(SECRET, systemRandom).close("grant-token/255", systemRandom(32));
  await engine.execute(
    "INSERT INTO keys (purpose, id, sealed, current_from) VALUES ('grant-token', 255, ?1, 1)",
    [sealed],
  );
  expect(await keys(["rotate", "--purpose", "grant-token"])).toEqual(
    refused(expect.stringContaining("cannot be rotated again: all 255 key ids are used")),
  );
  await engine.execute("DELETE FROM keys WHERE id = 255", []);
  await engine.close();
});

test("a secret that is missing, wrong or too short is status 2, in words", async () => {
  expect(await keys(["rotate"], {})).toEqual(
    refused(expect.stringMatching(/^the secret is missing: set DOMAIN_SIGNIN_SECRET or .*\n$/), 2),
  );
  for (const verb of ["list", "rotate"]) {
    expect(await keys([verb], { DOMAIN_SIGNIN_SECRET: NEW_SECRET })).toEqual(
      refused(expect.stringContaining("the secret does not open the keys"), 2),
    );
    expect(await keys([verb], { ...withSecret, DOMAIN_SIGNIN_PREVIOUS_SECRET: "x" })).toEqual(
      refused("previous_secret must have at least 32 characters\n", 2),
    );
  }
});

test("the previous secret opens the keys, and a start seals them with the new one", async () => {
  const both = { DOMAIN_SIGNIN_SECRET: NEW_SECRET, DOMAIN_SIGNIN_PREVIOUS_SECRET: SECRET };
  const before = await keys(["list", "--json"]);
  expect(await keys(["list", "--json"], both)).toEqual(before);
  await start(NEW_SECRET, Date.now() / 1000, SECRET);
  const alone = await keys(["list", "--json"], { DOMAIN_SIGNIN_SECRET: NEW_SECRET });
  expect(alone).toEqual(before);
  expect((await keys(["list"])).status).toBe(2);
});

test.each([
  ["list", "--secret", SECRET],
  ["list", "--previous-secret", SECRET],
  ["rotate", "--purpose", "rs512"],
  ["revoke"],
  ["remove"],
])("a use that there is not is status 2: %s %s", async (...args) => {
  expect(await keys(args, {})).toEqual(refused(expect.not.stringMatching(/\n +at /), 2));
});

test("a database that does not answer is status 3", async () => {
  const nowhere = "postgres://user:a-secret-password@127.0.0.1:1/name";
  for (const args of [["list"], ["rotate"], ["revoke", "a".repeat(43)]]) {
    const { status, stderr } = await keys([...args, "--database", nowhere]);
    expect(status).toBe(3);
    expect(stderr).toContain("unavailable: cannot connect to the database");
  }
});

test("no private key is printed: neither its JWK member nor a row of what is sealed", async () => {
  const env = { DOMAIN_SIGNIN_SECRET: NEW_SECRET };
  const rows = await onDatabase((engine) => engine.execute("SELECT sealed FROM keys", []));
  expect(rows.length).toBeGreaterThan(1);
  const [revoked = ""] = await statementKeys(env);
  for (const args of [["list"], ["list", "--json"], ["rotate"], ["revoke", revoked]]) {
    const { status, stdout, stderr } = await keys(args, env);
    expect(status).toBe(0);
    expect(stdout).not.toMatch(/"d"|PRIVATE|sealed/);
    for (const { sealed } of rows) expect(stdout + stderr).not.toContain(String(sealed));
  }
});
