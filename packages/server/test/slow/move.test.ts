// A move of many grants, with the time of each phase: `MOVE_GRANTS=1000000 npx vitest run --project slow move.test`.

import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openSqlite } from "../../src/database/sqlite.ts";
import { openKeyring } from "../../src/keys/keyring.ts";
import { sealWith } from "../../src/keys/seal.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { mintRefreshToken } from "../../src/oauth/grant-token.ts";
import { createStore } from "../../src/store/store.ts";
import { filesClosed } from "../support/closed-files.ts";
import { freshDatabase, postgresTests } from "../support/postgres.ts";
import { startTestService, TEST_SECRET } from "../support/service.ts";
import { refresh, signInForTokens } from "../support/sign-in.ts";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const GRANTS = Number(process.env.MOVE_GRANTS ?? 20_000);
const GRANTS_OF_ACCOUNT = 10;
const SAMPLES = 200;

/** Copies of one account and of its grant, each with an id of its own. */
const ACCOUNTS = `
  WITH RECURSIVE copy (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < ?1)
  INSERT INTO accounts (id, domain, sp, acct, created_at, code_set)
  SELECT 'copy-' || number, number || '.example', sp, lower(hex(randomblob(11))), created_at, code_set
    FROM copy, accounts WHERE domain = 'alice.test'`;
const GRANTS_OF_ACCOUNTS = `
  WITH RECURSIVE copy (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < ?1)
  INSERT INTO grants (id, client_id, account_id, redirect_uri, scope, code_challenge, nonce, auth_time, amr,
    created_at, code_expires_at, generation, rotated_at, refresh_expires_at, expires_at, control_checked_at)
  SELECT substr(id, 1, 4) || printf('%08x', number) || lower(hex(randomblob(10))), client_id,
    'copy-' || (1 + number % ?2), redirect_uri, scope, lower(hex(randomblob(16))), nonce, auth_time, amr,
    created_at, code_expires_at, generation, rotated_at, refresh_expires_at, expires_at, control_checked_at
    FROM copy, (SELECT * FROM grants LIMIT 1)`;

postgresTests("a large move", () => {
  test(`${GRANTS} grants are moved, and tokens from before are refreshed after it`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "domain-signin-"));
    const path = join(folder, "old.db");
    const database = await freshDatabase();
    const times: string[] = [];
    const timed = async <T>(phase: string, task: () => Promise<T>): Promise<T> => {
      const begun = performance.now();
      const result = await task();
      times.push(`${phase}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
      return result;
    };

    const old = await startTestService({ database: `sqlite:${path}` });
    const client = await old.addClient();
    await signInForTokens(old, client);
    await old.close();
    const tokens = await timed(`fill SQLite with ${GRANTS} grants`, () => fill(path));
    await filesClosed();
    times.push(`size of the SQLite file: ${Math.round((await stat(path)).size / 2 ** 20)} MiB`);

    // As operations.md says: the password is not among the arguments, which other users can see.
    const to = Object.assign(new URL(database.url), { password: "" }).href;
    const args = ["move", "--from", `sqlite:${path}`, "--to", to, "--json"];
    const moved = await timed("move, in all", () =>
      program(args, { cwd: folder, password: new URL(database.url).password, times }),
    );
    expect(moved.status, moved.stderr).toBe(0);
    const { tables } = JSON.parse(moved.stdout) as { tables: { table: string; rows: number }[] };
    expect(tables.find(({ table }) => table === "grants")?.rows).toBe(GRANTS + 1);

    const at = await startTestService({
      database: database.url,
      port: Number(new URL(old.issuer).port),
    });
    await timed(`refresh ${tokens.length} tokens from before the move`, async () => {
      for (const token of tokens) {
        const { status, body } = await at.token(refresh(token), client);
        expect(status, JSON.stringify(body)).toBe(200);
      }
    });
    await at.close();
    await database.drop();
    await rm(folder, { recursive: true });
    console.log(times.join("\n"));
  }, 3_600_000);
});

/** Returns refresh tokens of random grants. */
async function fill(path: string): Promise<string[]> {
  const engine = openSqlite(path);
  const store = createStore(engine);
  const accounts = Math.ceil(GRANTS / GRANTS_OF_ACCOUNT);
  await engine.execute(ACCOUNTS, [accounts]);
  await engine.execute(GRANTS_OF_ACCOUNTS, [GRANTS, accounts]);
  const seal = sealWith(TEST_SECRET, systemRandom);
  const keyring = await openKeyring({ ...store, seal, clock: systemClock, random: systemRandom });
  const tokens: string[] = [];
  while (tokens.length < SAMPLES) {
    const sql = `SELECT id, generation, rotated_at FROM grants WHERE account_id LIKE 'copy-%' LIMIT 1 OFFSET ?1`;
    const [grant] = await engine.execute(sql, [randomInt(GRANTS)]);
    if (grant === undefined) throw new Error("no grants");
    const { id, generation, rotated_at } = grant;
    tokens.push(mintRefreshToken(keyring, String(id), Number(generation), Number(rotated_at)));
  }
  await store.close();
  return [...new Set(tokens)];
}

/** Runs the program, and notes the times of its phases and its memory. */
async function program(
  args: readonly string[],
  { cwd, password, times }: { cwd: string; password: string; times: string[] },
) {
  const measured = `process.on("exit", () => console.error("memory " + process.resourceUsage().maxRSS))`;
  const options = `--import=data:text/javascript,${encodeURIComponent(measured)}`;
  const begun = performance.now();
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: { ...process.env, NODE_OPTIONS: options, PGPASSWORD: password },
  });
  const [out, err]: [string[], string[]] = [[], []];
  let copied = begun;
  child.stdout.on("data", (chunk) => out.push(String(chunk)));
  child.stderr.on("data", (chunk) => {
    err.push(String(chunk));
    if (String(chunk).includes("copied")) copied = performance.now();
  });
  const status = await new Promise((resolve) => child.once("close", resolve));
  const stderr = err.join("");
  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
  times.push(`copy: ${seconds(begun, copied)}`, `compare: ${seconds(copied, performance.now())}`);
  const memory = Number(/^memory (\d+)$/m.exec(stderr)?.[1]);
  times.push(`memory of the program, at most: ${Math.round(memory / 1024)} MiB`);
  return { status, stdout: out.join(""), stderr };
}
