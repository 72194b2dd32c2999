// `backup` and `restore` as an operator runs them, with every mistake.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MIGRATIONS, migrate } from "../../src/database/migrations.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { createStore } from "../../src/store/store.ts";
import { startNode } from "../history/node-process.ts";
import { hasVolumes, makeVolume } from "../history/volume.ts";
import { domainSignin, run } from "../support/serve.ts";
import { liveAccount } from "../support/store-rows.ts";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
let folder: string;
let path: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "domain-signin-backup-"));
  path = join(folder, "domain-signin.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const program = (...args: string[]) => domainSignin(args, { cwd: folder });
const files = () => readdirSync(folder).sort();

/** In a process of its own, since libsql closes a file later than it says. */
async function inProcess(sql: string, file = path): Promise<void> {
  const code = `new (require("libsql"))(process.argv[1]).exec(process.argv[2])`;
  const cwd = import.meta.dirname;
  const { status, stderr } = await run(process.execPath, ["-e", code, file, sql], { cwd });
  if (status !== 0) throw new Error(stderr);
}

const makeDatabase = () => program("migrate");
const addAccount = (id: string) =>
  inProcess(
    `INSERT INTO accounts (id, domain, sp, acct, created_at) VALUES ('${id}', '${id}.test', '', 'a', 1)`,
  );
/** So much that a copy takes a moment. */
const fill = (octets: number) =>
  inProcess(
    `INSERT INTO evidence (grant_id, expires_at, body) SELECT hex(randomblob(16)), 1, hex(randomblob(2000)) FROM generate_series(1, ${octets / 4000})`,
  );

/** Commits all the time, two rows in each transaction, until it is killed. */
async function startWriter(): Promise<ChildProcess> {
  const code = `
    const database = new (require("libsql"))(process.argv[1]);
    database.exec("PRAGMA busy_timeout = 5000");
    let n = 0;
    setInterval(() => {
      n++;
      database.exec("BEGIN IMMEDIATE; INSERT INTO facts VALUES ('one " + n + "', 'x');" +
        "INSERT INTO consents VALUES ('a', 'b', '" + n + "', 1); COMMIT");
      if (n === 10) console.log("writing");
    }, 2);`;
  const writer = spawn(process.execPath, ["-e", code, path], { cwd: import.meta.dirname });
  await once(writer.stdout, "data");
  return writer;
}

async function read(file: string, sql: string) {
  const copy = join(mkdtempSync(join(folder, "read-")), "copy.db");
  copyFileSync(file, copy);
  const engine = openSqlite(copy);
  const rows = await engine.execute(sql, []);
  await engine.close();
  return rows;
}

describe("backup", () => {
  test("under a writer that never pauses is whole, of one moment, and only its owner's", async () => {
    await makeDatabase();
    await fill(8e6);
    const writer = await startWriter();
    const { status, stdout } = await run(
      "sh",
      ["-c", `umask 022; exec "${process.execPath}" "${CLI}" backup copy.db --json`],
      { cwd: folder },
    );
    const isWriting = writer.exitCode === null;
    writer.kill("SIGKILL");
    await once(writer, "exit");
    expect([status, isWriting]).toEqual([0, true]);
    const { schema, rows } = JSON.parse(stdout);
    expect([schema, rows.consents >= 10]).toEqual([MIGRATIONS.length, true]);
    expect(statSync(join(folder, "copy.db")).mode & 0o777).toBe(0o600);
    const [found] = await read(
      join(folder, "copy.db"),
      "SELECT (SELECT count(*) FROM facts) AS facts, (SELECT count(*) FROM consents) AS consents",
    );
    expect(found).toEqual({ facts: rows.consents, consents: rows.consents });
  });

  test("of a database in use by an older version does not migrate it", async () => {
    const engine = openSqlite(path);
    await engine.migrate(() => MIGRATIONS.slice(0, 12));
    const { status, stdout } = await program("backup", "copy.db", "--json");
    expect([status, JSON.parse(stdout).schema]).toEqual([0, 12]);
    const version = "SELECT max(version) AS version FROM schema_version";
    expect(await engine.execute(version, [])).toEqual([{ version: 12 }]);
    await engine.close();
  });

  test("leaves a file that exists as it is, and refuses what it cannot copy", async () => {
    await makeDatabase();
    writeFileSync(join(folder, "there"), "mine");
    writeFileSync(join(folder, "junk.db"), "not a database, and longer than a header is".repeat(9));
    for (const [args, said] of [
      [["there"], "there exists already"],
      [["domain-signin.db"], "exists already"],
      [["nowhere/a.db"], "cannot create nowhere/a.db.partial"],
      [["a", "--database", "sqlite:nothing.db"], "there is no database"],
      [["a", "--database", "sqlite:junk.db"], "is damaged: file is not a database"],
      [["a", "--database", "postgres://u@127.0.0.1:1/d"], "with pg_dump or pg_basebackup"],
    ] as const) {
      const { status, stderr } = await program("backup", ...args);
      expect([args, status, stderr]).toEqual([args, 2, expect.stringContaining(said)]);
    }
    expect(readFileSync(join(folder, "there"), "utf8")).toBe("mine");
    expect(files()).toEqual(["domain-signin.db", "junk.db", "there"]);
  });

  test("that is killed leaves a partial file, which the next one replaces", async () => {
    await makeDatabase();
    await fill(3e7);
    const child = spawn(process.execPath, [CLI, "backup", "copy.db"], { cwd: folder });
    const seen = watch(folder, (_, name) => {
      if (name === "copy.db.partial") child.kill("SIGKILL");
    });
    await once(child, "exit");
    seen.close();
    expect(files()).toContain("copy.db.partial");
    expect(files()).not.toContain("copy.db");
    expect((await program("backup", "copy.db")).status).toBe(0);
    expect(files()).toEqual(["copy.db", "domain-signin.db"]);
  });

  test("onto a full disk says so with status 3, and leaves nothing", async (context) => {
    context.skip(!(await hasVolumes("a full disk")), "no volumes");
    await makeDatabase();
    await fill(4e6);
    const volume = await makeVolume(join(folder, "disk.img"));
    try {
      await run("sh", ["-c", "dd if=/dev/zero of=filler bs=1M; rm -f x"], { cwd: volume.folder });
      truncateSync(
        join(volume.folder, "filler"),
        statSync(join(volume.folder, "filler")).size - 1e6,
      );
      const to = join(volume.folder, "copy.db");
      const { status, stderr } = await program("backup", to);
      expect([status, stderr]).toEqual([3, expect.stringContaining("full")]);
      expect(readdirSync(volume.folder).sort()).toEqual(["filler", "lost+found"]);
    } finally {
      await volume.close();
    }
  });
});

describe("restore", () => {
  beforeEach(async () => {
    await makeDatabase();
    await addAccount("before");
    await program("backup", "copy.db");
    await addAccount("after");
  });
  const accounts = async (file: string) =>
    (await read(file, "SELECT id FROM accounts ORDER BY id")).map(({ id }) => id);

  test("puts the backup in the place of the database, which is kept", async () => {
    const { status, stdout } = await program("restore", "copy.db", "--json");
    expect(status).toBe(0);
    const { previous } = JSON.parse(stdout);
    expect(await accounts(path)).toEqual(["before"]);
    expect(await accounts(previous)).toEqual(["after", "before"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const rest = files().filter((name) => !/read-|mark|secret|before-restore/.test(name));
    expect(rest).toEqual(["copy.db", "domain-signin.db", "domain-signin.db-lock"]);
  });

  test("refuses what is no whole backup, and changes nothing", async () => {
    await inProcess(
      "PRAGMA journal_mode = DELETE; CREATE TABLE other (a)",
      join(folder, "other.db"),
    );
    writeFileSync(join(folder, "junk"), "not a database, and longer than a header is".repeat(9));
    copyFileSync(join(folder, "copy.db"), join(folder, "cut.db"));
    truncateSync(join(folder, "cut.db"), 20_480);
    copyFileSync(join(folder, "copy.db"), join(folder, "used.db"));
    writeFileSync(join(folder, "used.db-wal"), "");
    copyFileSync(join(folder, "copy.db"), join(folder, "newer.db"));
    await inProcess("INSERT INTO schema_version VALUES (999)", join(folder, "newer.db"));
    for (const [file, said] of [
      ["nowhere.db", "there is no file"],
      ["domain-signin.db", "is the database itself"],
      ["junk", "junk is damaged or cut short"],
      ["cut.db", "cut.db is damaged or cut short"],
      ["other.db", "other.db is not a database of domain-signin"],
      ["used.db", "used.db-wal is beside used.db"],
      ["newer.db", "schema 999 of a newer domain-signin"],
    ] as const) {
      const { status, stderr } = await program("restore", file);
      expect([file, status, stderr]).toEqual([file, 2, expect.stringContaining(said)]);
    }
    expect(await accounts(path)).toEqual(["after", "before"]);
    expect(files().filter((name) => /restor/.test(name))).toEqual([]);
  });

  test("moves a log that a killed process left, and refuses a database that is served", async () => {
    const writer = await startWriter();
    writer.kill("SIGKILL");
    await once(writer, "exit");
    expect(files()).toContain("domain-signin.db-wal");
    const { status, stdout } = await program("restore", "copy.db", "--json");
    expect([status, await accounts(path)]).toEqual([0, ["before"]]);
    const { previous } = JSON.parse(stdout);
    expect(existsSync(`${previous}-wal`)).toBe(true);
    const engine = openSqlite(previous);
    const written = await engine.execute("SELECT name FROM facts WHERE name LIKE 'one %'", []);
    expect(written.length).toBeGreaterThanOrEqual(10);
    await engine.close();
    const node = await startNode({ name: "served", database: `sqlite:${path}`, folder });
    try {
      const served = await program("restore", "copy.db");
      expect(served.status).toBe(3);
      expect(served.stderr).toContain(`another process serves the database ${path}`);
    } finally {
      await node.end("SIGKILL");
    }
    expect(existsSync(`${path}.restoring`)).toBe(false);
  });

  test("that is killed at any moment leaves the former or the restored database", async () => {
    await fill(2e7);
    await program("backup", "large.db");
    await addAccount("later");
    for (const moment of [".restoring", ".restoring-wal", ".before-restore"]) {
      const child = spawn(process.execPath, [CLI, "restore", "large.db"], { cwd: folder });
      const seen = watch(folder, (_, name) => {
        if (name?.startsWith(`domain-signin.db${moment}`)) child.kill("SIGKILL");
      });
      await once(child, "exit");
      seen.close();
      const former = "after,before,later";
      const possible = moment === ".before-restore" ? [former, "after,before"] : [former];
      expect(possible).toContain((await accounts(path)).join());
    }
    expect((await program("restore", "large.db")).status).toBe(0);
    expect(files().some((name) => name.includes("restoring"))).toBe(false);
  });
});

describe("verify", () => {
  test("names what is wrong with status 1, and a sound database with status 0", async () => {
    const engine = openSqlite(path);
    await migrate(engine);
    const store = createStore(engine);
    await liveAccount(store);
    expect((await program("verify")).stdout).toContain("is sound");
    await engine.execute("INSERT INTO consents VALUES ('nobody', 'app', 'openid', 0)", []);
    const { status, stdout } = await program("verify", "--json");
    expect(status).toBe(1);
    expect(JSON.parse(stdout).problems).toEqual([
      {
        problem: "rows of consents belong to an account that does not exist",
        ...{ count: 1, examples: ["nobody"] },
      },
    ]);
    await engine.close();
  });

  test("finds damage of the file itself, and a key that the secret does not open", async () => {
    await makeDatabase();
    await inProcess(
      "INSERT INTO keys VALUES ('grant-token', 1, 'AAAA', 0, 0); INSERT INTO facts VALUES ('issuer_host', 'x')",
    );
    const env = { DOMAIN_SIGNIN_SECRET: "a secret for tests, and for nothing else" };
    const sealed = await domainSignin(["verify"], { cwd: folder, env });
    expect([sealed.status, sealed.stdout]).toEqual([
      ...[1, "1 keys cannot be opened with the secret, such as grant-token 1\n"],
    ]);
    truncateSync(path, 20_480);
    const { status, stdout } = await program("verify");
    expect([status, stdout]).toEqual([1, expect.stringContaining("the file is damaged")]);
  });
});
