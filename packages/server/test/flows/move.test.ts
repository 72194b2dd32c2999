// `domain-signin move`: every row arrives, whatever interrupts the move, and only one database is served.

import { existsSync } from "node:fs";
import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, expect, test } from "vitest";
import { type SqlEngine, textOf } from "../../src/database/engine.ts";
import { MIGRATIONS, migrate } from "../../src/database/migrations.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { schemaTables } from "../../src/database/schema-tables.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { filesClosed } from "../support/closed-files.ts";
import { command, complaints, withoutPasswordWarning } from "../support/command.ts";
import { lockFile } from "../support/database-outage.ts";
import { contents, fillTables } from "../support/filled-tables.ts";
import { fixture } from "../support/fixture.ts";
import { hasCode } from "../support/flow.ts";
import { temporaryFolder } from "../support/folder.ts";
import { givePasskey, usePasskey } from "../support/passkeys.ts";
import { freshDatabase, postgresTests } from "../support/postgres.ts";
import type { CommandResult } from "../support/serve.ts";
import { startTestService } from "../support/service.ts";
import {
  authorizationUrl,
  redemption,
  refresh,
  signIn,
  signInForTokens,
} from "../support/sign-in.ts";
import { withSqlite } from "../support/sqlite-file.ts";

postgresTests("move", () => {
  const folder = temporaryFolder("test");
  const database = fixture(async () => {
    const { url, drop } = await freshDatabase();
    return { url, close: drop };
  }, "test");
  const target = fixture(async () => openPostgres(database.url), "test");
  let path: string;
  let source: string;
  beforeEach(() => {
    path = folder.file("old.db");
    source = `sqlite:${path}`;
  });

  /** A command in the folder. */
  const run = (...args: string[]) => withoutPasswordWarning(command(args, { folder: folder.path }));
  const withSource = <T>(task: (engine: SqlEngine) => Promise<T>) => withSqlite(path, task);

  /** A source of this schema, with rows in every table. */
  const fill = (count = 30) =>
    withSource(async (engine) => {
      await migrate(engine);
      await fillTables(engine, count);
    });
  const move = async (...more: string[]) => {
    await filesClosed();
    return run("move", "--from", source, "--to", database.url, ...more);
  };
  /** A command that reads the database. Status 1: it has no such account. */
  const use = (address: string) => run("grants", "list", "nobody.test", "--database", address);
  const refused = (text: string | RegExp) => ({
    ...{ status: 2, stdout: "", stderr: expect.stringMatching(text) },
  });

  function expectNoPassword({ stdout, stderr }: CommandResult): void {
    expect(stdout + stderr).not.toContain(new URL(database.url).password);
  }

  test("every row of every table arrives, and the command says so without a password", async () => {
    await fill(60);
    // A clock that is behind does not stop it.
    const late = "UPDATE time_floor SET seconds = ?1";
    await withSource((engine) => engine.execute(late, [Math.floor(Date.now() / 1000) + 3600]));
    const before = await withSource(contents);
    for (const [table, rows] of Object.entries(before))
      expect([table, rows.length > 1]).toEqual([table, true]);
    const moved = await move("--json");
    expect(moved.status, moved.stderr).toBe(0);
    const { tables, ...names } = JSON.parse(moved.stdout);
    expect(names).toEqual({
      from: path,
      to: expect.stringMatching(/^postgres:\/\/postgres@/),
      already: false,
    });
    expect(tables.map(({ table }: { table: string }) => table)).toEqual(Object.keys(before));
    const after = await withSource(contents);
    const counts = tables.map(({ rows }: { rows: number }) => rows);
    expect(counts).toEqual(Object.values(after).map((rows) => rows.length));
    expect(await contents(target)).toEqual(after);
    expectNoPassword(moved);
    expect(complaints(moved)).toMatch(/^copied accounts: \d+ rows\n/m);
    expect(JSON.parse(moved.stderr.match(/^\{.*"operator change".*$/m)?.[0] ?? "")).toMatchObject({
      command: "move",
      from: path,
    });
  });

  test("tokens, sessions and passkeys from before the move work after it", async () => {
    const old = await startTestService({ database: source });
    const client = await old.addClient({ consent: "never" });
    const agent = createUserAgent();
    const tokens = await signInForTokens(old, client, { agent });
    const unused = await signIn(old, client, { agent });
    await signIn(old, client, { agent: createUserAgent(), domain: "bob.test" });
    const passkey = await givePasskey(old, "bob.test");
    const { port } = new URL(old.issuer);
    const records = old.zone.records();
    await old.close();

    expect(await move()).toMatchObject({ status: 0 });
    const at = await startTestService({ database: database.url, port: Number(port) });
    for (const record of records) at.zone.add(record);
    expect(at.issuer).toBe(old.issuer);
    expect((await at.token(refresh(tokens.refresh_token), client)).status).toBe(200);
    expect((await at.token(redemption(client, unused), client)).status).toBe(200);
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect((await fetch(`${at.issuer}/oauth/userinfo`, { headers })).status).toBe(200);
    const stopAt = client.redirectUri;
    const silent = await agent.open(authorizationUrl(at, client, { prompt: "none" }), { stopAt });
    expect(hasCode(silent), silent.url).toBe(true);
    const stranger = createUserAgent();
    const first = await stranger.open(authorizationUrl(at, client), { stopAt });
    const asked = await stranger.submit(first, "domain-form", { domain: "bob.test" }, { stopAt });
    expect(asked.step).toBe("passkey");
    const done = await usePasskey(stranger, asked, passkey, { stopAt });
    expect(hasCode(done)).toBe(true);
    await at.close();
  });

  test("after the move the source is not served, until the move is undone", async () => {
    await fill(2);
    await move();
    const moved =
      /^the data of this database was moved to postgres:\/\/postgres@127.0.0.1:\d+\/postgres, /;
    const settings = ["--issuer", "http://localhost:9", "--port", "0", "--min-assurance", "single"];
    const serving = run("serve", "--database", source, ...settings, "--dns-servers", "127.0.0.1:9");
    expect(await serving).toEqual(refused(moved));
    expect(await use(source)).toEqual(refused(moved));
    expect(await move()).toMatchObject({ status: 0, stdout: expect.stringMatching(/ already\n$/) });

    const other = await freshDatabase();
    const elsewhere = await run("move", "--from", source, "--to", other.url);
    expect(elsewhere).toEqual(refused(/^the source was moved to postgres.* already/));
    await other.drop();

    const undo = () => run("move", "--undo", "--from", source);
    const undone = await undo();
    expect(undone).toMatchObject({ status: 0 });
    expect(JSON.parse(undone.stderr)).toMatchObject({ command: "move --undo", from: path });
    expect(await undo()).toEqual({ status: 1, stdout: "", stderr: `${path} was not moved\n` });
    expect(await use(source)).toMatchObject({ status: 1 });
  });

  test("a source in use, also by an older version, is refused and can be used on", async () => {
    await withSource(async (other) => {
      await migrate(other);
      expect(await move()).toEqual(refused(/^the database .*old\.db is in use: stop `serve`/));
      await other.execute("UPDATE clients SET created_at = 5", []);
    });
    const at = await startTestService({ database: source });
    expect(await move()).toEqual(refused("is in use"));
    await at.addClient();
    await at.close();
    expect(await target.schemaVersion()).toBe(0);
  });

  test("nobody can change the source during the move", async () => {
    await fill(1);
    let tries = 0;
    await withHeldMove(async () => {
      tries++;
      await expect(lockFile(path)).rejects.toThrow("not locked");
    });
    expect(tries).toBe(1);
    expect(await contents(target)).toEqual(await withSource(contents));
  });

  test("a target that is not empty is refused, and left as it is", async () => {
    await fill(1);
    await migrate(target);
    const columns = "account_id, client_id, scope, granted_at";
    await target.execute(`INSERT INTO consents (${columns}) VALUES ('a', 'b', 'c', 1)`, []);
    const before = await contents(target);
    expect(await move()).toEqual(refused(/^the target is not empty: consents has rows\n$/));
    expect(await contents(target)).toEqual(before);
  });

  test("another schema in the source or the target is refused", async () => {
    const newest = MIGRATIONS.length;
    const [older, newer] = [
      `has schema ${newest - 1}, this version`,
      `has schema ${newest + 1} of a`,
    ];
    await withSource((engine) => engine.migrate(() => MIGRATIONS.slice(0, -1)));
    const told = `^the source ${older} needs ${newest}: run \`domain-signin migrate\` first`;
    expect(await move()).toEqual(refused(told));
    expect(await target.schemaVersion()).toBe(0);
    await withSource((engine) => migrate(engine));
    await target.migrate(() => MIGRATIONS.slice(0, -1));
    expect(await move()).toEqual(refused(`^the target ${older} needs`));
    const update = "UPDATE schema_version SET version = ?1 WHERE version = ?2";
    await target.execute(update, [newest + 1, newest - 1]);
    expect(await move()).toEqual(refused(`^the target ${newer} newer domain-signin`));
    const insert = "INSERT INTO schema_version (version) VALUES (?1)";
    await withSource((engine) => engine.execute(insert, [newest + 1]));
    expect(await move()).toEqual(refused(`^the source ${newer} newer domain-signin`));
  });

  test.each([
    ["no source", "--from sqlite:none.db --to POSTGRES", "there is no database"],
    ["PostgreSQL as the source", "--from POSTGRES --to POSTGRES", "--from must be a SQLite file"],
    [
      "SQLite as the target",
      "--from sqlite:none.db --to sqlite:b.db",
      "--to must be a PostgreSQL database",
    ],
    ["no target", "--from sqlite:none.db", "specify either --to or --undo"],
    ["both ways", "--from sqlite:none.db --to POSTGRES --undo", "specify either"],
    ["no arguments", "", "required option '--from"],
  ])("%s is wrong usage, and makes no file", async (_, line, text) => {
    const words = line.replaceAll("POSTGRES", "postgres://a@127.0.0.1/b").split(" ");
    expect(await run("move", ...words.filter(Boolean))).toEqual(refused(text));
    for (const name of ["none.db", "b.db"]) expect(existsSync(folder.file(name))).toBe(false);
  });

  test("a file that is not a database of domain-signin is refused unchanged", async () => {
    await withSource((engine) => engine.execute("CREATE TABLE other (name TEXT)", []));
    expect(await move()).toEqual(refused(/^the source has no schema yet/));
    const names = "SELECT name FROM sqlite_schema";
    const tables = await withSource((engine) => engine.execute(names, []));
    expect(tables).toEqual([{ name: "other" }]);
  });

  test("a table of somebody else stays where it is", async () => {
    await fill(1);
    await withSource((engine) => engine.execute("CREATE TABLE _litestream_seq (id INTEGER)", []));
    expect(await move()).toMatchObject({ status: 0 });
  });

  test("a row that no service wrote is named by its table", async () => {
    await fill(1);
    const known = await withSource((engine) => engine.execute("SELECT id FROM clients", []));
    for (const [column, value, text] of [
      ["created_at", "'soon'", "created_at that is not an integer"],
      [
        "created_at",
        "9007199254740993",
        "a row of the table clients has a \\w+ that is not an integer",
      ],
      ["created_at", "1.5", "created_at that is not an integer"],
      ["registration", "x'00ff'", "registration that is not a text"],
      ["id", "NULL", "a row of the table clients has no key"],
    ]) {
      await withSource((engine) => engine.execute(`UPDATE clients SET ${column} = ${value}`, []));
      expect(await move()).toEqual(refused(`${text}`));
      const [id] = known.map((row) => row.id ?? "");
      const repair = "UPDATE clients SET created_at = 1, registration = 'x', id = ?1";
      await withSource((engine) => engine.execute(repair, [id ?? ""]));
    }
    const unfinished = /^a move to this database has not finished: repeat `domain-signin move`/;
    expect(await use(database.url)).toEqual(refused(unfinished));
    expect(await move()).toMatchObject({ status: 0 });
    expect(await contents(target)).toEqual(await withSource(contents));
    expect(await use(database.url)).toMatchObject({ status: 1 });
  });

  /** Runs a move, and the task while rows are being copied. */
  async function withHeldMove(task: () => Promise<void>): Promise<void> {
    const { moveDatabase } = await import("../../src/backup/move.ts");
    await filesClosed();
    const alone = openSqlite(path, { alone: true });
    let isDone = false;
    const held: SqlEngine["execute"] = async (statement, parameters) => {
      if (textOf(statement).includes("claimed AS") && !isDone) {
        isDone = true;
        await task();
      }
      return target.execute(statement, parameters);
    };
    await moveDatabase(
      { source: alone, target: { ...target, execute: held }, targetName: "there" },
      { onProgress() {}, random: (octets) => Buffer.alloc(octets, 1) },
    );
    await alone.close();
  }

  test("the list of tables is that of the schema, and each has a key", async () => {
    await fill(0);
    await target.migrate(() => MIGRATIONS);
    const list =
      "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema()";
    const all = (await target.execute(`${list} ORDER BY 1`, [])).map(({ name }) => name);
    const tables = await schemaTables();
    expect([...tables.map(({ name }) => name), "schema_version"].sort()).toEqual(all);
    for (const { name, key } of tables) expect([name, key.length > 0]).toEqual([name, true]);
    const columns = await target.execute(
      `SELECT table_name::text || '.' || column_name::text || ' ' || CASE data_type::text WHEN 'text' THEN 'TEXT' ELSE 'BIGINT' END AS name
         FROM information_schema.columns WHERE table_schema = current_schema() AND table_name <> 'schema_version'`,
      [],
    );
    const known = tables.flatMap((table) =>
      table.columns.map(({ name, type }) => `${table.name}.${name} ${type}`),
    );
    expect(columns.map(({ name }) => String(name)).sort()).toEqual(known.sort());
  });
});
