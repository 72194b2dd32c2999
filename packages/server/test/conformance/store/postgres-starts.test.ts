// Starts and migrations on PostgreSQL: they wait as long as it takes, say so, and end at once where waiting is no use.

import { afterEach, expect, test, vi } from "vitest";
import { migrate } from "../../../src/database/migrations.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { OperatorError, UnavailableError } from "../../../src/lib/errors.ts";
import { fixture } from "../../support/fixture.ts";
import { passingTime } from "../../support/moving-time.ts";
import { postgresFixture, postgresTests } from "../../support/postgres.ts";
import { makeGate } from "../../support/postgres-gate.ts";
import { wayTo } from "../../support/postgres-way.ts";

postgresTests("PostgreSQL", () => {
  const database = postgresFixture();
  const gate = fixture(() => makeGate(database.url));
  let way: Awaited<ReturnType<typeof wayTo>>;
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    vi.useRealTimers();
    for (const close of closing.splice(0)) await close();
  });

  async function open() {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    way = await wayTo(new URL(database.url));
    const url = new URL(way.url);
    url.password ||= "a-secret-password";
    const lines: string[] = [];
    const opened = openDatabase(url.href, { onWait: (what) => lines.push(what) });
    closing.push(() => opened.engine.close(), way.close);
    // It loads the library.
    await import("../../../src/database/postgres.ts");
    return { ...opened, lines };
  }
  const pass = (milliseconds: number) => gate.pass(milliseconds, way);

  test("a migration and a start wait for a server that is silent, and say so every ten seconds", async () => {
    const { engine, ready, lines } = await open();
    way.silent(true);
    const migrated = migrate(engine);
    await pass(9500);
    expect(lines).toEqual([]);
    await pass(31_000);
    expect(lines).toEqual(Array(4).fill("the database server at 127.0.0.1 does not answer yet"));
    way.silent(false);
    await passingTime(migrated);
    lines.length = 0;

    // What it asks is lost twice.
    way.silent(true);
    const started = ready();
    await pass(45_000);
    expect(lines).toHaveLength(4);
    way.silent(false);
    await passingTime(started);
    lines.length = 0;
    await pass(15_000);
    expect(lines).toEqual([]);
  });

  test("a server that refuses ends a start at once, and so does an unknown user", async () => {
    const { ready } = await open();
    await way.close();
    await expect(ready()).rejects.toThrow(UnavailableError);

    const wrong = new URL(database.url);
    wrong.username = "nobody-of-that-name";
    const refused = openDatabase(wrong.href);
    closing.push(() => refused.engine.close());
    await expect(refused.ready()).rejects.toThrow(OperatorError);
  });

  test("a command waits for its first connection, which is tried for again when it is not opened in time", async () => {
    const { engine } = await open();
    way.silent(true);
    const first = engine.execute("SELECT 1 AS alive", []);
    await pass(10_500);
    await pass(1000);
    expect(way.attempts()).toBe(2);
    way.silent(false);
    await passingTime(first);
  });
});
