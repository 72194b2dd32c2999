// `grants list` and `grants revoke` as an operator runs them, with every mistake.

import { expect, test } from "vitest";
import { refused } from "../support/command.ts";
import { flow } from "../support/flow.ts";
import { startOperatedService } from "../support/operated-service.ts";
import { startSecondNode } from "../support/second-node.ts";
import { redemption, refresh } from "../support/sign-in.ts";

const domain = "alice.test";
const at = flow({ start: startOperatedService, client: "file", registration: { name: "Notes" } });

const grants = (...args: string[]) => at.operate(["grants", ...args]);
const newTokens = (client = at.client) => at.tokens({ client, domain });

test("an account without apps has an empty list, and nothing to revoke", async () => {
  await at.signIn({ client: await at.addClient(), domain });
  await grants("revoke", "alice.test", "--all");
  expect(await at.ask("grants", "list", "alice.test")).toEqual([]);
  expect((await grants("list", "alice.test")).stdout).toBe("no app has access\n");
  expect(await grants("revoke", "alice.test", "--all")).toEqual(
    refused("no app has access to alice.test\n"),
  );
  expect(await grants("list", "nobody.test")).toEqual(refused("nobody.test has no account here\n"));
});

test("the list says which app, since when, and when tokens were last issued", async () => {
  await at.signIn({ domain });
  await newTokens();
  const sub = (await at.accountOf(domain)).id;
  const listed = {
    ...{ sub, domain: "alice.test", client_id: at.client.id, client_name: "Notes" },
    ...{ scope: "openid", since: expect.any(Number), expires_at: expect.any(Number) },
  };
  const json = (await at.ask("grants", "list", "alice.test")) as Record<string, unknown>[];
  expect(json).toHaveLength(2);
  expect(json).toContainEqual({ ...listed, last_used_at: null });
  expect(json).toContainEqual({ ...listed, last_used_at: expect.any(Number) });
  const time = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";
  const { stdout } = await grants("list", sub);
  expect(stdout).toMatch(
    new RegExp(
      `^alice\\.test {2}${at.client.id} {2}Notes {2}openid {2}since ${time} {2}last used ${time}$`,
      "m",
    ),
  );
  expect(stdout).toMatch(/ {2}never used$/m);
});

test("a revocation ends one app in the same second, on every node, and asks for consent again", async () => {
  const other = await at.addClient();
  const [mine, others] = [await newTokens(), await newTokens(other)];
  const { code, ...unredeemed } = await at.signIn({ domain });
  const node = await startSecondNode(at, { database: `sqlite:${at.folder}/domain-signin.db` });
  const elsewhere = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await node.fetch(new Request(`${at.issuer}/oauth/userinfo`, { headers }))).status;
  };
  expect(await elsewhere(mine.access_token)).toBe(200);

  const sub = (await at.accountOf(domain)).id;
  const revoked = await at.ask("grants", "revoke", "alice.test", "--client", at.client.id);
  expect(revoked).toMatchObject({ sub, domain: "alice.test", client_id: at.client.id });
  expect(await elsewhere(mine.access_token)).toBe(401);
  expect((await at.userinfo(mine.access_token)).status).toBe(401);
  for (const parameters of [
    refresh(mine.refresh_token),
    redemption(at.client, { code, ...unredeemed }),
  ]) {
    const { status, body } = await at.token(parameters, at.client);
    expect([status, body.error]).toEqual([400, "invalid_grant"]);
  }
  expect(await elsewhere(others.access_token)).toBe(200);
  expect((await at.token(refresh(others.refresh_token), other)).status).toBe(200);
  await node.close();

  expect(await at.silently({ domain })).toBe("login_required");
  expect(await at.silently({ client: other, domain })).toBeNull();
  const history = await at.store.histories.historyOf(sub, { since: 0, limit: 100 });
  expect(history.map(({ kind, detail }) => ({ kind, detail }))).toContainEqual({
    ...{ kind: "operator_revoked", detail: { client_id: at.client.id } },
  });
});

test("a sign-in that is authenticated, but has not ended, gives no code after the revocation", async () => {
  const asking = await at.addClient({ consent: "always" });
  const consent = await at.until("consent", await at.open({}, { client: asking }));
  await at.ask("grants", "revoke", "alice.test", "--client", asking.id);
  const end = await at.submit(consent, "consent-form", {}, { button: "allow" });
  expect([end.status, end.step]).toEqual([400, "problem"]);
});

test("--all revokes every app, and the person stays signed in", async () => {
  const [mine, others] = [await newTokens(), await newTokens(await at.addClient())];
  const { stdout } = await grants("revoke", "alice.test", "--all");
  expect(stdout).toMatch(/^revoked \d+ grants of alice\.test \(sub_\S+\)\n$/);
  for (const { access_token } of [mine, others])
    expect((await at.userinfo(access_token)).status).toBe(401);
  const never = await at.addClient({ consent: "never" });
  expect(await at.silently({ client: never, domain })).toBeNull();
});

test.each([
  [["revoke", "alice.test"], 2, "specify one app with --client, or all apps with --all"],
  [
    ["revoke", "alice.test", "--all", "--client", "x"],
    2,
    "specify one app with --client, or all apps",
  ],
  [["revoke", "alice.test", "--client", "dsid_nobody"], 1, "no app with the client_id dsid_nobody"],
  [["revoke", "https://alice.test", "--all"], 2, "name the domain alone, such as alice.test"],
  [["list", "sub_nobody"], 1, "there is no account with the sub sub_nobody"],
  [["revoke"], 2, "missing required argument"],
] as const)("the mistake %j is status %d, in words", async (args, status, words) => {
  const result = await grants(...args);
  expect([result.status, result.stdout]).toEqual([status, ""]);
  expect(result.stderr).toContain(words);
  expect(result.stderr).not.toMatch(/\n +at /);
});

test("a database that does not answer is status 3", async () => {
  const nowhere = ["--database", "postgres://user:a-secret-password@127.0.0.1:1/name"];
  for (const args of [
    ["list", "alice.test"],
    ["revoke", "alice.test", "--all"],
  ]) {
    const { status, stderr } = await grants(...args, ...nowhere);
    expect(status).toBe(3);
    expect(stderr).toContain("unavailable: cannot connect to the database");
  }
});
