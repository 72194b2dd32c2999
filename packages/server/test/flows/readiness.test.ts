// Readiness tells the truth: 503 with the reason while no write can succeed, and alive all the while.

import { chmodSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, describe, expect, test, vi } from "vitest";
import { migrate } from "../../src/database/migrations.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { hasVolumes, makeVolume } from "../history/volume.ts";
import { lockFile } from "../support/database-outage.ts";
import { temporaryFolder } from "../support/folder.ts";
import { until } from "../support/moving-time.ts";
import { postgresTests } from "../support/postgres.ts";
import { findPrograms } from "../support/postgres-programs.ts";
import { startOwnServer } from "../support/postgres-server.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { refresh, signIn, signInForTokens } from "../support/sign-in.ts";

const folder = temporaryFolder();
const isPossible = await hasVolumes("a full disk");

/** A node asks the database at most once a second. */
async function health(at: TestService) {
  at.advance(2);
  const response = await fetch(`${at.issuer}/readyz`);
  const alive = await fetch(`${at.issuer}/livez`);
  return [response.status, await response.json(), alive.status] as const;
}
const READY = [200, { status: "ready", clock: "certain" }, 200];
const unready = (reason: string) => [
  503,
  { status: "unavailable", error: "temporarily_unavailable", reason },
  200,
];

describe("a SQLite file that another process has locked", () => {
  afterEach(() => void vi.useRealTimers());

  test("makes the node unready once a write has waited for two seconds, and a person waits and is answered", async () => {
    const path = folder.file("locked.db");
    const at = await startTestService({ database: `sqlite:${path}` });
    const client = await at.addClient({ consent: "never" });
    const begin = () => signIn(at, client, { domain: "carol.test" });
    try {
      await begin();
      const release = await lockFile(path);
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
      at.statements.length = 0;
      const waiting = begin();
      await until(() => at.statements.some((sql) => !sql.startsWith("SELECT")));
      vi.advanceTimersByTime(2100);
      const response = await fetch(`${at.issuer}/readyz`);
      const reason = expect.stringMatching(/^a write has waited 2 s /);
      const said = expect.objectContaining({ reason });
      expect([response.status, await response.json()]).toEqual([503, said]);
      vi.useRealTimers();
      await release();
      // A person has waited, and has not read an error.
      expect((await waiting).code).toMatch(/^dsc_/);
      expect(await health(at)).toEqual(READY);
    } finally {
      vi.useRealTimers();
      await at.close();
    }
  });
});

describe.skipIf(!isPossible)("SQLite", () => {
  test("a full disk makes the node unready until there is room again", async () => {
    const volume = await makeVolume(folder.file("disk.img"));
    const at = await startTestService({ database: `sqlite:${volume.folder}/domain-signin.db` });
    try {
      const client = await at.addClient({ consent: "never" });
      const { refresh_token } = await signInForTokens(at, client);
      expect(await health(at)).toEqual(READY);
      fill(volume.folder);
      // The log of the database has some room left.
      await expect.poll(() => health(at)).toEqual(unready("database or disk is full"));
      expect((await at.token(refresh(refresh_token), client)).status).toBe(503);
      rmSync(join(volume.folder, "filling"));
      expect(await health(at)).toEqual(READY);
      expect((await at.token(refresh(refresh_token), client)).status).toBe(200);
    } finally {
      await at.close();
      await volume.close({ lazily: true });
    }
  });

  function fill(place: string): void {
    const { bfree, bsize } = statfsSync(place);
    try {
      writeFileSync(join(place, "filling"), Buffer.alloc((bfree + 1) * bsize));
    } catch {
      // What fits is written.
    }
  }
});

postgresTests("PostgreSQL", () => {
  test.skipIf(process.env.DATABASE_URL !== undefined)(
    "a lost synchronous standby makes the node unready until it is back",
    async () => {
      const programs = await findPrograms(["initdb", "postgres"]);
      if ("missing" in programs) throw new Error(programs.missing);
      // The user that PostgreSQL runs as has to reach its folder.
      chmodSync(tmpdir(), statSync(tmpdir()).mode | 0o011);
      const server = await startOwnServer(programs.folder);
      const { url } = server;
      const engine = openPostgres(url);
      await migrate(engine);
      await engine.close();
      const operator = new Client({ connectionString: url });
      await operator.connect();
      const require = async (standbys: string) => {
        await operator.query(`ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
        await operator.query("SELECT pg_reload_conf()");
        const name = "synchronous_standby_names";
        const shown = async () => (await operator.query(`SHOW ${name}`)).rows[0][name];
        await expect.poll(shown).toBe(standbys);
      };
      const at = await startTestService({ database: url });
      try {
        expect(await health(at)).toEqual(READY);
        await require("gone");
        const reason = "the database did not confirm a write within 2000 ms";
        // The server applies the setting to all of its processes a moment after it shows it.
        await expect.poll(() => health(at), { timeout: 20_000 }).toEqual(unready(reason));
        await require("");
        await expect.poll(() => health(at), { timeout: 20_000 }).toEqual(READY);
      } finally {
        await require("");
        await operator.end();
        await at.close();
        await server.stop();
      }
    },
  );
});
