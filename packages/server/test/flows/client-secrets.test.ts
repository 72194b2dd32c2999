// A client's secret: given a new one beside the old, never told again, and what it opens.

import { describe, expect, test } from "vitest";
import { sha256 } from "../../src/lib/random.ts";
import { command, complaints, refused } from "../support/command.ts";
import { flow } from "../support/flow.ts";
import { noteSecret } from "../support/log-run.ts";
import { startTestService } from "../support/service.ts";
import { refresh } from "../support/sign-in.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const REDIRECT_URI = "https://app.example.org/callback";
/** Seconds after which a service knows what a command changed, and one more. */
const REMEMBERED = 6;

const folder = temporaryFolder();
const at = flow({ start: () => startTestService({ database: folder.database() }), client: "file" });

const clients = (...args: string[]) => command(["clients", ...args], { folder: folder.path });

/** What the command answers in JSON when all is well. */
async function answerOf(...args: string[]): Promise<Record<string, unknown>> {
  const result = await clients(...args, "--json");
  expect([result.status, complaints(result)]).toEqual([0, ""]);
  return JSON.parse(result.stdout);
}

async function add(...more: string[]): Promise<{ id: string; secret: string }> {
  const client = await answerOf("add", "--name", "App", "--redirect-uri", REDIRECT_URI, ...more);
  const secret = String(client.client_secret);
  if (client.client_secret !== null) noteSecret("client secret", secret);
  return { id: String(client.client_id), secret };
}

/** What the token endpoint says to this secret: invalid_grant, as for any made-up token, if it is right. */
async function token(id: string, secret: string | null = null): Promise<unknown> {
  return (await at.token(refresh("x"), { id, secret })).body.error;
}
const RIGHT = "invalid_grant";
const WRONG = "invalid_client";

async function rotate(id: string, ...options: string[]) {
  const begun = Math.floor(Date.now() / 1000);
  const rotated = await answerOf("rotate-secret", id, ...options);
  expect(rotated).toEqual({
    client_id: id,
    client_secret: expect.stringMatching(/^dss_[\w-]{43}$/),
    former_secret_expires_at: expect.any(Number),
  });
  const secret = String(rotated.client_secret);
  noteSecret("client secret", secret);
  return { secret, overlap: Number(rotated.former_secret_expires_at) - begun };
}

describe("clients rotate-secret", () => {
  test("gives a new secret beside the old one, which works for a week, or with --overlap 0 no more", async () => {
    const [kept, dropped] = [await add(), await add()];
    for (const { id, secret } of [kept, dropped]) expect(await token(id, secret)).toBe(RIGHT);
    const week = await rotate(kept.id);
    const none = await rotate(dropped.id, "--overlap", "0");
    expect(week.secret).not.toBe(kept.secret);
    expect(week.overlap).toBeGreaterThanOrEqual(168 * 3600);
    expect(week.overlap).toBeLessThan(168 * 3600 + 30);
    expect(none.overlap).toBeLessThan(30);
    at.advance(REMEMBERED);
    const told = [
      ...[token(kept.id, kept.secret), token(kept.id, week.secret)],
      ...[token(dropped.id, dropped.secret), token(dropped.id, none.secret)],
    ];
    expect(await Promise.all(told)).toEqual([RIGHT, RIGHT, WRONG, RIGHT]);
    expect(await token(kept.id, `${week.secret}x`)).toBe(WRONG);
  });

  test("takes hours, and none but whole ones", async () => {
    const { id } = await add();
    const { overlap } = await rotate(id, "--overlap", "2");
    expect(overlap).toBeGreaterThanOrEqual(7200);
    expect(overlap).toBeLessThan(7230);
  });

  test("with end-secret, the former secret ends before its overlap is over, and once", async () => {
    const { id, secret } = await add();
    expect((await clients("end-secret", id)).stderr).toBe(`client ${id} has no former secret\n`);
    const { secret: current } = await rotate(id);
    expect(await answerOf("end-secret", id)).toEqual({ client_id: id, ended: true });
    expect([await token(id, secret), await token(id, current)]).toEqual([WRONG, RIGHT]);
    const again = await clients("end-secret", id);
    expect([again.status, again.stderr]).toEqual([1, `client ${id} has no former secret\n`]);
    expect((await clients("end-secret", "dsid_none")).status).toBe(1);
  });

  test("is refused for a public client", async () => {
    const { id } = await add("--public");
    expect(await clients("rotate-secret", id)).toEqual(
      refused(`client ${id} is public and has no secret\n`, 2),
    );
  });
});

