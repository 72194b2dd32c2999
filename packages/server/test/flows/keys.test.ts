// A rotation as two nodes, their apps and the people signed in live through it.

import { createRemoteJWKSet, jwtVerify } from "jose";
import { beforeAll, expect, test } from "vitest";
import { createKeyChanges } from "../../src/keys/key-changes.ts";
import { sealWith } from "../../src/keys/seal.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { createStore } from "../../src/store/store.ts";
import { command, complaints } from "../support/command.ts";
import { fixture } from "../support/fixture.ts";
import { flow } from "../support/flow.ts";
import { heldSleep } from "../support/held-sleep.ts";
import { noteSecret } from "../support/log-run.ts";
import { startSecondNode } from "../support/second-node.ts";
import { startTestService } from "../support/service.ts";
import { redemption, refresh } from "../support/sign-in.ts";
import { withSqlite } from "../support/sqlite-file.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SECRET = "a secret for two nodes, and for nothing else";
const DAY = 86_400;
const HALF_A_MINUTE = 30_000;
/** How long a poll may take: making a key is slow on a busy machine. */
const LIMIT = { timeout: 20_000 };

const folder = temporaryFolder();
const held = heldSleep();
beforeAll(() => noteSecret("operator's secret", SECRET));
const at = flow({
  start: () =>
    startTestService({
      ...{ database: folder.database(), config: { secret: SECRET }, sleep: held.sleep },
    }),
});
let offset = 0;
const other = fixture(() =>
  startSecondNode(at, {
    ...{ database: folder.database(), secret: SECRET, sleep: held.sleep },
    clock: clockFrom(() => Date.now() + offset),
  }),
);

function advance(seconds: number): void {
  at.advance(seconds);
  offset += seconds * 1000;
}

/** Half a minute in which nothing but the keys is looked after. */
const pass = () => held.end((milliseconds) => milliseconds === HALF_A_MINUTE);

/** The key ids of an algorithm that each node publishes: with none named those for attestations. */
async function published(wanted = "ES256"): Promise<string[][]> {
  const url = `${at.issuer}/.well-known/jwks.json`;
  const answers = [
    await fetch(url),
    await other.fetch(new Request(url), { clientAddress: "127.0.0.1" }),
  ];
  return Promise.all(
    answers.map(async (answer) => {
      const { keys } = (await answer.json()) as { keys: { kid: string; alg: string }[] };
      return keys.flatMap(({ kid, alg }) => (alg === wanted ? kid : []));
    }),
  );
}

const bothPublish = (...kids: unknown[]) =>
  expect.poll(() => pass().then(() => published()), LIMIT).toEqual([kids, kids]);

async function keysCommand(...args: string[]) {
  const env = { DOMAIN_SIGNIN_SECRET: SECRET };
  const result = await command(["keys", ...args, "--json"], { folder: folder.path, env });
  expect([result.status, complaints(result)]).toEqual([0, ""]);
  return JSON.parse(result.stdout);
}

const rotate = (purpose: string): Promise<{ kid: string | null; state: string }[]> =>
  keysCommand("rotate", "--purpose", purpose);

/** Rotates at the services' time, which is ahead of that of the command line. */
async function rotateNow(purpose: "rs256"): Promise<void> {
  const seal = sealWith(SECRET, systemRandom);
  const now = Math.floor((Date.now() + offset) / 1000);
  const { outcome } = await withSqlite(folder.file("domain-signin.db"), (engine) =>
    createKeyChanges({ ...createStore(engine), seal, random: systemRandom }).rotate(purpose, now),
  );
  expect(outcome).toBe("rotated");
}

/** The first octet of a token, which names the key of its MAC. */
const keyIdOf = (token: string) => Buffer.from(token.slice(4), "base64url")[0];

test("the metadata names the JWK set, which any origin may read, and which holds no private key", async () => {
  const metadata = await fetch(`${at.issuer}/.well-known/oauth-authorization-server`);
  const { jwks_uri } = (await metadata.json()) as { jwks_uri: string };
  expect(jwks_uri).toBe(`${at.issuer}/.well-known/jwks.json`);
  const answer = await fetch(jwks_uri);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("cache-control")).toBe("public, max-age=3600");
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  const octets = expect.stringMatching(/^[\w-]{43}$/);
  const n = expect.stringMatching(/^[\w-]{342}$/);
  const each = { kid: octets, use: "sig" };
  expect(await answer.json()).toEqual({
    keys: [
      { kty: "EC", crv: "P-256", x: octets, y: octets, ...each, alg: "ES256" },
      { kty: "RSA", n, e: "AQAB", ...each, alg: "RS256" },
      { kty: "OKP", crv: "Ed25519", x: octets, ...each, alg: "EdDSA" },
    ],
  });
});

