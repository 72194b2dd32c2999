// The mark file of a service on SQLite: what a start refuses, and the commands that go on from there.

import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readMark } from "../../src/backup/mark.ts";
import { command } from "../support/command.ts";
import { backUp, putBack, removeDatabase } from "../support/database-copy.ts";
import { temporaryFolder } from "../support/folder.ts";
import { heldSleep } from "../support/held-sleep.ts";
import { noteSecret } from "../support/log-run.ts";
import { startTestService, TEST_SECRET } from "../support/service.ts";
import { signInForTokens } from "../support/sign-in.ts";

const folder = temporaryFolder("test");
noteSecret("operator's secret", TEST_SECRET);

const SETTINGS = ["--issuer", "http://localhost:9", "--port", "0", "--dns-servers", "127.0.0.1:9"];
const file = (name: string) => folder.file(name);
const run = (...args: string[]) =>
  command(args, { folder: folder.path, env: { DOMAIN_SIGNIN_SECRET: TEST_SECRET } });
const backUpNow = () => backUp(file("domain-signin.db"), file("backup"));
const putBackNow = () => putBack(file("backup"), file("domain-signin.db"));
const APP = ["--name", "App", "--redirect-uri", "https://a.example/"];
/** A start that stops as soon as it listens. */
const start = (...args: string[]) =>
  run("serve", ...SETTINGS, "--min-assurance", "single", ...args);
const markOf = () => readMark(file("domain-signin.mark"));

test("a database that was copied back is not served until restored has run, and is from then on", async () => {
  expect((await start()).status).toBe(0);
  await backUpNow();
  expect((await start()).status).toBe(0);
  await putBackNow();
  const refused = await start();
  expect(refused).toMatchObject({ status: 2, stdout: "" });
  expect(refused.stderr).toMatch(/is older than its mark file[\s\S]*run: domain-signin restored/);
  const restored = await run("restored", "--json");
  expect(restored.status).toBe(0);
  expect(JSON.parse(restored.stdout)).toEqual({
    database: markOf()?.databaseId,
    restored_at: expect.any(Number),
    ended: { interactions: 0, consents: 0, grants: 0, sessions: 0, accounts: 0 },
    ...{ ended_keys: 0, ended_secrets: 0, undetermined: [] },
  });
  expect((await start()).status).toBe(0);
  expect((await run("restored")).stdout).toMatch(/^database \S+ is restored: /);
});

test("keys and secrets that commands ended after the backup are ended again, as the mark says", async () => {
  await start();
  const added = await run("clients", "add", ...APP, "--json");
  const { client_id: id } = JSON.parse(added.stdout);
  await backUpNow();
  const keys = async () => JSON.parse((await run("keys", "list", "--json")).stdout);
  const isFirst = (key: { purpose: string; id: number }) =>
    key.purpose === "grant-token" && key.id === 1;
  expect((await run("keys", "revoke", "grant-token/1")).status).toBe(0);
  expect((await run("clients", "rotate-secret", id, "--overlap", "0")).status).toBe(0);
  expect(markOf()).toMatchObject({
    endedKeys: [{ purpose: "grant-token", keyId: 1 }],
    endedSecrets: [{ clientId: id }],
  });
  await putBackNow();
  expect((await keys()).some(isFirst)).toBe(true);
  // A command would hide that the database is older than its mark.
  expect((await run("clients", "rotate-secret", id)).status).toBe(2);
  const { stdout } = await run("restored", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ ended_keys: 1, ended_secrets: 1, undetermined: [] });
  expect((await keys()).some(isFirst)).toBe(false);
  expect((await start()).status).toBe(0);
});

test("a database that was copied back is served as it is once it was accepted", async () => {
  await start();
  await backUpNow();
  await start();
  await putBackNow();
  const accepted = await run("mark", "accept");
  expect(accepted.stdout).toMatch(/^accepted database \S+ as it is, and wrote its mark to \S+\n$/);
  expect((await start()).status).toBe(0);
});

test("a start does not make an empty database in the place of one that is gone, unless an option allows it", async () => {
  await start();
  const before = markOf();
  await removeDatabase(file("domain-signin.db"));
  const refused = await start();
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain("To start with an empty database, run: domain-signin serve");
  expect(refused.stderr).toContain("If the mark file is that of another database, set mark");
  expect((await run("clients", "add", ...APP)).status).toBe(2);
  expect(await readdir(folder.path)).toEqual(["domain-signin.db-lock", "domain-signin.mark"]);
  await writeFile(file("domain-signin.db"), "");
  expect((await start()).status).toBe(2);
  expect(markOf()).toEqual(before);
  expect((await start("--new-database")).status).toBe(0);
  expect(markOf()?.databaseId).not.toBe(before?.databaseId);
  expect((await start("--new-database")).status).toBe(0);
});

test("without a database and without a mark, a start makes both, whatever the secret", async () => {
  expect((await start()).status).toBe(0);
  expect(await readdir(folder.path)).toContain("domain-signin.mark");
  expect(await readFile(file("domain-signin.mark"), "utf8")).not.toContain(TEST_SECRET);
});

test("a copy of both the database and its mark is not noticed, so restored must be run by hand", async () => {
  await start();
  await backUpNow();
  await copyFile(file("domain-signin.mark"), file("mark of the backup"));
  await start();
  await putBackNow();
  await copyFile(file("mark of the backup"), file("domain-signin.mark"));
  expect((await start()).status).toBe(0);
});

test("a request that ends something is answered after the mark was written, and each minute moves it", async () => {
  const held = heldSleep();
  const database = `sqlite:${file("domain-signin.db")}`;
  const mark = file("domain-signin.mark");
  const at = await startTestService({ database, config: { mark }, sleep: held.sleep });
  try {
    const client = await at.addClient();
    const tokens = await signInForTokens(at, client, {});
    const before = readMark(mark)?.counter ?? 0;
    const { id, secret } = client;
    await fetch(`${at.issuer}/oauth/revoke`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ token: tokens.refresh_token }),
    });
    const after = readMark(mark)?.counter ?? 0;
    expect(after).toBeGreaterThan(before);
    await expect
      .poll(async () => {
        await held.end((milliseconds) => milliseconds === 60_000);
        return readMark(mark)?.counter;
      })
      .toBeGreaterThan(after);
  } finally {
    await at.close();
  }
});
