// What a request costs the store: counted statement by statement.

import { beforeEach, expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import { givePasskey, usePasskey } from "../support/passkeys.ts";
import { authorizationUrl, openDomainPage, redemption, refresh } from "../support/sign-in.ts";

const at = flow();
beforeEach(() => at.signIn());

const isWrite = (sql: string) => !sql.startsWith("SELECT");

/** The history is written in the background. */
const inForeground = (statements: readonly string[]) =>
  statements.map((sql) => sql.trim()).filter((sql) => !sql.startsWith("INSERT INTO history"));

async function statementsOf(action: () => Promise<unknown>): Promise<string[]> {
  at.statements.length = 0;
  at.commits.length = 0;
  await action();
  return inForeground(at.statements);
}

test("GET /oauth/authorize writes nothing, signed in or not", async () => {
  const url = authorizationUrl(at, at.client);
  expect((await statementsOf(() => fetch(url))).filter(isWrite)).toEqual([]);
  const headers = at.cookies();
  const signedIn = await statementsOf(async () => {
    expect(await (await fetch(url, { headers })).text()).toContain("continue-form");
  });
  expect(signedIn.length).toBeGreaterThan(0);
  expect(signedIn.filter(isWrite)).toEqual([]);
});

test("prompt=none with a session writes the grant, evidence only for validation_data, and nothing else", async () => {
  const { client } = at;
  for (const validation_data of [true, false]) {
    at.client = validation_data ? client : await at.addClient({ validation_data });
    await at.signIn();
    const statements = await statementsOf(async () => expect(await at.silently()).toBeNull());
    expect(inForeground(statements).filter(isWrite)).toEqual([
      ...(validation_data ? [expect.stringMatching(/^INSERT INTO evidence/)] : []),
      expect.stringMatching(/^INSERT INTO grants/),
    ]);
  }
});

test("a refresh is one statement; so is an exchange, with a read of evidence before it for validation_data", async () => {
  let refreshToken = "";
  let { client } = at;
  for (const validation_data of [true, false]) {
    client = await at.addClient({ validation_data });
    const done = await at.signIn({ client });
    const exchange = await statementsOf(async () => {
      const { body } = await at.token(redemption(client, done), client);
      refreshToken = String(body.refresh_token);
      expect([typeof body.id_token, "validation_data" in body]).toEqual([
        "string",
        validation_data,
      ]);
    });
    // Not the other way round: see the grant type's own file.
    expect(inForeground(exchange).filter((sql) => !/FROM clients/.test(sql))).toEqual([
      ...(validation_data ? [expect.stringMatching(/^SELECT \* FROM evidence/)] : []),
      expect.stringMatching(/^UPDATE grants SET generation = 1/),
    ]);
  }
  const rotation = await statementsOf(async () => {
    expect((await at.token(refresh(refreshToken), client)).status).toBe(200);
  });
  expect(rotation).toEqual([expect.stringMatching(/^UPDATE grants SET generation = generation/)]);
});

test("a token with a wrong MAC costs no statement, of whatever kind it is", async () => {
  const { client } = at;
  const { refresh_token, access_token, signIn: done } = await at.tokens();
  const forged = (token: string) => token.slice(0, -4) + (token.endsWith("AAAA") ? "BBBB" : "AAAA");
  const statements = await statementsOf(async () => {
    const answers = [
      await at.token(refresh(forged(refresh_token)), client),
      await at.token({ ...redemption(client, done), code: forged(done.code) }, client),
    ];
    for (const { body } of answers) expect(body.error).toBe("invalid_grant");
    expect((await at.userinfo(forged(access_token))).status).toBe(401);
  });
  expect(statements).toEqual([]);
});

test("no stored text is a code, a token, a secret or a cookie", async () => {
  const { signIn: done, ...tokens } = await at.tokens();
  const pairs = at.cookies().cookie.split("; ");
  const cookies = pairs.map((pair) => pair.split("=")[1] ?? "");
  const secrets = [done.code, tokens.access_token, tokens.refresh_token, at.client.secret ?? ""];
  const all = [...secrets, ...cookies, done.verifier].filter((secret) => secret.length > 20);
  expect(all.length).toBeGreaterThanOrEqual(6);
  const stored = await at.dump();
  expect(stored).toContain("alice.test");
  for (const secret of all) expect(stored).not.toContain(secret);
});

/** What a sign-in commits. The first use within an hour, and each use of a passkey that counts, is recorded too. */
const signIn = (isUseRecorded: boolean, ...interaction: readonly RegExp[]) =>
  [
    ...(isUseRecorded ? [/^UPDATE passkeys/] : []),
    ...[/^UPDATE accounts SET acct = acct/, ...interaction],
    ...[/^INSERT INTO sessions/, /^UPDATE sessions SET notices_from/],
  ].map((one) => expect.stringMatching(one));

test("the answer of a passkey is one read, one commit and no look at DNS, once the look of the sign-in is there", async () => {
  const passkey = await givePasskey(at, at.domain);
  const stopAt = `${at.issuer}/interaction`;
  for (const isUseRecorded of [true, false]) {
    const page = await at.begin({ parameters: { prompt: "login" } });
    expect(page.step).toBe("passkey");
    const use = () => usePasskey(at.agent, page, passkey, { stopAt });
    const statements = await statementsOf(use);
    // A look would read what was accepted of the record before.
    expect(statements.join("\n")).not.toContain("record_key");
    const committed = signIn(isUseRecorded, /^UPDATE interactions SET account_id/);
    expect(statements).toEqual([expect.stringMatching(/^SELECT interactions\.\*/), ...committed]);
    expect(at.commits).toContain(committed.length);
  }
});

test("a passkey on the first page is one read and one commit", async () => {
  const passkey = await givePasskey(at, at.domain);
  const stopAt = `${at.issuer}/interaction`;
  for (const isUseRecorded of [true, false]) {
    const page = await openDomainPage(at.agent, authorizationUrl(at, at.client));
    const statements = await statementsOf(() => usePasskey(at.agent, page, passkey, { stopAt }));
    const committed = [
      ...signIn(isUseRecorded),
      expect.stringMatching(/^INSERT INTO interactions/),
    ];
    expect(statements).toEqual([
      expect.stringMatching(/^SELECT passkeys\.credential_id/),
      ...committed,
    ]);
    expect(at.commits).toContain(committed.length);
    // The challenge is used up by the statement that starts the session.
    expect(statements.join("\n")).toMatch(/ON CONFLICT \(started_by\)/);
  }
});
