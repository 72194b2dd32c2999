// The look at DNS when a code is issued, and the evidence of it: what refuses a code, and what does not.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate } from "../../src/store/migrations.ts";
import { openPostgres } from "../../src/store/postgres.ts";
import { openSqlite } from "../../src/store/sqlite.ts";
import { freshDatabase, postgresTests, withSetting } from "../support/postgres.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  answerPage,
  authorizationUrl,
  pkce,
  pkceParameters,
  redemption,
  signIn,
} from "../support/sign-in.ts";
import { dataAt } from "../support/validation-data.ts";

let folder = "";
let at: TestService;
let client: TestClient;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "domain-signin-evidence-"));
  at = await startTestService({ database: `sqlite:${join(folder, "store.db")}` });
  client = await at.addClient({ consent: "always" });
});
afterEach(async () => {
  await at.close().catch(() => {});
  rmSync(folder, { recursive: true });
});

interface AtConsent {
  readonly agent: UserAgent;
  readonly page: Page;
  readonly verifier: string;
}

/** A sign-in that waits for the person's consent. */
async function untilConsent(): Promise<AtConsent> {
  const agent = createUserAgent();
  const proof = pkce();
  const way = { domain: "alice.test", stopAt: client.redirectUri };
  let page = await agent.open(authorizationUrl(at, client, pkceParameters(proof)));
  while (page.step !== "consent") page = await answerPage(at, agent, page, way);
  return { agent, page, verifier: proof.verifier };
}

function allow({ agent, page }: AtConsent): Promise<Page> {
  return answerPage(at, agent, page, { domain: "alice.test", stopAt: client.redirectUri });
}

async function redeemed({ url }: Page, verifier: string) {
  const answer = new URL(url).searchParams;
  const done = { code: answer.get("code") ?? "", verifier, answer, agent: createUserAgent() };
  const signedIn = { ...done, steps: [] };
  const { status, body } = await at.token(redemption(client, signedIn), client);
  const data = body.validation_data;
  return {
    status,
    data,
    signIn: signedIn,
    accessToken: String(body.access_token),
    refreshToken: "",
  };
}

async function rowsOf(table: "grants" | "evidence"): Promise<number> {
  const engine = openSqlite(join(folder, "store.db"));
  const rows = await engine.execute(`SELECT * FROM ${table}`, []);
  await engine.close();
  return rows.length;
}

test.each([
  ["names another account", "v=dsi1; sp=ISSUER; acct=bbbbbbbbbbbbbbbbbbbbbb"],
  ["names another service", "v=dsi1; sp=https://sp.example.net; acct=bbbbbbbbbbbbbbbbbbbbbb"],
  ["says that nobody may sign in", "v=dsi1; sp=none"],
  ["has gone", null],
])("nobody gets a code when the record %s by then, but a way back to the app", async (_, value) => {
  const waiting = await untilConsent();
  for (const record of at.zone.records()) at.zone.remove(record);
  if (value !== null) {
    const name = "_domain-signin.alice.test";
    at.zone.add({ name, type: "TXT", value: value.replace("ISSUER", at.issuer), ttl: 300 });
  }
  at.advance(301);
  const refused = await allow(waiting);
  expect([refused.stopped, refused.status, refused.step]).toEqual([false, 400, "problem"]);
  expect(refused.link("back-to-app")).toContain("error=access_denied");
  expect(at.events.filter((event) => event.startsWith("refused")).at(-1)).toContain("expired");
  expect([await rowsOf("grants"), await rowsOf("evidence")]).toEqual([0, 0]);
});

test("when DNS fails by then there is no code, but a way back to the app", async () => {
  const waiting = await untilConsent();
  await at.zone.close();
  at.advance(301);
  const failed = await allow(waiting);
  expect([failed.stopped, failed.status, failed.step]).toEqual([false, 503, "problem"]);
  expect(failed.html).toContain("The DNS servers for alice.test did not answer");
  expect(failed.link("back-to-app")).toContain("error=access_denied");
  expect([await rowsOf("grants"), await rowsOf("evidence")]).toEqual([0, 0]);
});

test("a double click on the last step keeps one evidence, and both get the one code", async () => {
  const waiting = await untilConsent();
  const { url } = await allow(waiting);
  const complete = `${waiting.page.url.replace(/[^/]+$/, "")}complete`;
  const { redirectUri: stopAt } = client;
  const again = await Promise.all([1, 2, 3].map(() => waiting.agent.open(complete, { stopAt })));
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
  const engine = openSqlite(join(folder, "store.db"));
  await engine.execute("DELETE FROM evidence", []);
  await engine.close();
  const { status, data, accessToken } = await redeemed(answered, waiting.verifier);
  expect([status, data]).toEqual([200, undefined]);
  expect((await dataAt(at, accessToken)).status).toBe(404);
});

postgresTests("on PostgreSQL", () => {
  test("a database that fails over the evidence has not spent the code", async () => {
    const { url, drop } = await freshDatabase();
    const engine = openPostgres(url);
    await migrate(engine);
    await engine.close();
    // The table is waited for, but not for as long as a statement may take.
    const node = await startTestService({ database: withSetting(url, "lock_timeout", "100") });
    const app = await node.addClient({ consent: "never" });
    const done = await signIn(node, app);
    // Nobody can read the one table meanwhile; all others can be written.
    const holder = new Client({ connectionString: url });
    await holder.connect();
    await holder.query("BEGIN; LOCK TABLE evidence IN ACCESS EXCLUSIVE MODE");
    const failed = await node.token(redemption(app, done), app);
    expect([failed.status, failed.body.error]).toEqual([503, "temporarily_unavailable"]);
    await holder.query("COMMIT");
    await holder.end();
    const { status, body } = await node.token(redemption(app, done), app);
    expect([status, typeof body.validation_data]).toEqual([200, "object"]);
    await node.close();
    await drop();
  });
});