test("a rotated key is published a day before it is current and a day after, on a node that was not restarted too", async () => {
  const { access_token, refresh_token } = await at.tokens();
  const [[first = ""] = []] = await published();
  await bothPublish(first);

  const keys = await rotate("es256");
  expect(keys).toMatchObject([
    { id: 1, kid: first, state: "current" },
    { id: 2, state: "next" },
  ]);
  const second = keys[1]?.kid;
  expect(await rotate("grant-token")).toMatchObject([{ state: "current" }, { state: "next" }]);
  expect(await published()).toEqual([[first], [first]]);
  await bothPublish(first, second);
  expect(keyIdOf((await at.signIn()).code)).toBe(1);

  // The tokens of before work while the key is next …
  expect((await at.userinfo(access_token)).status).toBe(200);
  advance(DAY + 60);
  // … and when it is current, first at the set, with the one of before beside it.
  await bothPublish(second, first);
  expect(keyIdOf(refresh_token)).toBe(1);
  const refreshed = await at.token(refresh(refresh_token), at.client);
  expect(refreshed.status).toBe(200);
  expect(keyIdOf(String(refreshed.body.refresh_token))).toBe(2);
  expect((await at.token(refresh(String(refreshed.body.refresh_token)), at.client)).status).toBe(
    200,
  );

  expect(await at.dump()).toMatch(/"purpose":"es256","id":1,/);
  advance(DAY);
  expect(await published()).toEqual([[second], [second]]);
  // No longer published, it is kept for a week: clocks differ.
  await pass();
  expect(await at.dump()).toMatch(/"purpose":"es256","id":1,/);
  advance(7 * DAY);
  await expect
    .poll(() => pass().then(() => at.dump()), LIMIT)
    .not.toMatch(/"purpose":"es256","id":1,/);
  await bothPublish(second);
  expect(await at.dump()).toMatch(/"purpose":"grant-token","id":1,/);
});

test("an ID token is good while its key is rotated, and the next one is by the next key", async () => {
  const keys = createRemoteJWKSet(new URL(`${at.issuer}/.well-known/jwks.json`), {
    cooldownDuration: 0,
  });
  const idToken = async () => {
    const { body } = await at.token(redemption(at.client, await at.signIn()), at.client);
    return String(body.id_token);
  };
  const kidOf = async (token: string) => {
    const checks = { issuer: at.issuer, audience: at.client.id };
    return (await jwtVerify(token, keys, checks)).protectedHeader.kid;
  };
  const before = await idToken();
  const first = await kidOf(before);
  await rotateNow("rs256");
  await expect
    .poll(() => pass().then(() => published("RS256")), LIMIT)
    .toEqual(Array(2).fill([first, expect.any(String)]));
  expect(await kidOf(await idToken())).toBe(first);
  advance(DAY + 1);
  expect(await kidOf(await idToken())).not.toBe(first);
  expect(await kidOf(before)).toBe(first);
});

test("a key that is older than 90 days gets its successor by itself, one for both nodes", async () => {
  const [[current = ""] = []] = await published();
  await bothPublish(current);
  advance(90 * DAY);
  await bothPublish(current, expect.any(String));
  await bothPublish(current, expect.any(String));
  const [ours, theirs] = await published();
  expect(ours).toEqual(theirs);
  expect(at.events.filter((event) => event.startsWith("failed"))).toEqual([]);
});

test("of a MAC key that is ended no code and no token works on any node, and a new sign-in does", async () => {
  const { access_token, refresh_token } = await at.tokens();
  const code = await at.signIn();
  const id = keyIdOf(code.code);
  const url = `${at.issuer}/oauth/userinfo`;
  const init = { headers: { authorization: `Bearer ${access_token}` } };
  const statuses = async () => [
    (await fetch(url, init)).status,
    (await other.fetch(new Request(url, init), { clientAddress: "127.0.0.1" })).status,
  ];
  expect(await statuses()).toEqual([200, 200]);
  expect(await keysCommand("revoke", `grant-token/${id}`)).toMatchObject({
    ...{ kid: null, purpose: "grant-token", id, revoked: true },
    keys: expect.arrayContaining([expect.objectContaining({ state: "current" })]),
  });
  await expect.poll(() => pass().then(statuses), LIMIT).toEqual([401, 401]);
  for (const form of [refresh(refresh_token), redemption(at.client, code)]) {
    expect(await at.token(form, at.client)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
  }
  const after = await at.tokens();
  expect(keyIdOf(after.refresh_token)).toBe(Number(id) + 1);
  expect((await at.token(refresh(after.refresh_token), at.client)).status).toBe(200);
});

test("a signing key that is ended is withdrawn from the key set of every node, and the next one signs", async () => {
  const [before] = await published();
  const current = before?.[0] ?? "";
  const { keys } = await keysCommand("revoke", current);
  const kids = keys.flatMap(({ kid }: { kid: string }) => kid);
  expect(kids).not.toContain(current);
  await bothPublish(...kids.toReversed());
  expect((await published("RS256")).flat()).not.toEqual([]);
});

test("that the keys cannot be read is told, and the service goes on with those it knows", async () => {
  const before = await published();
  const dump = await at.dump();
  const [, sealed = ""] = /"sealed":"([\w-]{40,})"/.exec(dump) ?? [];
  const swap = (from: string, to: string) =>
    withSqlite(folder.file("domain-signin.db"), (engine) =>
      engine.execute("UPDATE keys SET sealed = ?1 WHERE sealed = ?2", [to, from]),
    );
  await swap(sealed, "spoiled");
  const failed = () => at.events.filter((event) => event.startsWith("failed")).join();
  await expect.poll(() => pass().then(failed), LIMIT).toContain('"path":"keys"');
  expect(failed()).toContain("the secret does not open the keys");
  expect(await published()).toEqual(before);
  await swap("spoiled", sealed);
});
