// Databases behind the real PgBouncer: with pool_mode=session they work, otherwise they are refused.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { command, complaints } from "../support/command.ts";
import { noteSecret } from "../support/log-run.ts";
import { postgresTests } from "../support/postgres.ts";
import { accepts, findProgram } from "../support/programs.ts";
import { freePort } from "../support/serve.ts";

const PGBOUNCER = findProgram("pgbouncer", ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"]);

const APP = ["--name", "App", "--redirect-uri", "https://app.example.org/callback"];

/** PgBouncer in front of a database, until `stop`. */
async function startPgBouncer(folder: string, database: URL, mode: string) {
  const port = await freePort();
  const config = join(folder, `${mode}.ini`);
  const { hostname, port: serverPort, username, password, pathname } = database;
  const server = { host: hostname, port: serverPort || "5432", dbname: pathname.slice(1) };
  const as = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  const parts = Object.entries({ ...server, ...as }).map(([name, value]) => `${name}='${value}'`);
  await writeFile(
    config,
    `[databases]\nbehind = ${parts.join(" ")}\n
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
  );
  await chmod(config, 0o644);
  // It refuses to be root.
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn(String(PGBOUNCER), [...user, config], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = text(child.stderr);
  const ended = once(child, "exit");
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(await said);
    await sleep(50);
  }
  return {
    url: `postgres://me@127.0.0.1:${port}/behind`,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

postgresTests("on PostgreSQL", () => {
  describe.skipIf(PGBOUNCER === undefined)("behind PgBouncer", () => {
    const name = `pgbouncer_${randomBytes(6).toString("hex")}`;
    let folder: string;
    let admin: Client;
    let database: URL;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "domain-signin-pgbouncer-"));
      await chmod(folder, 0o755);
      // The folder of this worker, which other users may not enter.
      await chmod(tmpdir(), (await stat(tmpdir())).mode | 0o011);
      const found = inject("postgres");
      if ("missing" in found) throw new Error(found.missing);
      database = new URL(found.url);
      database.pathname = `/${name}`;
      admin = new Client({ connectionString: found.url });
      await admin.connect();
      await admin.query(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
    });
    afterAll(async () => {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
      await rm(folder, { recursive: true, force: true });
    });

    /** What the commands answer, one after the other. */
    async function run(mode: string, ...commands: string[][]) {
      const pooler = await startPgBouncer(folder, database, mode);
      const env = { DOMAIN_SIGNIN_DATABASE: pooler.url };
      const answers: Awaited<ReturnType<typeof command>>[] = [];
      try {
        for (const args of commands) answers.push(await command(args, { folder, env }));
      } finally {
        await pooler.stop();
      }
      return answers;
    }

    test("with pool_mode=session the commands work", async () => {
      const add = ["clients", "add", "--json", ...APP];
      const answers = await run("session", ["migrate"], add, ["clients", "list"]);
      expect(answers.map(({ status }) => status)).toEqual([0, 0, 0]);
      expect(answers.map(complaints)).toEqual(["", "", ""]);
      noteSecret("client secret", JSON.parse(answers[1]?.stdout ?? "").client_secret);
      expect(answers[2]?.stdout).toMatch(/^dsid_\S+ {2}confidential {2}App\n$/);
    });

    test.each(["transaction", "statement"])(
      "with pool_mode=%s every one is refused, and the setting is named",
      async (mode) => {
        const serve = ["serve", "--issuer", "https://auth.example.com", "--port", "0"];
        const answers = await run(mode, ["migrate"], ["clients", "list"], serve);
        expect(answers.map(({ status }) => status)).toEqual([2, 2, 2]);
        for (const { stderr } of answers) {
          expect(stderr).toMatch(
            /^the database is behind a connection pooler .*pool_mode=session/m,
          );
        }
      },
    );
  });
});