test("no secret is ever told again", async () => {
  const { id, secret: old } = await add();
  const { secret } = await rotate(id);
  const answers = [await clients("update", id, "--name", "App 2")];
  answers.push(await clients("show", id), await clients("list"));
  answers.push(await clients("show", id, "--json"), await clients("list", "--json"));
  for (const { status, stdout } of answers) {
    expect(status).toBe(0);
    expect(stdout).toContain(id);
    expect(stdout).not.toMatch(/dss_|secret/i);
    for (const told of [old, secret]) expect(stdout).not.toContain(told);
  }
  const listed = JSON.parse(answers[4]?.stdout ?? "") as Record<string, unknown>[];
  expect(listed.find(({ client_id }) => client_id === id)).toMatchObject({ name: "App 2" });
});

test("remove says so, and the client's secret is worth nothing", async () => {
  const { id, secret } = await add();
  expect(await answerOf("remove", id)).toEqual({ client_id: id, removed: true });
  expect(await token(id, secret)).toBe(WRONG);
});

describe("in the service", () => {
  test("an old secret works until its overlap ends, and only the last of them", async () => {
    const { clients: registry } = at.service;
    const { id, secret: first } = await at.addClient();
    const right = async (secret?: string | null) => (await token(id, secret)) === RIGHT;
    const second = (await registry.rotateSecret(id, 3600))?.client_secret;
    at.advance(3000);
    expect([await right(first), await right(second)]).toEqual([true, true]);
    at.advance(600);
    expect([await right(first), await right(second)]).toEqual([false, true]);
    const third = (await registry.rotateSecret(id, 3600))?.client_secret;
    const fourth = (await registry.rotateSecret(id, 3600))?.client_secret;
    at.advance(REMEMBERED);
    expect([await right(second), await right(third), await right(fourth)]).toEqual([
      ...[false, true, true],
    ]);
  });

  test("a secret that was ended is refused at once, and its hash is recorded", async () => {
    const { clients: registry } = at.service;
    const secrets = [await at.addClient(), await at.addClient()];
    const right = async ({ id }: { id: string }, secret?: string | null) =>
      (await token(id, secret)) === RIGHT;
    const [rotated, ended] = secrets as [(typeof secrets)[0], (typeof secrets)[0]];
    const newest = (await registry.rotateSecret(rotated.id, 0))?.client_secret;
    const second = (await registry.rotateSecret(ended.id, 3600))?.client_secret;
    expect(await registry.endSecret(ended.id)).toBe(true);
    at.advance(REMEMBERED);
    expect([await right(rotated, rotated.secret), await right(rotated, newest)]).toEqual([
      ...[false, true],
    ]);
    expect([await right(ended, ended.secret), await right(ended, second)]).toEqual([false, true]);
    const dump = await at.dump();
    for (const { id, secret } of [rotated, ended]) {
      const hash = sha256(secret ?? "");
      expect(dump).toContain(`{"client_id":"${id}","secret_hash":"${hash}","ended_at":`);
    }
  });

  test("the secrets of a client that was removed have ended, also in a restored backup", async () => {
    const { id, secret } = await at.addClient();
    const newer = (await at.service.clients.rotateSecret(id, 3600))?.client_secret;
    expect(await at.service.clients.remove(id)).toBe(true);
    const ended = (await at.store.registrations.endedSecrets()).filter(
      ({ clientId }) => clientId === id,
    );
    expect(ended.map(({ secretHash }) => secretHash).sort()).toEqual(
      [sha256(secret ?? ""), sha256(newer ?? "")].sort(),
    );
    expect(await at.service.clients.remove(id)).toBe(false);
  });

  test("sub is the domain for a client of subject_type domain, else the account", async () => {
    const client = await at.addClient({ consent: "never", subject_type: "domain" });
    const domain = "alice.test";
    const { access_token } = await at.tokens({ client, domain });
    const userinfo = async () => (await at.userinfo(access_token)).json();
    const domain_since = expect.any(Number);
    expect(await userinfo()).toMatchObject({ sub: domain, domain, domain_since });
    await at.service.clients.update(client.id, { subject_type: "account" });
    at.advance(REMEMBERED);
    const sub = expect.stringMatching(/^(?!alice)[\w-]{22,}$/);
    expect(await userinfo()).toMatchObject({ sub, domain, domain_since });
  });
});
