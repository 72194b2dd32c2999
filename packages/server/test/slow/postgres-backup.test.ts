// Backups of PostgreSQL that docs/operations.md describes, made while a service is in use.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { migrate } from "../../src/database/migrations.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { command } from "../support/command.ts";
import { postgresTests } from "../support/postgres.ts";
import { findPrograms, run } from "../support/postgres-programs.ts";
import { type OwnServer, startCopyOf, startOwnServer } from "../support/postgres-server.ts";
import {
  startTestService,
  TEST_SECRET,
  type TestClient,
  type TestService,
} from "../support/service.ts";
import { refresh, signInForTokens } from "../support/sign-in.ts";

const PROGRAMS = [
  "initdb",
  "postgres",
  "createdb",
  "dropdb",
  "pg_dump",
  "pg_restore",
  "pg_basebackup",
];
/** Apps that refresh their tokens all the time. */
const APPS = 6;

/** What a backup must have: by grant, how often it was used. */
type Generations = ReadonlyMap<string, number>;

postgresTests("backups of PostgreSQL", () => {
  let programs = "";
  let server: OwnServer;
  let folder: string;
  let url: string;
  let at: TestService;
  let client: TestClient;
  let load: Awaited<ReturnType<typeof startLoad>>;
  beforeAll(async () => {
    const found = await findPrograms(PROGRAMS);
    if ("missing" in found) throw new Error(found.missing);
    programs = found.folder;
    server = await startOwnServer(programs);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "domain-signin-"));
    await tool(
      "createdb",
      "--encoding",
      "UTF8",
      "--template",
      "template0",
      ...on(server.url),
      "domain_signin",
    );
    url = databaseOn(server, "domain_signin");
    const engine = openPostgres(url);
    await migrate(engine);
    await engine.close();
    at = await startTestService({ database: url });
    client = await at.addClient({ consent: "never" });
    load = await startLoad();
  });
  afterEach(async () => {
    await load.stop();
    await at.close();
    await tool("dropdb", "--force", ...on(server.url), "domain_signin");
    rmSync(folder, { recursive: true });
  });

  const tool = (name: string, ...args: string[]) =>
    run(join(programs, name), args, { cwd: folder });
  /** The server, for programs that make databases. */
  const on = (database: string) => ["--maintenance-db", database];
  const databaseOn = (on: OwnServer, name: string) =>
    Object.assign(new URL(on.url), { pathname: `/${name}` }).href;

  /** Refreshes and signs in until it is stopped. Fails if a request does. */
  async function startLoad() {
    let isOver = false;
    let answers = 0;
    const latest: string[] = [];
    async function refreshOn(app: number): Promise<void> {
      while (!isOver) {
        const { status, body } = await at.token(refresh(latest[app] ?? ""), client);
        if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
        latest[app] = String(body.refresh_token);
        answers++;
      }
    }
    // To an account of its own: each sign-in beyond the limits of an account ends its oldest grant.
    async function signInAgain(): Promise<void> {
      const other = { agent: createUserAgent(), domain: "bob.test" };
      while (!isOver) {
        await signInForTokens(at, client, other);
        answers++;
      }
    }
    const agent = createUserAgent();
    const first = await signInForTokens(at, client, { agent });
    for (let app = 0; app < APPS; app++) {
      latest.push((await signInForTokens(at, client, { agent })).refresh_token);
    }
    const all = Promise.all([signInAgain(), ...latest.map((_, app) => refreshOn(app))]);
    all.catch(() => {});
    while (answers < 50) await Promise.race([all, turn()]);
    return {
      first,
      latest,
      answers: () => answers,
      async stop() {
        isOver = true;
        await all;
      },
    };
  }

  async function generationsIn(database: string): Promise<Generations> {
    const engine = openPostgres(database);
    try {
      const rows = await engine.execute("SELECT id, generation FROM grants", []);
      return new Map(rows.map(({ id, generation }) => [String(id), Number(generation)]));
    } finally {
      await engine.close();
    }
  }

  /** What was committed before the backup is there, and nothing that was not. */
  async function expectConsistent(
    copy: string,
    before: Generations,
    after: Generations,
  ): Promise<void> {
    const found = await generationsIn(copy);
    for (const [id, generation] of before) expect(found.get(id)).toBeGreaterThanOrEqual(generation);
    for (const [id, generation] of found) expect(after.get(id)).toBeGreaterThanOrEqual(generation);
    const engine = openPostgres(copy);
    const strays = await engine.execute(
      `SELECT id FROM grants WHERE account_id NOT IN (SELECT id FROM accounts)
          OR client_id NOT IN (SELECT id FROM clients)
       UNION ALL SELECT sid FROM sessions WHERE account_id NOT IN (SELECT id FROM accounts)`,
      [],
    );
    expect(strays).toEqual([]);
    await engine.close();
  }

  /** The last step of a restore, and what it leaves: accounts, and nothing to present. */
  async function expectRestored(copy: string): Promise<void> {
    const sub = async (service: TestService) =>
      (await service.store.accounts.accountsOf("alice.test"))[0]?.id;
    const known = await sub(at);
    await load.stop();
    const env = { DOMAIN_SIGNIN_DATABASE: copy, DOMAIN_SIGNIN_SECRET: TEST_SECRET };
    const restored = await command(["restored"], { folder, env });
    expect(restored.status, restored.stderr).toBe(0);
    const again = await startTestService({ database: copy, config: { issuer: at.issuer } });
    for (const token of [load.first.refresh_token, ...load.latest]) {
      expect((await again.token(refresh(token), client)).body.error).toBe("invalid_grant");
    }
    expect(await sub(again)).toBe(known);
    expect((await fetch(`${again.issuer}/readyz`)).status).toBe(200);
    await again.close();
  }

  test("pg_dump and pg_restore", async () => {
    const dump = join(folder, "domain-signin.dump");
    const before = await generationsIn(url);
    const answered = load.answers();
    await tool("pg_dump", "--format=custom", "--file", dump, "--dbname", url);
    const during = load.answers() - answered;
    const after = await generationsIn(url);
    expect(during).toBeGreaterThan(0);
    expect(existsSync(dump)).toBe(true);

    await tool(
      "createdb",
      "--encoding",
      "UTF8",
      "--template",
      "template0",
      ...on(server.url),
      "restored",
    );
    const copy = databaseOn(server, "restored");
    await tool("pg_restore", "--single-transaction", "--no-owner", "--dbname", copy, dump);
    await expectConsistent(copy, before, after);
    await expectRestored(copy);
    await tool("dropdb", ...on(server.url), "restored");
  });

  test("pg_basebackup, and a start of the copy", async () => {
    const before = await generationsIn(url);
    const answered = load.answers();
    const copied = await startCopyOf(server, programs, [
      "--checkpoint=fast",
      "--wal-method=stream",
    ]);
    expect(load.answers() - answered).toBeGreaterThan(0);
    const after = await generationsIn(url);
    const copy = databaseOn(copied, "domain_signin");
    await expectConsistent(copy, before, after);
    await expectRestored(copy);
    await copied.stop();
  });

  test("a copy that lacks a grant, or has an older state of one, is found to be inconsistent", async () => {
    const before = await generationsIn(url);
    const [id] = [...before.keys()];
    const after = new Map([...before].filter(([known]) => known !== id));
    await expect(expectConsistent(url, before, after)).rejects.toThrow();
    const later = new Map([...before].map(([known, generation]) => [known, generation + 100_000]));
    await expect(expectConsistent(url, later, later)).rejects.toThrow();
  });
});

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
