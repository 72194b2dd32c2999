// What a request costs the store: counted statement by statement.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, expect, test } from "vitest";
import { givePasskey, usePasskey } from "../support/passkeys.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  authorizationUrl,
  openDomainPage,
  redemption,
  refresh,
  signIn,
  signInForTokens,
} from "../support/sign-in.ts";

let at: TestService;
let client: TestClient;
beforeAll(async () => {
  at = await startTestService();
  client = await at.addClient({ consent: "never" });
});
afterAll(() => at.close());

const isWrite = (sql: string) => !sql.startsWith("SELECT");

async function statementsOf(action: () => Promise<unknown>): Promise<string[]> {
  at.statements.length = 0;
  await action();
  return [...at.statements];
}

test("GET /oauth/authorize writes nothing, signed in or not", async () => {
  const url = authorizationUrl(at, client);
  expect((await statementsOf(() => fetch(url))).filter(isWrite)).toEqual([]);
  const { agent } = await signIn(at, client);
  const cookie = agent.cookies.header(url) ?? "";
  const signedIn = await statementsOf(async () => {
    expect(await (await fetch(url, { headers: { cookie } })).text()).toContain("continue-form");
  });
  expect(signedIn.length).toBeGreaterThan(0);
  expect(signedIn.filter(isWrite)).toEqual([]);
});

test("prompt=none with a session writes the grant and its evidence, and nothing else", async () => {
  const { agent } = await signIn(at, client);
  const url = authorizationUrl(at, client, { prompt: "none" });
  const statements = await statementsOf(async () => {
    const page = await agent.open(url, { stopAt: client.redirectUri });
    expect(new URL(page.url).searchParams.get("code")).toMatch(/^dsc_/);
  });
  expect(statements.filter(isWrite)).toEqual([
    expect.stringMatching(/^INSERT INTO evidence/),
    expect.stringMatching(/^INSERT INTO grants/),
  ]);
});

test("a refresh is one statement; so is an exchange, after a read of its evidence", async () => {
  const done = await signIn(at, client);
  let refreshToken = "";
  const exchange = await statementsOf(async () => {
    refreshToken = String((await at.token(redemption(client, done), client)).body.refresh_token);
  });
  // Not the other way round: see the grant type's own file.
  expect(exchange.filter((sql) => !/FROM clients/.test(sql))).toEqual([
    expect.stringMatching(/^SELECT \* FROM evidence/),
    expect.stringMatching(/^UPDATE grants SET generation = 1/),
  ]);
  const rotation = await statementsOf(async () => {
    expect((await at.token(refresh(refreshToken), client)).status).toBe(200);
  });
  expect(rotation).toEqual([expect.stringMatching(/^UPDATE grants SET generation = generation/)]);
});

test("a token with a wrong MAC costs no statement, of whatever kind it is", async () => {
  const { refresh_token, access_token, signIn: done } = await signInForTokens(at, client);
  const forged = (token: string) => token.slice(0, -4) + (token.endsWith("AAAA") ? "BBBB" : "AAAA");
  const statements = await statementsOf(async () => {
    const answers = [
      await at.token(refresh(forged(refresh_token)), client),
      await at.token({ ...redemption(client, done), code: forged(done.code) }, client),
    ];
    for (const { body } of answers) expect(body.error).toBe("invalid_grant");
    const authorization = `Bearer ${forged(access_token)}`;
    const answer = await fetch(`${at.issuer}/oauth/userinfo`, { headers: { authorization } });
    expect(answer.status).toBe(401);
  });
  expect(statements).toEqual([]);
});

test("no stored text is a code, a token, a secret or a cookie", async () => {
  const { signIn: done, ...tokens } = await signInForTokens(at, client);
  const cookies = (done.agent.cookies.header(at.issuer) ?? "")
    .split("; ")
    .map((pair) => pair.split("=")[1] ?? "");
  const secrets = [done.code, tokens.access_token, tokens.refresh_token, client.secret ?? ""];
  const all = [...secrets, ...cookies, done.verifier].filter((secret) => secret.length > 20);
  expect(all.length).toBeGreaterThanOrEqual(6);
  const stored = await at.dump();
  expect(stored).toContain("alice.test");
  for (const secret of all) expect(stored).not.toContain(secret);
});

/** In the words of the SQL; the history is written in the background. */
const inForeground = (statements: readonly string[]) =>
  statements.map((sql) => sql.trim()).filter((sql) => !sql.startsWith("INSERT INTO history"));

test("the answer of a passkey is three statements and no look at DNS, once the look of the sign-in is there", async () => {
  const { agent } = await signIn(at, client, { agent: createUserAgent(), domain: "bob.test" });
  const passkey = await givePasskey(at, "bob.test");
  const stopAt = `${at.issuer}/interaction`;
  for (const expected of [4, 3]) {
    const url = authorizationUrl(at, client, { prompt: "login" });
    const page = await agent.submit(await agent.open(url), "domain-form", { domain: "bob.test" });
    expect(page.step).toBe("passkey");
    const statements = inForeground(
      await statementsOf(() => usePasskey(agent, page, passkey, { stopAt })),
    );
    // A look would read what was accepted of the record before.
    expect(statements.join("\n")).not.toContain("record_key");
    expect(statements[0]).toMatch(/^SELECT interactions\.\*/);
    // The first within an hour, and each use of a passkey that counts, is recorded.
    if (expected === 4) expect(statements[1]).toMatch(/^UPDATE passkeys/);
    expect(statements.slice(-2)).toEqual([
      expect.stringMatching(/^UPDATE interactions/),
      expect.stringMatching(/^INSERT INTO sessions/),
    ]);
    expect(statements).toHaveLength(expected);
  }
});

test("a passkey on the first page is three statements: one read, the session, and the sign-in", async () => {
  const { agent } = await signIn(at, client, { agent: createUserAgent(), domain: "carol.test" });
  const passkey = await givePasskey(at, "carol.test");
  for (const isNoted of [false, true]) {
    const page = await openDomainPage(agent, authorizationUrl(at, client));
    const statements = await statementsOf(() =>
      usePasskey(agent, page, passkey, { stopAt: `${at.issuer}/interaction` }),
    );
    expect(inForeground(statements)).toEqual([
      expect.stringMatching(/^SELECT passkeys\.credential_id/),
      // The first within an hour, and each use of a passkey that counts, is recorded.
      ...(isNoted ? [] : [expect.stringMatching(/^UPDATE passkeys/)]),
      expect.stringMatching(/^INSERT INTO sessions/),
      expect.stringMatching(/^INSERT INTO interactions/),
    ]);
    // The challenge is used up by the statement that starts the session.
    expect(statements.join("\n")).toMatch(/ON CONFLICT \(started_by\)/);
  }
});
