// A service is stopped under load again and again, and must have answered whoever it took.

import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { monotonic } from "./history.ts";
import { formOf, seed } from "./seed.ts";
import type { Stop, StopOptions, StoppedService } from "./stop-service.ts";

export interface StopLoad {
  readonly answers: number;
  readonly rotations: number;
  /** Answers between a SIGTERM and the end of its process. */
  readonly answeredLate: number;
  /** Requests that were sent and got no whole answer, or not the right one, in words. */
  readonly failed: readonly string[];
  /** Attempts to connect that were refused: nothing had been sent. */
  readonly refused: number;
  /** Milliseconds from the request to the whole answer, at most. */
  readonly longest: number;
  readonly stops: readonly Stop[];
  /** Clients whose last refresh token works in the end. */
  readonly alive: number;
  readonly seconds: number;
}

export const CLIENTS = 32;
/** Milliseconds of load, with everybody at it, before a stop. */
const LOAD = { least: 200, most: 600 };
/** Milliseconds for which every second client leaves its connection idle. */
const THOUGHT = 400;
/** Milliseconds before who was refused tries again. */
const PAUSE = 20;
const TIMEOUT = 20_000;
const METADATA = { method: "GET", path: "/.well-known/oauth-authorization-server", body: "" };

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

type Outcome =
  | { readonly is: "answered"; readonly body: string }
  | { readonly is: "refused" }
  | { readonly is: "failed"; readonly why: string };

/** With `keepAlive` each client stays on its connection, else it opens one per request. */
export async function stopLoad(options: {
  stops: number;
  keepAlive: boolean;
  start: (options: StopOptions) => Promise<StoppedService>;
}): Promise<StopLoad> {
  const began = monotonic();
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-stop-"));
  const database = `sqlite:${join(folder, "store.db")}`;
  const seeded = await seed(database, CLIENTS);
  const service = await options.start({ database, folder });
  const failed: string[] = [];
  const stops: Stop[] = [];
  const sum = { answers: 0, rotations: 0, answeredLate: 0, refused: 0, longest: 0 };
  const now = { ending: false, stopping: false };
  /** By client: how often the service had been stopped at its last answer. */
  const seen = new Map<number, number>();

  /** Sends until there is an answer, as a client does that is refused. */
  async function insist(
    client: number,
    agent: Agent | false,
    asked: Asked,
  ): Promise<string | null> {
    for (;;) {
      const from = monotonic();
      const outcome = await send(service.port, agent, asked);
      if (outcome.is === "failed") failed.push(`${asked.method} ${asked.path}: ${outcome.why}`);
      if (outcome.is === "answered") {
        sum.answers++;
        if (now.stopping) sum.answeredLate++;
        sum.longest = Math.max(sum.longest, monotonic() - from);
        seen.set(client, stops.length);
        return outcome.body;
      }
      if (outcome.is === "refused") sum.refused++;
      if (now.ending) return null;
      await sleep(PAUSE);
    }
  }

  /** Lives until the end; gives its last refresh token. */
  async function live(client: number, code: string): Promise<string> {
    const agent = options.keepAlive && new Agent({ keepAlive: true, maxSockets: 1 });
    const exchange = async (verb: "redeem" | "rotate", input: string) => {
      const form = formOf({ verb, input }, seeded.clientId);
      const body = await insist(client, agent, { method: "POST", ...form });
      return body === null ? input : refreshTokenOf(body);
    };
    let token = await exchange("redeem", code);
    while (!now.ending) {
      token = await exchange("rotate", token);
      sum.rotations++;
      await insist(client, agent, METADATA);
      if (agent && client % 2 === 1) await sleep(Math.random() * THOUGHT);
    }
    if (agent) agent.destroy();
    return token;
  }

  const clients = seeded.grants.map(({ code }, client) => live(client, code));
  const over = Promise.all(clients);
  try {
    while (stops.length < options.stops) {
      await Promise.race([over, everybodyIsBack(seen, () => stops.length)]);
      await sleep(LOAD.least + Math.random() * (LOAD.most - LOAD.least));
      now.stopping = true;
      const ended = () => {
        now.stopping = false;
      };
      stops.push(await service.stop(ended));
    }
    await everybodyIsBack(seen, () => stops.length);
    now.ending = true;
    const asked = (await over).map((input) => formOf({ verb: "rotate", input }, seeded.clientId));
    const last = asked.map((form) => send(service.port, false, { method: "POST", ...form }));
    const alive = (await Promise.all(last)).filter(({ is }) => is === "answered").length;
    return { ...sum, failed, stops, alive, seconds: (monotonic() - began) / 1000 };
  } finally {
    now.ending = true;
    await service.close();
    await Promise.allSettled(clients);
    await rm(folder, { recursive: true, force: true });
  }
}

/** What happened as one line of figures. */
export function told({ stops, failed, ...load }: StopLoad): string {
  const slowest = Math.max(...stops.map(({ milliseconds }) => milliseconds));
  return [
    `${stops.length} stops in ${load.seconds.toFixed(0)} s, ${load.answers} answers,`,
    `${load.rotations} rotations, ${load.answeredLate} answers after a SIGTERM,`,
    `${failed.length} failed, ${load.refused} connections refused,`,
    `longest answer ${load.longest.toFixed(0)} ms, longest stop ${slowest.toFixed(0)} ms`,
  ].join(" ");
}

/** Who has yet to connect again might be in the kernel's queue, and be reset with a socket of our own. */
async function everybodyIsBack(seen: ReadonlyMap<number, number>, stops: () => number) {
  const until = monotonic() + TIMEOUT;
  while (seen.size < CLIENTS || [...seen.values()].some((at) => at < stops())) {
    if (monotonic() > until) throw new Error("not every client got an answer again");
    await sleep(PAUSE);
  }
}

function refreshTokenOf(body: string): string {
  const { refresh_token: token }: { refresh_token?: unknown } = JSON.parse(body);
  if (typeof token !== "string") throw new Error("a success without refresh token");
  return token;
}

function send(port: number, agent: Agent | false, { method, path, body }: Asked): Promise<Outcome> {
  const type = "application/x-www-form-urlencoded";
  const headers = { "content-type": type, "content-length": Buffer.byteLength(body) };
  return new Promise((resolve) => {
    const fail = (why: string) => resolve({ is: "failed", why });
    const options = { host: "127.0.0.1", port, path, method, headers, agent, timeout: TIMEOUT };
    const outgoing = request(options, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.on("error", ({ message }) => fail(`in the middle of the answer: ${message}`));
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve({ is: "answered", body: text });
        else fail(`${answer.statusCode} ${text}`);
      });
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error("no answer in time")));
    outgoing.on("error", ({ message, ...error }: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") resolve({ is: "refused" });
      else fail(message);
    });
    outgoing.end(body);
  });
}
