// SPs that accept requests and never answer them, and callbacks that make the service ask them.

import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { UserAgent } from "domain-signin-demo/browser/user-agent";
import type { BentSp } from "./bent-sp.ts";
import { domainAt, type FederatedWorld, visit } from "./federated.ts";
import { bent } from "./two-sps.ts";

export interface Attack {
  /** Ends it. Resolves to the number of callbacks that were sent, once all are answered. */
  stop(): Promise<number>;
}

/** A sign-in that its browser began, and an authorization response for it with a code that no SP issued. */
export interface JunkCallback {
  readonly sp: BentSp;
  readonly agent: UserAgent;
  readonly url: URL;
}

/** Their metadata is right, so that anybody can begin a sign-in there. No code is ever redeemed. */
export function startHangingSps(world: FederatedWorld, count: number): Promise<BentSp[]> {
  return Promise.all(
    Array.from({ length: count }, () => world.sp({ reply: { token: () => null } })),
  );
}

/** Begins so many sign-ins, at each SP in turn, with domains below one that nobody else signs in with. */
export async function beginJunk(
  world: FederatedWorld,
  sps: readonly BentSp[],
  count: number,
): Promise<JunkCallback[]> {
  const stopAt = `${world.test.issuer}/federation/callback/`;
  const begun: JunkCallback[] = [];
  while (begun.length < count) {
    for (const sp of sps.slice(0, count - begun.length)) {
      const { agent, page } = await visit(world, domainAt(world, sp, "bob.test"), { stopAt });
      begun.push({ sp, agent, url: bent(new URL(page.url), { code: "junk" }) });
    }
  }
  return begun;
}

/** The junk callback for the next request to the SP in the same interaction, once the previous callback has arrived. */
export async function renewJunk(world: FederatedWorld, junk: JunkCallback): Promise<JunkCallback> {
  const { issuer } = world.test;
  const state = junk.url.searchParams.get("state") ?? "";
  const again = `${issuer}/interaction/${state.slice(43)}/external`;
  const headers = { cookie: junk.agent.cookies.header(again) ?? "" };
  for (;;) {
    // An address of its own: one address may cause only so many requests.
    world.person();
    const { headers: sent } = await fetch(again, { headers, redirect: "manual" });
    const next = new URL(sent.get("location") ?? again, again).searchParams.get("state");
    if (next !== null && next !== state) return { ...junk, url: bent(junk.url, { state: next }) };
    await sleep(20);
  }
}

/**
 * Sends requests from a thread of its own, so that their cost is not that of the service. For each junk callback,
 * the request to the SP is sent again. `answered` counts callbacks.
 */
const PROGRAM = `
  const { Agent, get } = require("node:http");
  const { parentPort, workerData } = require("node:worker_threads");
  const { issuer, junk, everyMs } = workerData;
  const agent = new Agent({ keepAlive: true });
  let [count, answered, isOver] = [0, 0, false];
  const ask = (url, cookie) => new Promise((resolve, reject) => {
    get(url, { agent, headers: { cookie } }, (response) => {
      response.resume().on("end", () => resolve(response.headers.location));
    }).on("error", reject);
  });
  async function send({ interaction, iss, cookie }) {
    const callback = (to, state) =>
      ask(to + "?" + new URLSearchParams({ code: "junk", state, iss }), cookie);
    const sent = new URL(await ask(issuer + "/interaction/" + interaction + "/external", cookie));
    const to = sent.searchParams.get("redirect_uri");
    await callback(to, "a".repeat(43) + interaction);
    await callback(to, sent.searchParams.get("state"));
  }
  const timer = setInterval(() => {
    send(junk[count++ % junk.length]).then(() => {
      answered++;
      if (isOver && answered === count) parentPort.postMessage(count);
    });
  }, everyMs);
  parentPort.once("message", () => {
    clearInterval(timer);
    isOver = true;
    if (answered === count) parentPort.postMessage(count);
  });`;

/**
 * Sends so many junk callbacks a minute, each for a request that was just sent to the SP, and as many that belong
 * to no sign-in.
 */
export function attack(
  world: FederatedWorld,
  junk: readonly JunkCallback[],
  perMinute: number,
): Attack {
  const { issuer } = world.test;
  const begun = junk.map(({ sp, agent, url }) => ({
    interaction: url.searchParams.get("state")?.slice(43),
    iss: sp.issuer,
    cookie: agent.cookies.header(url.href),
  }));
  const workerData = { issuer, junk: begun, everyMs: 60_000 / perMinute };
  const worker = new Worker(PROGRAM, { eval: true, workerData });
  const failed = new Promise<never>((_, reject) => worker.once("error", reject));
  failed.catch(() => {});
  return {
    async stop() {
      const ended = new Promise<number>((resolve) => worker.once("message", resolve));
      worker.postMessage("stop");
      const count = await Promise.race([ended, failed]);
      await worker.terminate();
      return count;
    },
  };
}
