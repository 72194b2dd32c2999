// A move that is interrupted: at every statement, by kills, by cut connections, and by changes of the data.

import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { moveDatabase } from "../../src/backup/move.ts";
import { type SqlEngine, textOf } from "../../src/database/engine.ts";
import { migrate } from "../../src/database/migrations.ts";
import { requireNoMove, requireNotMoved } from "../../src/database/moved.ts";
import { openPostgres, type PostgresEngine } from "../../src/database/postgres.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { UnavailableError } from "../../src/lib/errors.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { filesClosed } from "../support/closed-files.ts";
import { command, complaints, withoutPasswordWarning } from "../support/command.ts";
import { contents, fillTables } from "../support/filled-tables.ts";
import { type FreshDatabase, freshDatabase, postgresTests } from "../support/postgres.ts";
import { wayTo } from "../support/postgres-way.ts";
import { withSqlite } from "../support/sqlite-file.ts";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const KILLS = 10;
/** `.ci/full` interrupts at each statement, `.ci/run` at some. An odd number, for both moments. */
const STEP = Number(process.env.MOVE_STRIDE ?? 1);
/** Fewer answers of the server than any move needs, even one that has only to be compared. */
const ANSWERS = 60;
/** What the server sends to connect: its greeting in two parts, and its answers to what is checked first. */
const ANSWERS_TO_CONNECT = 5;
/** More than the server sends before a migration begins. */
const ANSWERS_BEFORE_BEGUN = 15;
/** What the server says when a migration begins. From then on, a move does not wait for a server that goes away. */
const BEGUN = "BEGIN\0";
/** More rows of a table than a batch has. */
const ROWS = 250;

