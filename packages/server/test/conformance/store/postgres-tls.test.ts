// Connections to PostgreSQL over TLS, as `sslmode` and `sslrootcert` in the address ask for.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { SqlEngine } from "../../../src/database/engine.ts";
import { openPostgres, type PostgresOptions } from "../../../src/database/postgres.ts";
import { UnavailableError } from "../../../src/lib/errors.ts";
import { makeAuthority } from "../../support/certificates.ts";
import { fixture } from "../../support/fixture.ts";
import { passingTime, until } from "../../support/moving-time.ts";
import { postgresFixture, postgresTests } from "../../support/postgres.ts";
import { makeGate } from "../../support/postgres-gate.ts";
import { tlsFrontOf } from "../../support/postgres-tls.ts";
import { wayTo } from "../../support/postgres-way.ts";

const ONE = "SELECT 1 AS one";

postgresTests("PostgreSQL over TLS", () => {
  const authority = makeAuthority();
  const folder = mkdtempSync(join(tmpdir(), "domain-signin-tls-"));
  const rootCertificate = join(folder, "authority.pem");
  const database = postgresFixture();
  const gate = fixture(() => makeGate(database.url));
  const front = fixture(() => tlsFrontOf(new URL(database.url), authority.issue("localhost")));
  const opened: SqlEngine[] = [];
  const ways: { close(): Promise<void> }[] = [];
  beforeAll(() => writeFileSync(rootCertificate, authority.ca));
  afterEach(async () => {
    vi.useRealTimers();
    // First, because no connection ends while the way is silent.
    for (const way of ways.splice(0)) await way.close();
    await Promise.all(opened.splice(0).map((engine) => engine.close()));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function open(url: URL | string, options: PostgresOptions = {}): SqlEngine {
    const withTls = new URL(url);
    withTls.searchParams.set("sslmode", "verify-full");
    withTls.searchParams.set("sslrootcert", rootCertificate);
    const engine = openPostgres(withTls.href, options);
    opened.push(engine);
    return engine;
  }
  /** On which a test can get in between; the certificate stays that of `localhost`. */
  async function wayToFront() {
    const way = await wayTo(front.url);
    const url = new URL(way.url);
    url.hostname = "localhost";
    ways.push(way);
    return { ...way, url };
  }

  test("runs statements on a server whose certificate is valid for its name", async () => {
    expect(await open(front.url).execute(ONE, [])).toEqual([{ one: 1 }]);
  });

  test("refuses a server whose certificate has expired, or is for another name or by another authority", async () => {
    const others = [
      [authority.issue("db.example.com"), "Hostname/IP does not match certificate's altnames"],
      [makeAuthority().issue("localhost"), "unable to verify the first certificate"],
      [authority.issue("localhost", -1), "certificate has expired"],
    ] as const;
    for (const [certificate, reason] of others) {
      const other = await tlsFrontOf(new URL(database.url), certificate);
      const asked = open(other.url).execute(ONE, []);
      await expect(asked).rejects.toThrow(UnavailableError);
      await expect(asked).rejects.toThrow(`cannot connect to the database: ${reason}`);
      await other.close();
    }
  });

  test("refuses a server without TLS", async () => {
    const asked = open(database.url).execute(ONE, []);
    await expect(asked).rejects.toThrow(UnavailableError);
    await expect(asked).rejects.toThrow("The server does not support SSL connections");
  });

  test("a server that falls silent is waited for, and is asked until it is back", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    const way = await wayToFront();
    const engine = open(way.url, { connections: 2 });
    await engine.execute(ONE, []);
    way.silent(true);
    const sent = engine.execute(ONE, []);
    await gate.pass(1000, way);
    const waits = engine.execute(ONE, []);
    const late = engine.execute(ONE, [], { waitMs: 500 });
    const refused = expect(late).rejects.toThrow("the database does not answer");
    await gate.pass(2000, way);
    await refused;
    way.silent(false);
    await passingTime(Promise.all([sent, waits]));
  });

  test("one slow statement is no outage, because the server answers on another connection", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    const way = await wayToFront();
    const engine = open(way.url, { connections: 2, deadline: 5000 });
    // Otherwise a connection would have to be opened first.
    await Promise.all([engine.execute(ONE, []), engine.execute(ONE, [])]);
    await gate.shut();
    const slow = engine.execute(gate.statement, []);
    slow.catch(() => {});
    await until(async () => (await gate.waiting()) === 1);
    await gate.pass(3000, way);
    await gate.open();
    await expect(slow).resolves.toEqual([{ passed: 0 }]);
  });
});
