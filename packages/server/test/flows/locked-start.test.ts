// A start that waits for a lock of another process: it waits, it can be stopped, and it goes on.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { migrate } from "../../src/database/migrations.ts";
import { UnavailableError } from "../../src/lib/errors.ts";
import { createService } from "../../src/service.ts";
import { lockFile } from "../support/database-outage.ts";
import { until } from "../support/moving-time.ts";
import { CLI } from "../support/serve.ts";
import { withSqlite } from "../support/sqlite-file.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("test");
let release: () => Promise<void>;
beforeEach(async () => {
  const path = folder.file("domain-signin.db");
  await withSqlite(path, (engine) => migrate(engine));
  release = await lockFile(path);
});
afterEach(async () => {
  vi.useRealTimers();
  await release();
});

/** A service that waits in its start. With a secret it waits in the service, without one before that. */
async function startServing(secret?: string) {
  const settings = {
    DOMAIN_SIGNIN_ISSUER: "http://localhost:8080",
    DOMAIN_SIGNIN_PORT: "0",
    DOMAIN_SIGNIN_DNS_SERVERS: "127.0.0.1:9",
    DOMAIN_SIGNIN_MIN_ASSURANCE: "single",
    ...(secret !== undefined && { DOMAIN_SIGNIN_SECRET: secret }),
  };
  const child = spawn(process.execPath, [CLI, "serve", "--json"], {
    ...{ cwd: folder.path, env: { ...process.env, ...settings } },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  await until(() => existsSync(folder.file("domain-signin.db-lock")));
  return { child, ended };
}

test.each([
  ["in the service", "a secret for tests, and for nothing else"],
  ["before its secret is made", undefined],
])("a signal ends a start that waits %s", async (_, secret) => {
  const { child, ended } = await startServing(secret);
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

test("the end of the lock lets the start go on", async () => {
  const { child, ended } = await startServing();
  await release();
  const [line] = await once(child.stdout, "data");
  expect(JSON.parse(String(line))).toMatchObject({ pid: child.pid });
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

test("the log says what a start waits for, every ten seconds, and a close ends the start", async () => {
  const lines: { msg: string; what: string; seconds: number }[] = [];
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const service = createService(
    {
      issuer: "http://localhost:8080",
      database: folder.database(),
      secret: "a secret for tests, and for nothing else",
      dnsServers: ["127.0.0.1:9"],
      minAssurance: "single",
      allowedSpecialNames: [],
    },
    { log: { write: (line) => void lines.push(JSON.parse(line)) } },
  );
  const ready = service.ready().catch((error: unknown) => error);
  // That of the start, and that of the lock.
  await until(() => vi.getTimerCount() === 2);
  vi.advanceTimersByTime(22_000);
  const waits = lines.filter(({ msg }) => msg === "waiting");
  const what = expect.stringMatching(/^another process has locked the database/);
  expect(waits).toContainEqual(expect.objectContaining({ what, seconds: 10 }));
  expect(waits).toContainEqual(expect.objectContaining({ what, seconds: 20 }));
  expect(waits.filter(({ what }) => what.includes("the machine is busy"))).toEqual([]);
  vi.useRealTimers();
  await service.close();
  expect(await ready).toBeInstanceOf(UnavailableError);
});
