// A database that goes away under a service: the requests that need it, and every way in which it can go.

import { spawn } from "node:child_process";
import { createServer, connect as netConnect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { migratedDatabase } from "./postgres.ts";
import { startTestService } from "./service.ts";
import {
  authorizationUrl,
  pkce,
  pkceParameters,
  redemption,
  refresh,
  signIn,
  signInForTokens,
} from "./sign-in.ts";

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: string;
  readonly took: number;
}

export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const begun = performance.now();
  const response = await fetch(url, { redirect: "manual", ...init });
  const body = await response.text();
  const took = performance.now() - begun;
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body, took };
}

export type Ask = () => Promise<Answer>;
export type Scene = Awaited<ReturnType<typeof setScene>>;

export async function setScene(database: string) {
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

export function expectOutage(kind: string, answer: Answer): void {
  expect([kind, answer.status, answer.retryAfter], answer.body).toEqual([kind, 503, "2"]);
  expect(answer.body).not.toContain("invalid_grant");
  if (kind === "authorize" || kind === "signIn") expect(answer.body).toMatch(/^<!doctype html>/i);
  else expect(JSON.parse(answer.body)).toMatchObject({ error: "temporarily_unavailable" });
}

/** `count` of each of these kinds at the same time, in turn. */
export function atOnce(requests: Readonly<Record<string, Ask>>, count: number) {
  const each = Array.from({ length: count }, () => Object.entries(requests)).flat();
  return Promise.all(each.map(async ([kind, send]) => ({ kind, answer: await send() })));
}

/** As many connections as a busy service has, to clients and to the database. */
export async function warmUp({ requests: { userinfo, authorize } }: Scene): Promise<void> {
  for (const { answer } of await atOnce({ userinfo, authorize }, 15)) {
    expect(answer.status).toBe(200);
  }
}

/** The token of this first answer works, twice with the same successor; so does all else. */
export async function expectWhole({ at, client, otherCode, requests }: Scene, first: Answer) {
  const successor = JSON.parse(first.body).refresh_token;
  const retry = await requests.refresh();
  expect(JSON.parse(retry.body).refresh_token, retry.body).toBe(successor);
  expect((await at.token(refresh(successor), client)).status).toBe(200);
  const { userinfo, authorize, signIn } = requests;
  for (const send of [otherCode, userinfo, authorize]) expect((await send()).status).toBe(200);
  expect((await signIn()).status).toBe(303);
  expect((await ask(`${at.issuer}/readyz`)).status).toBe(200);
}

/** A migrated database of its own behind a way that can be blocked, and the service that uses it. */
export async function startBlockable() {
  const database = await migratedDatabase();
  const way = await wayTo(new URL(database.url));
  const scene = await setScene(way.url);
  return {
    way,
    scene,
    async close() {
      await scene.at.close();
      await way.close();
      await database.close();
    },
  };
}

export type Block = "refuse" | "freeze" | "ignore";

/**
 * The way to the server. It can refuse: connections are cut, and no new one is taken. It can freeze:
 * everything stays open, and gets through once it is clear. It can ignore: connections are cut, and
 * new ones are taken but nothing on them ever gets through.
 */
export async function wayTo(target: URL) {
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
export async function lockFile(path: string): Promise<() => Promise<void>> {
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
