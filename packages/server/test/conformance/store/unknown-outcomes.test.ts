// What becomes of a redemption or a rotation whose answer was lost: it is found out, and no change of others is
// taken for it.

import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type SqlEngine, textOf } from "../../../src/database/engine.ts";
import { migrate } from "../../../src/database/migrations.ts";
import { openPostgres } from "../../../src/database/postgres.ts";
import { UnavailableError, UnknownOutcomeError } from "../../../src/lib/errors.ts";
import type { Grant } from "../../../src/store/grant-row.ts";
import { createStore, type Store } from "../../../src/store/store.ts";
import { passingTime, until } from "../../support/moving-time.ts";
import { postgresFixture, postgresTests } from "../../support/postgres.ts";
import { wayTo } from "../../support/postgres-way.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  issuedGrant,
  NOW,
  redeemedGrant,
  redemptionOf,
  rotationOf,
} from "../../support/store-rows.ts";

/** The grant, with what a redemption returns of its account. */
async function standing(store: Store, id: string) {
  const { grant, account } = (await store.grants.readGrant(id)) ?? {};
  if (grant === undefined || account === undefined) return undefined;
  const { domain, acct, createdAt: domainSince } = account;
  return { ...grant, domain, acct, domainSince };
}

/** A redemption and a rotation, each with the grants that it needs. */
const CHANGES = [
  {
    change: "redemption",
    prepare: issuedGrant,
    run: (store: Store, grant: Grant) => store.grants.redeemCode(redemptionOf(grant)),
  },
  {
    change: "rotation",
    prepare: redeemedGrant,
    run: (store: Store, grant: Grant) => store.grants.rotateRefreshToken(rotationOf(grant)),
  },
];

/** What counts as time for the limits of statements. */
const TIMERS = [
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "performance",
] as const;

/** The engine, which does not pass on its answer to a statement for which `isLost` says so. */
function losing(engine: SqlEngine, isLost: (sql: string) => boolean): SqlEngine {
  return {
    ...engine,
    async execute(statement, parameters, within) {
      const rows = await engine.execute(statement, parameters, within);
      if (isLost(textOf(statement))) throw new UnknownOutcomeError("the answer was lost");
      return rows;
    },
  };
}

onEveryEngine(({ store, stores, engine, engines }) => {
  describe.each(CHANGES)("a $change", ({ prepare, run }) => {
    test("whose answer is not lost is one statement, with an attempt id of 128 bits", async () => {
      const grant = await prepare(store);
      const statements: string[] = [];
      const counted = losing(engine, (sql) => statements.push(sql) < 0);
      const changed = await run(createStore(counted), grant);
      expect(statements).toHaveLength(1);
      const now = await standing(store, grant.id);
      expect(now?.attempt).toMatch(/^[\w-]{22}$/);
      expect(now?.attempt).not.toBe(grant.attempt);
      // Not of null, which matches nothing.
      expect(now).toMatchObject(changed as object);
    });

    test("of 30 callers whose first answers are all lost one gets the row", async () => {
      const grant = await prepare(store);
      const results = await race(stores, 30, async (_, index) => {
        let isFirst = true;
        const node = engines[index % engines.length] ?? engine;
        const lossy = losing(node, () => {
          const wasFirst = isFirst;
          isFirst = false;
          return wasFirst;
        });
        return run(createStore(lossy), grant).catch((cause: unknown) => cause);
      });
      const failed = results.filter((result) => result instanceof UnavailableError);
      expect(failed).toHaveLength(29);
      const won = results.filter((result) => !failed.includes(result as UnavailableError));
      expect([await standing(store, grant.id)]).toMatchObject(won as object[]);
      expect(won).toMatchObject([{ generation: grant.generation + 1 }]);
    });

    test("is not repeated if it certainly had no effect", async () => {
      const grant = await prepare(store);
      let statements = 0;
      const gone = createStore({
        ...engine,
        execute: async () => {
          statements++;
          throw new UnavailableError("no connection is free");
        },
      });
      await expect(run(gone, grant)).rejects.toThrow("no connection is free");
      expect(statements).toBe(1);
    });
  });
});

