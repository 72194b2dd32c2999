// The database goes away in every way that it can, under the real service, and comes back.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, connect as netConnect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "../../src/store/postgres.ts";
import { migrate } from "../../src/store/sql/migrations.ts";
import { type FreshDatabase, freshDatabase, postgresTests } from "../support/postgres.ts";
import { startTestService, type TestService } from "../support/service.ts";
import {
  authorizationUrl,
  pkce,
  pkceParameters,
  redemption,
  refresh,
  signIn,
  signInForTokens,
} from "../support/sign-in.ts";

/** Milliseconds that one answer may take on a noisy machine, and that half of them may. */
const LIMIT = { each: 1500, half: 1000 };
const RETURN_LIMIT = 2000;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: string;
  readonly took: number;
}

async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const begun = performance.now();
  const response = await fetch(url, { redirect: "manual", ...init });
  const body = await response.text();
  const took = performance.now() - begun;
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body, took };
}

type Ask = () => Promise<Answer>;
type Scene = Awaited<ReturnType<typeof setScene>>;

async function setScene(database: string) {
  const at = await startTestService({ database });
  const client = await at.addClient({ consent: "never", type: "public" });
  const tokens = await signInForTokens(at, client);
  const codes = [await signIn(at, client), await signIn(at, client)] as const;
  const url = authorizationUrl(at, client, pkceParameters(pkce()));
  const cookie = codes[0].agent.cookies.header(url) ?? "";
  const post = (path: string, fields: Record<string, string>, headers = {}) =>
    ask(at.issuer + path, { method: "POST", body: new URLSearchParams(fields), headers });
  const atToken = (fields: Record<string, string>) =>
    post("/oauth/token", { client_id: client.id, ...fields });
  const bearer = { authorization: `Bearer ${tokens.access_token}` };
  return {
    at,
    client,
    /** A code that is never under way when the database goes: then it may count as used. */
    otherCode: () => atToken(redemption(client, codes[1])),
    /** Each kind of request that needs the database. */
    requests: {
      refresh: () => atToken(refresh(tokens.refresh_token)),
      code: () => atToken(redemption(client, codes[0])),
      userinfo: () => ask(`${at.issuer}/oauth/userinfo`, { headers: bearer }),
      authorize: () => ask(url, { headers: { cookie } }),
      signIn: () =>
        post(`/sign-in${new URL(url).search}`, { domain: "carol.test" }, { origin: at.issuer }),
    },
  };
}

function expectOutage(kind: string, answer: Answer): void {
  expect([kind, answer.status, answer.retryAfter], answer.body).toEqual([kind, 503, "2"]);
  expect(answer.body).not.toContain("invalid_grant");
  if (kind === "authorize" || kind === "signIn") expect(answer.body).toMatch(/^<!doctype html>/i);
  else expect(JSON.parse(answer.body)).toMatchObject({ error: "temporarily_unavailable" });
}

function expectInTime(answers: readonly Answer[]): void {
  const took = answers.map((answer) => answer.took).sort((one, other) => one - other);
  expect(took.at(-1)).toBeLessThan(LIMIT.each);
  expect(took[Math.floor(took.length / 2)]).toBeLessThan(LIMIT.half);
}

/** What has no need of the database is answered at once. */
async function expectServed({ issuer }: TestService): Promise<void> {
  for (const path of ["/.well-known/oauth-authorization-server", "/livez"]) {
    const { status, took } = await ask(issuer + path);
    expect([path, status, took < LIMIT.half], `${took} ms`).toEqual([path, 200, true]);
  }
}

/** `count` of each of these kinds at the same time, in turn. */
function atOnce(requests: Readonly<Record<string, Ask>>, count: number) {
  const each = Array.from({ length: count }, () => Object.entries(requests)).flat();
  return Promise.all(each.map(async ([kind, send]) => ({ kind, answer: await send() })));
}

/** As many connections as a busy service has, to clients and to the database. */
async function warmUp({ requests: { userinfo, authorize } }: Scene): Promise<void> {
  for (const { answer } of await atOnce({ userinfo, authorize }, 15)) {
    expect(answer.status).toBe(200);
  }
}

/** The token that was presented in the outage works, twice with the same successor; so does all else. */
async function expectWhole({ at, client, otherCode, requests }: Scene, returned: number) {
  let first = await requests.refresh();
  while (first.status !== 200) {
    expectOutage("refresh", first);
    expect(performance.now() - returned).toBeLessThan(RETURN_LIMIT);
    await sleep(50);
    first = await requests.refresh();
  }
  expect(performance.now() - returned).toBeLessThan(RETURN_LIMIT);
  const successor = JSON.parse(first.body).refresh_token;
  const retry = await requests.refresh();
  expect(JSON.parse(retry.body).refresh_token, retry.body).toBe(successor);
  expect((await at.token(refresh(successor), client)).status).toBe(200);
  const { userinfo, authorize, signIn } = requests;
  for (const send of [otherCode, userinfo, authorize]) expect((await send()).status).toBe(200);
  expect((await signIn()).status).toBe(303);
  expect((await ask(`${at.issuer}/readyz`)).status).toBe(200);
}

