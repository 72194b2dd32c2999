// The look at DNS when a code is issued, and the evidence of it: what refuses a code, and what does not.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { Client } from "pg";
import { expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { flow } from "../support/flow.ts";
import { migratedDatabase, postgresTests, withSetting } from "../support/postgres.ts";
import { startTestService } from "../support/service.ts";
import { pkce, pkceParameters, redemption } from "../support/sign-in.ts";
import { withSqlite } from "../support/sqlite-file.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { dataAt } from "../support/validation-data.ts";

const folder = temporaryFolder("test");
const at = flow({
  start: () => startTestService({ database: folder.database("store.db") }),
  service: "test",
  registration: { consent: "always" },
});

/** A sign-in that waits for the person's consent. */
async function untilConsent() {
  const proof = pkce();
  const page = await at.until("consent", await at.open(pkceParameters(proof)));
  return { page, verifier: proof.verifier };
}

const allow = ({ page }: { page: Page }) =>
  at.submit(page, "consent-form", {}, { button: "allow" });

async function redeemed({ url }: Page, verifier: string) {
  const done = { code: new URL(url).searchParams.get("code") ?? "", verifier };
  const { status, body } = await at.token(redemption(at.client, done), at.client);
  return { status, data: body.validation_data, accessToken: String(body.access_token) };
}

const onDatabase = (sql: string) =>
  withSqlite(folder.file("store.db"), (engine) => engine.execute(sql, []));

async function rowsOf(table: "grants" | "evidence"): Promise<number> {
  return (await onDatabase(`SELECT * FROM ${table}`)).length;
}

test.each([
  ["names another account", "v=dsi1 sp=ISSUER acct=bbbbbbbbbbbbbbbbbbbbbb"],
  ["names another service", "v=dsi1 sp=https://sp.example.net acct=bbbbbbbbbbbbbbbbbbbbbb"],
  ["says that nobody may sign in", "v=dsi1 sp=none"],
  ["has gone", null],
])("nobody gets a code when the record %s by then, but a way back to the app", async (_, value) => {
  const waiting = await untilConsent();
  at.replaceRecord(value?.replace("ISSUER", at.issuer) ?? null);
  at.advance(301);
  const refused = await allow(waiting);
  expect([refused.stopped, refused.status, refused.step]).toEqual([false, 400, "problem"]);
  expect(refused.link("back-to-app")).toContain("error=access_denied");
  expect(at.events.filter((event) => event.startsWith("refused")).at(-1)).toContain("recordLost");
  expect([await rowsOf("grants"), await rowsOf("evidence")]).toEqual([0, 0]);
});

test("when DNS fails by then there is no code, but a way back to the app", async () => {
  const waiting = await untilConsent();
  await at.zone.close();
  at.advance(301);
  const failed = await allow(waiting);
  expect([failed.stopped, failed.status, failed.step]).toEqual([false, 503, "problem"]);
  expect(failed.html).toContain(`The DNS servers for ${at.domain} did not answer`);
  expect(failed.link("back-to-app")).toContain("error=access_denied");
  expect([await rowsOf("grants"), await rowsOf("evidence")]).toEqual([0, 0]);
});

test("a double click on the last step keeps one evidence, and both get the one code", async () => {
  const waiting = await untilConsent();
  const { url } = await allow(waiting);
  const complete = `${waiting.page.url.replace(/[^/]+$/, "")}complete`;
  const { redirectUri: stopAt } = at.client;
  const again = await Promise.all([1, 2, 3].map(() => at.agent.open(complete, { stopAt })));
  const codes = [url, ...again.map((page) => page.url)].map((each) =>
    new URL(each).searchParams.get("code"),
  );
  expect(codes[0]).toMatch(/^dsc_/);
  expect(new Set(codes).size).toBe(1);
  expect([await rowsOf("grants"), await rowsOf("evidence")]).toEqual([1, 1]);
});

test("a code whose evidence is missing is redeemed without validation_data", async () => {
  const waiting = await untilConsent();
  const answered = await allow(waiting);
  await onDatabase("DELETE FROM evidence");
  const { status, data, accessToken } = await redeemed(answered, waiting.verifier);
  expect([status, data]).toEqual([200, undefined]);
  expect((await dataAt(at, accessToken)).status).toBe(404);
});

postgresTests("on PostgreSQL", () => {
  const database = fixture(migratedDatabase);
  // The table is waited for, but not for as long as a statement may take.
  const node = flow({
    start: () => startTestService({ database: withSetting(database.url, "lock_timeout", "100") }),
  });

  test("a database that fails over the evidence has not spent the code", async () => {
    const done = await node.signIn();
    // Nobody can read the one table meanwhile; all others can be written.
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query("BEGIN; LOCK TABLE evidence IN ACCESS EXCLUSIVE MODE");
    const failed = await node.token(redemption(node.client, done), node.client);
    expect([failed.status, failed.body.error]).toEqual([503, "temporarily_unavailable"]);
    await holder.query("COMMIT");
    await holder.end();
    const { status, body } = await node.token(redemption(node.client, done), node.client);
    expect([status, typeof body.validation_data]).toEqual([200, "object"]);
  });
});
