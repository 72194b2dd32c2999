// A service on PostgreSQL: the schema is made by `domain-signin migrate`, never by a start.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withDatabase } from "../../../src/cli/command-database.ts";
import { openPostgres } from "../../../src/database/postgres.ts";
import { OperatorError, UnavailableError } from "../../../src/lib/errors.ts";
import { createService } from "../../../src/service.ts";
import { command } from "../../support/command.ts";
import { postgresFixture, postgresTests } from "../../support/postgres.ts";

postgresTests("PostgreSQL", () => {
  const database = postgresFixture("test");
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "domain-signin-command-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function startService() {
    return createService({
      issuer: "http://localhost:9",
      database: database.url,
      secret: "a secret for tests, and for nothing else",
      dnsServers: ["127.0.0.1:9"],
      minAssurance: "single",
      allowedSpecialNames: [],
    });
  }

  /** By the environment, where a URL with a password belongs. */
  function commandOn(...args: string[]) {
    return command(args, { folder, env: { DOMAIN_SIGNIN_DATABASE: database.url } });
  }

  test("a start on a database without a schema is refused, and makes none", async () => {
    const service = startService();
    await expect(service.ready()).rejects.toThrow(OperatorError);
    await expect(service.ready()).rejects.toThrow("run `domain-signin migrate` first");
    await service.close();
    const opened = withDatabase(database.url, ({ ready }) => ready);
    await expect(opened).rejects.toThrow("run `domain-signin migrate` first");
    const engine = openPostgres(database.url);
    expect(await engine.schemaVersion()).toBe(0);
    await engine.close();
  });

  test("two first starts after the migration agree on the keys and serve", async () => {
    const migrated = await commandOn("migrate", "--json");
    const done = { status: 0, stdout: expect.stringMatching(/^{"schema":\d+}\n$/) };
    expect(migrated).toMatchObject(done);
    expect(JSON.parse(migrated.stderr)).toMatchObject({ command: "migrate" });
    // The second one changes nothing, so it is no change in the log either.
    expect(await commandOn("migrate", "--json")).toEqual({ ...done, stderr: "" });
    const services = [startService(), startService()];
    await Promise.all(services.map((service) => service.ready()));
    const request = new Request("http://localhost:9/.well-known/oauth-authorization-server");
    for (const service of services) {
      const answer = await service.fetch(request, { clientAddress: "127.0.0.1" });
      expect(answer.status).toBe(200);
      await service.close();
      await expect(service.clients.list()).rejects.toThrow(UnavailableError);
    }
  });

  test("the command migrates, tells the schema, and a start without it ends with status 2", async () => {
    const refused = await commandOn("serve", "--issuer", "http://localhost:9", "--port", "0");
    expect(refused.status).toBe(2);
    expect(refused.stderr).toBe(
      "the database has no schema yet: run `domain-signin migrate` first\n",
    );
    const migrated = await commandOn("migrate", "--json");
    expect(migrated.status).toBe(0);
    expect(JSON.parse(migrated.stdout)).toEqual({ schema: expect.any(Number) });
    expect((await commandOn("clients", "list", "--json")).stdout).toBe("[]\n");
  });

  test("a server that is not there ends a command with status 3", async () => {
    const nowhere = "postgres://user:a-secret-password@127.0.0.1:1/name";
    const result = await command(["migrate"], { folder, env: { DOMAIN_SIGNIN_DATABASE: nowhere } });
    expect(result).toMatchObject({ status: 3, stdout: "" });
    expect(result.stderr).toContain("unavailable: cannot connect to the database");
    expect(result.stderr).not.toContain("a-secret-password");
  });
});