postgresTests("PostgreSQL", () => {
  describe.each(["refuse", "freeze", "ignore"] as const)("that seems to %s", (how) => {
    let database: FreshDatabase;
    let way: Awaited<ReturnType<typeof wayTo>>;
    let scene: Scene;
    beforeAll(async () => {
      database = await freshDatabase();
      const engine = openPostgres(database.url);
      await migrate(engine);
      await engine.close();
      way = await wayTo(new URL(database.url));
      scene = await setScene(way.url);
    });
    afterAll(async () => {
      await scene.at.close();
      await way.close();
      await database.drop();
    });

    test("many at once get 503 within a second, and all works within two of its return", async () => {
      const { at, otherCode, requests } = scene;
      await warmUp(scene);
      await way.block(how);
      const begun = performance.now();
      const flood = atOnce(requests, 10);
      await expectServed(at);
      const answers = await flood;
      for (const { kind, answer } of answers) expectOutage(kind, answer);
      expectInTime(answers.map(({ answer }) => answer));
      await expectServed(at);

      // With clients that are no longer remembered, one request after the other.
      at.advance(6);
      for (let turn = 0; turn < 3; turn++) {
        const readyz = () => ask(`${at.issuer}/readyz`);
        for (const [kind, send] of Object.entries({ ...requests, otherCode, readyz })) {
          const answer = await send();
          expectOutage(kind, answer);
          expectInTime([answer]);
        }
      }
      await expectServed(at);

      // Until whatever was begun at first has been given up.
      await sleep(Math.max(0, 4000 - (performance.now() - begun)));
      await way.clear();
      await expectWhole(scene, performance.now());
    });
  });
});

describe("a SQLite file that another process has locked", () => {
  let folder = "";
  let scene: Scene;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "domain-signin-gone-"));
    scene = await setScene(`sqlite:${join(folder, "store.db")}`);
  });
  afterAll(async () => {
    await scene.at.close();
    rmSync(folder, { recursive: true });
  });

  test("many writers at once get 503 within a second while the rest is served, and all works afterwards", async () => {
    const { at, requests } = scene;
    const { userinfo, authorize, ...writers } = requests;
    await warmUp(scene);
    const release = await lockFile(join(folder, "store.db"));
    const flood = atOnce(writers, 10);
    // Nobody blocks the process: what only reads is answered meanwhile.
    await expectServed(at);
    for (const send of [userinfo, authorize]) expect((await send()).status).toBe(200);
    const answers = await flood;
    for (const { kind, answer } of answers) expectOutage(kind, answer);
    expectInTime(answers.map(({ answer }) => answer));
    for (const [kind, send] of Object.entries(writers)) {
      const answer = await send();
      expectOutage(kind, answer);
      expectInTime([answer]);
    }
    await release();
    await expectWhole(scene, performance.now());
  });

  test("a lock that is given up in time costs nobody an error", async () => {
    const release = await lockFile(join(folder, "store.db"));
    const waiting = signInForTokens(scene.at, scene.client, { domain: "carol.test" });
    await sleep(200);
    await release();
    expect((await waiting).refresh_token).toMatch(/^dsr_/);
  });
});

type Block = "refuse" | "freeze" | "ignore";

/**
 * The way to the server. It can refuse: connections are cut, and no new one is taken. It can freeze:
 * everything stays open, and gets through once it is clear. It can ignore: connections are cut, and
 * new ones are taken but nothing on them ever gets through.
 */
async function wayTo(target: URL) {
  const server = { host: target.hostname, port: Number(target.port || 5432) };
  const sockets = new Set<Socket>();
  let blocked: Block | null = null;
  const proxy = createServer((near) => {
    if (blocked === "ignore") return void keep(near);
    const far = netConnect(server);
    lead(near, far);
    lead(far, near);
  });
  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  }
  function lead(from: Socket, to: Socket): void {
    keep(from);
    from.on("close", () => to.destroy());
    from.pipe(to);
    if (blocked === "freeze") from.pause();
  }
  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }
  const stop = () => new Promise((resolve) => proxy.close(resolve));
  const listen = (port: number) =>
    new Promise<void>((resolve) => proxy.listen(port, "127.0.0.1", resolve));

  await listen(0);
  const address = proxy.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const url = new URL(target);
  url.host = `127.0.0.1:${address.port}`;
  return {
    url: url.href,
    async block(how: Block) {
      blocked = how;
      if (how === "freeze") for (const socket of sockets) socket.pause();
      else cut();
      if (how === "refuse") await stop();
    },
    async clear() {
      const was = blocked;
      blocked = null;
      if (was === "freeze") for (const socket of sockets) socket.resume();
      if (was === "refuse") await listen(address.port);
    },
    async close() {
      cut();
      if (proxy.listening) await stop();
    },
  };
}

/** Holds the file's write lock in another process; resolves to what gives it up. */
async function lockFile(path: string): Promise<() => Promise<void>> {
  const program = `
    const database = new (require("libsql"))(process.argv[1]);
    database.exec("BEGIN IMMEDIATE");
    console.log("held");
    process.stdin.on("end", () => database.exec("COMMIT")).resume();`;
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const holder = spawn(process.execPath, ["-e", program, path], { cwd });
  const ended = new Promise<void>((resolve) => holder.once("exit", () => resolve()));
  const held = new Promise((resolve) => holder.stdout.once("data", resolve));
  if ((await Promise.race([held, ended])) === undefined) throw new Error("not locked");
  return () => {
    holder.stdin.end();
    return ended;
  };
}
