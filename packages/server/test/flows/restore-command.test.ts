// `backup` and `restore` in this process: what they keep, refuse and end. With kills: `slow/backup-command.test.ts`.

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { SqlEngine } from "../../src/database/engine.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { filesClosed } from "../support/closed-files.ts";
import { command } from "../support/command.ts";
import { temporaryFolder } from "../support/folder.ts";
import { withSqlite } from "../support/sqlite-file.ts";
import { redeemedGrant } from "../support/store-rows.ts";

const folder = temporaryFolder("test");
let path: string;
let copy: string;
let grantId: string;
beforeEach(async () => {
  path = folder.file("domain-signin.db");
  copy = folder.file("copy.db");
  await operate("migrate");
  grantId = await withStore(async (store) => (await redeemedGrant(store)).id);
});

/** As in a process of its own, which leaves no open files. */
async function operate(...args: string[]) {
  const result = await command(args, { folder: folder.path });
  await filesClosed();
  return result;
}

const withStore = <T>(task: (store: Store, engine: SqlEngine) => Promise<T>) =>
  withSqlite(path, (engine) => task(createStore(engine), engine));

const kept = () => readdirSync(folder.path).filter((name) => name.includes("before-restore"));

test("a backup is only its owner's, whatever the umask", async () => {
  const former = process.umask(0);
  try {
    expect((await operate("backup", copy)).status).toBe(0);
  } finally {
    process.umask(former);
  }
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder.path)).not.toContain("copy.db.partial");
});

test("a restore keeps the former database, and ends the grants of the backup", async () => {
  await operate("backup", copy);
  expect((await operate("restore", copy)).status).toBe(0);
  expect(kept()).toHaveLength(1);
  const found = await withStore((store) => store.grants.readGrant(grantId));
  expect(found?.grant.revokedAt).not.toBeNull();
});

test("a restore confirms no passkey of the backup on a machine whose clock is behind", async () => {
  // As the right clock dated it, an hour later than this machine.
  const later = Math.floor(Date.now() / 1000) + 3600;
  await withStore(async (_, { execute }) => {
    await execute("UPDATE time_floor SET seconds = ?1", [later]);
    await execute(
      `INSERT INTO passkeys (credential_id, account_id, user_handle, public_key, thumbprint,
         counter, backed_up, name, created_at)
       VALUES ('c', 'a', 'u', 'k', 't', 0, 0, 'n', ?1)`,
      [later - 60],
    );
  });
  await operate("backup", copy);
  expect((await operate("restore", copy)).status).toBe(0);
  expect(await withStore((store) => store.passkeys.findPasskey("c"))).toMatchObject({
    unconfirmed: 1,
  });
});

test("a restore moves what a killed process left beside the database, and the kept database still has it", async () => {
  await operate("backup", copy);
  addFactAndDie("last");
  expect(readdirSync(folder.path)).toContain("domain-signin.db-wal");
  const restored = await operate("restore", copy, "--json");
  expect(restored.status).toBe(0);
  const { previous } = JSON.parse(restored.stdout);
  const left = readdirSync(folder.path).filter((name) => /-(wal|shm|journal)$/.test(name));
  expect(left.sort()).toEqual([`${basename(previous)}-shm`, `${basename(previous)}-wal`]);
  const facts = "SELECT name FROM facts WHERE name = 'last'";
  expect(await withStore((_, { execute }) => execute(facts, []))).toEqual([]);
  expect(await withSqlite(previous, ({ execute }) => execute(facts, []))).toHaveLength(1);
});

test("a restore moves a log aside that is no log, and one whose database is gone", async () => {
  await operate("backup", copy);
  rmSync(path);
  writeFileSync(`${path}-wal`, "left over");
  writeFileSync(`${path}-journal`, "left over, too");
  const restored = await operate("restore", copy, "--json");
  expect([restored.status, JSON.parse(restored.stdout).previous]).toEqual([0, null]);
  const moved = kept().sort();
  expect(moved.map((name) => name.replace(/.*Z/, ""))).toEqual(["-journal", "-wal"]);
  const texts = moved.map((name) => readFileSync(folder.file(name), "utf8"));
  expect(texts).toEqual(["left over, too", "left over"]);
  expect((await operate("verify")).status).toBe(0);
});

/** Writes in a process of its own that is killed, so that the change is only in the log. */
function addFactAndDie(name: string): void {
  const code = `new (require("libsql"))(process.argv[1]).exec(process.argv[2]);
    process.kill(process.pid, "SIGKILL");`;
  const sql = `PRAGMA wal_autocheckpoint = 0; INSERT INTO facts VALUES ('${name}', 'x')`;
  const cwd = import.meta.dirname;
  const { signal } = spawnSync(process.execPath, ["-e", code, path, sql], { cwd });
  expect(signal).toBe("SIGKILL");
}