postgresTests("an interrupted move", () => {
  let folder: string;
  let path: string;
  let source: string;
  let database: FreshDatabase;
  let target: PostgresEngine;
  let before: Record<string, string[]>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "domain-signin-"));
    path = join(folder, "old.db");
    source = `sqlite:${path}`;
    database = await freshDatabase();
    target = openPostgres(database.url);
    before = await withSource(async (engine) => {
      await migrate(engine);
      await fillTables(engine, ROWS);
      return contents(engine);
    });
    await filesClosed();
  });
  afterEach(async () => {
    await target.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const withSource = <T>(task: (engine: SqlEngine) => Promise<T>) => withSqlite(path, task);

  const move = async () => {
    await filesClosed();
    return withoutPasswordWarning(
      command(["move", "--from", source, "--to", database.url], { folder }),
    );
  };

  async function expectMoved(): Promise<void> {
    expect(await contents(target)).toEqual(before);
    await requireNoMove(target);
    await withSource((engine) => expect(requireNotMoved(engine)).rejects.toThrow("was moved to"));
  }

  /** An engine that fails at a statement, before it is run or once it has been. */
  function failing(
    engine: SqlEngine,
    isHit: (sql: string) => boolean,
    moment: "before" | "after",
  ): SqlEngine {
    return {
      ...engine,
      async execute(statement, parameters) {
        const fails = isHit(textOf(statement));
        if (fails && moment === "before") throw new UnavailableError("cut");
        const rows = await engine.execute(statement, parameters);
        if (fails) throw new UnavailableError("cut");
        return rows;
      },
    };
  }

  test("at any of its statements, it continues with the same command, and at no time both can be served", async () => {
    const alone = openSqlite(path, { alone: true });
    let interruptions = 0;
    let hasBegun = false;
    for (let number = 1; ; number += STEP) {
      let left = number;
      const isHit = () => --left === 0;
      const moment = number % 2 === 0 ? "before" : "after";
      const parties = {
        source: failing(alone, isHit, moment),
        target: { ...failing(target, isHit, moment), schemaVersion: target.schemaVersion },
        targetName: "there",
      };
      const report = { onProgress() {}, random: systemRandom };
      const ended = await moveDatabase(parties, report).catch((cause: unknown) => cause);
      if (!(ended instanceof UnavailableError)) {
        expect(ended).toMatchObject({ outcome: expect.stringMatching(/^moved|already$/) });
        break;
      }
      interruptions++;
      if ((await target.schemaVersion()) === 0) continue;
      const served = [requireNotMoved(alone), requireNoMove(target)];
      const results = (await Promise.allSettled(served)).map(({ status }) => status);
      // Before it has begun, the target is an empty database like any other.
      hasBegun ||= results[1] === "rejected";
      if (hasBegun)
        expect([number, results]).toEqual([number, expect.arrayContaining(["rejected"])]);
    }
    expect(interruptions).toBeGreaterThan(100 / STEP);
    await alone.close();
    await expectMoved();
  });

  test("at each of its last statements, it ends with the source moved and the target whole", async () => {
    const alone = openSqlite(path, { alone: true });
    for (const words of ["SET moved_to", "DROP TABLE move_progress"]) {
      for (const moment of ["before", "after"] as const) {
        const fail = (engine: SqlEngine) => failing(engine, (sql) => sql.includes(words), moment);
        const parties = {
          source: fail(alone),
          target: { ...fail(target), schemaVersion: target.schemaVersion },
          targetName: "there",
        };
        const moved = moveDatabase(parties, { onProgress() {}, random: systemRandom });
        await expect(moved).rejects.toThrow("cut");
      }
    }
    await alone.close();
    expect(await move()).toMatchObject({ status: 0, stdout: expect.stringMatching(/ already\n$/) });
    await expectMoved();
  });

  test(`by ${KILLS} kills at random moments, it continues with the same command`, async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      let left = randomInt(1, ANSWERS);
      let killed = () => {};
      const way = await wayTo(new URL(database.url), {
        // What the server has done is done; the program does not learn of it any more.
        answer: (near, octets) => {
          if (--left > 0) near.write(octets);
          else killed();
        },
      });
      const args = [CLI, "move", "--from", source, "--to", way.url];
      const child = spawn(process.execPath, args, { cwd: folder, stdio: "ignore" });
      killed = () => child.kill("SIGKILL");
      const signal = await new Promise((resolve) => child.once("exit", (_, by) => resolve(by)));
      expect(signal).toBe("SIGKILL");
      await way.close();
    }
    expect(await move()).toMatchObject({ status: 0 });
    await expectMoved();
  });

  test("by cut connections, it ends with status 3 and continues with the same command", async () => {
    for (let cut = 0; cut < 3; cut++) {
      let left = randomInt(1, ANSWERS - ANSWERS_BEFORE_BEGUN);
      let hasBegun = false;
      const way = await wayTo(new URL(database.url), {
        answer(near, octets) {
          hasBegun ||= octets.includes(BEGUN);
          if (!hasBegun || --left > 0) near.write(octets);
          else near.destroy();
        },
      });
      await filesClosed();
      const cutOff = await command(["move", "--from", source, "--to", way.url], { folder });
      expect([cutOff.status, cutOff.stdout]).toEqual([3, ""]);
      expect(complaints(cutOff)).toMatch(/^unavailable: /m);
      await way.close();
    }
    expect(await move()).toMatchObject({ status: 0 });
    await expectMoved();
  });

  test("by a server that goes away while the move looks at it, it waits until the server is back", async () => {
    let answers = 0;
    let isAway = false;
    const way = await wayTo(new URL(database.url), {
      answer(near, octets) {
        // The first question of a move about the sessions of the server.
        isAway ||= ++answers === ANSWERS_TO_CONNECT + 1;
        if (isAway) near.destroy();
        else near.write(octets);
      },
    });
    const moved = command(["move", "--from", source, "--to", way.url], { folder });
    // Several attempts to connect have failed.
    await expect.poll(() => way.attempts(), { timeout: 60_000 }).toBeGreaterThan(3);
    isAway = false;
    expect(await moved).toMatchObject({ status: 0 });
    await expectMoved();
    await way.close();
  });

  test("a target with the unfinished move of another database is refused", async () => {
    await interrupt();
    await withSource((engine) =>
      engine.execute("UPDATE installation SET database_id = 'another' WHERE id = 1", []),
    );
    const refused = await move();
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toBe("the target holds an unfinished move of another database\n");
  });

  test.each([
    [
      "a row of the source is changed",
      "source",
      "UPDATE clients SET created_at = 77 WHERE created_at = 1",
    ],
    [
      "a row appears in the source",
      "source",
      "INSERT INTO clients (id, registration, created_at) VALUES ('', '{}', 5) ON CONFLICT (id) DO UPDATE SET created_at = 6",
    ],
    ["a row of the target vanishes", "target", "DELETE FROM clients WHERE created_at = 1"],
    [
      "a row appears in the target",
      "target",
      "INSERT INTO clients (id, registration, created_at) VALUES ('more', '{}', 5)",
    ],
    [
      "nothing becomes an empty text",
      "target",
      "UPDATE clients SET former_secret_hash = '' WHERE former_secret_hash IS NULL",
    ],
  ])(
    "%s between two attempts: the table is named, and the source stays in use",
    async (_, where, change) => {
      await interrupt();
      const execute = (engine: SqlEngine) => engine.execute(`${change} RETURNING id`, []);
      const changed = await (where === "source" ? withSource(execute) : execute(target));
      expect(changed.length).toBeGreaterThan(0);
      const ended = await move();
      expect([ended.status, ended.stdout]).toEqual([1, ""]);
      const counts = "\\(\\d+ and \\d+ rows\\)";
      expect(complaints(ended)).toMatch(
        new RegExp(` differ in clients ${counts}: one of them was changed`),
      );
      await withSource(requireNotMoved);
      await expect(requireNoMove(target)).rejects.toThrow("has not finished");
      expect(await move()).toMatchObject({ status: 1 });
    },
  );

  /** Moves until half of the tables are copied, among them `clients`. */
  async function interrupt(): Promise<void> {
    const alone = openSqlite(path, { alone: true });
    const execute: SqlEngine["execute"] = async (statement, parameters) => {
      if (textOf(statement).includes("INSERT INTO interactions")) throw new UnavailableError("cut");
      return target.execute(statement, parameters);
    };
    const moved = moveDatabase(
      { source: alone, target: { ...target, execute }, targetName: "there" },
      { onProgress() {}, random: systemRandom },
    );
    await expect(moved).rejects.toThrow("cut");
    await alone.close();
  }
});