postgresTests("on PostgreSQL", () => {
  const database = postgresFixture();
  let way: Awaited<ReturnType<typeof wayTo>>;
  let engines: readonly SqlEngine[] = [];
  let admin: Store;
  let store: Store;
  let client: Client;
  /** How many answers about a grant are still to be lost, and what happens before each. */
  const losses = new Map<string, { count: number; before?: () => Promise<unknown> }>();
  beforeAll(async () => {
    way = await wayTo(new URL(database.url), {
      async answer(near, octets) {
        const [, loss] = [...losses].find(([id]) => octets.includes(id)) ?? [];
        if (loss === undefined || loss.count === 0) return void near.write(octets);
        loss.count--;
        await loss.before?.();
        near.destroy();
      },
    });
    const [direct, behind] = [openPostgres(database.url), openPostgres(way.url)];
    engines = [direct, behind];
    [admin, store] = [createStore(direct), createStore(behind)];
    await migrate(direct);
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(() => {
    losses.clear();
    vi.useRealTimers();
  });
  afterAll(async () => {
    await client.end();
    for (const engine of engines) await engine.close();
    await way.close();
  });

  /** The sessions whose statement waits for the lock of a row. */
  async function waiting(): Promise<number[]> {
    const all =
      "SELECT DISTINCT pid FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'";
    return (await client.query<{ pid: number }>(all)).rows.map(({ pid }) => pid);
  }
  /** Before time is moved on: on a busy machine, it would be over before a connection is open. */
  async function connect(): Promise<void> {
    await standing(store, "any");
  }
  /** Time moves slowly, because connections are opened meanwhile. */
  function slowly<T>(task: () => Promise<T>): Promise<T> {
    vi.useFakeTimers({ toFake: [...TIMERS] });
    return passingTime(task(), 2);
  }
  async function lock(grant: Grant): Promise<void> {
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM grants WHERE id = $1 FOR UPDATE", [grant.id]);
  }

  describe.each(CHANGES)("a $change", ({ prepare, run }) => {
    test("that had committed when its connection was cut succeeds, 8 of 8", async () => {
      const grants = await Promise.all(Array.from({ length: 8 }, () => prepare(admin)));
      for (const { id } of grants) losses.set(id, { count: 1 });
      const changes = () => Promise.all(grants.map((grant) => run(store, grant)));
      const changed = await slowly(changes);
      expect([...losses.values()].map(({ count }) => count)).toEqual(Array(8).fill(0));
      for (const [index, grant] of grants.entries()) {
        expect(changed[index]?.generation).toBe(grant.generation + 1);
        expect(await standing(admin, grant.id)).toMatchObject(changed[index] as object);
      }
    });

    test("succeeds if the answer about its outcome is lost too", async () => {
      const grant = await prepare(admin);
      losses.set(grant.id, { count: 2 });
      const changed = await slowly(() => run(store, grant));
      expect(changed).toMatchObject({ generation: grant.generation + 1 });
      expect(losses.get(grant.id)).toEqual({ count: 0 });
    });

    test("that was rolled back when its session was ended succeeds", async () => {
      const grant = await prepare(admin);
      await lock(grant);
      const changing = slowly(() => run(store, grant));
      changing.catch(() => {});
      await until(async () => (await waiting()).length === 1);
      const [pid] = await waiting();
      await client.query("SELECT pg_terminate_backend($1)", [pid]);
      const again = until(async () => (await waiting()).some((other) => other !== pid));
      await Promise.race([again, changing]);
      await client.query("COMMIT");
      expect(await changing).toMatchObject({ generation: grant.generation + 1 });
    });

    test("that another request has followed since is not taken for its own", async () => {
      const grant = await prepare(admin);
      const before = async () => {
        const changed = await standing(admin, grant.id);
        if (changed) await admin.grants.rotateRefreshToken(rotationOf(changed));
      };
      losses.set(grant.id, { count: 1, before });
      await expect(run(store, grant)).rejects.toThrow(UnavailableError);
      expect(await standing(admin, grant.id)).toMatchObject({ generation: grant.generation + 2 });
    });

    test("whose grant has been revoked since is not answered", async () => {
      const grant = await prepare(admin);
      const before = () => admin.grants.revokeGrant({ id: grant.id, now: NOW });
      losses.set(grant.id, { count: 1, before });
      await expect(run(store, grant)).rejects.toThrow(UnavailableError);
      expect(await standing(admin, grant.id)).toMatchObject({ generation: grant.generation + 1 });
    });

    test("whose commit waits for longer than its deadline is 503 within a second of it", async () => {
      const grant = await prepare(admin);
      await lock(grant);
      // Of the engine, which is opened now, and of what finds out the outcome.
      vi.useFakeTimers({ toFake: [...TIMERS] });
      const engine = openPostgres(way.url);
      const overAt: number[] = [];
      const own = createStore({
        ...engine,
        execute: (...statement) =>
          engine.execute(...statement).catch((cause: unknown) => {
            overAt.push(performance.now());
            throw cause;
          }),
      });
      try {
        await standing(own, "any");
        const begun = performance.now();
        await expect(passingTime(run(own, grant), 50)).rejects.toThrow(UnavailableError);
        const [deadline = 0] = overAt;
        expect(deadline - begun).toBeGreaterThanOrEqual(20_000);
        // From the deadline itself, because a connection may have been opened before the statement was sent. Own time
        // is counted in steps of 100 ms.
        expect(performance.now() - deadline).toBeLessThan(1200);
      } finally {
        vi.useRealTimers();
        await client.query("ROLLBACK");
        await engine.close();
      }
    });

    test("that committed with the warning that it may not be replicated needs a commit without it", async () => {
      const [lost, kept] = [await prepare(admin), await prepare(admin)];
      await client.query("CREATE TABLE warnings (id TEXT PRIMARY KEY, number BIGINT)");
      await client.query(`
        CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          UPDATE warnings SET number = number - 1 WHERE id = NEW.id AND number > 0;
          IF FOUND THEN RAISE WARNING 'not replicated' USING ERRCODE = '01000'; END IF;
          RETURN NULL;
        END $$`);
      await client.query(`
        CREATE CONSTRAINT TRIGGER warning AFTER UPDATE ON grants DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION warn()`);
      try {
        const insert = "INSERT INTO warnings VALUES ($1, $2)";
        await client.query(insert, [lost.id, 1_000_000]);
        await client.query(insert, [kept.id, 2]);
        await connect();
        vi.useFakeTimers({ toFake: [...TIMERS] });
        await expect(passingTime(run(store, lost))).rejects.toThrow(UnavailableError);
        vi.useRealTimers();
        expect(await standing(admin, lost.id)).toMatchObject({ generation: lost.generation + 1 });
        expect(await run(store, kept)).toMatchObject({ generation: kept.generation + 1 });
      } finally {
        await client.query("DROP FUNCTION warn CASCADE; DROP TABLE warnings");
      }
    });
  });
});
