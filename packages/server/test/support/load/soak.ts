// A soak: moderate honest load and strangers for minutes, and whether what the service uses grows.

import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createUserAgent, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { authorizationUrl } from "../sign-in.ts";
import { withSqlite } from "../sqlite-file.ts";
import { startHonestApp } from "./honest.ts";
import { ANYBODY, type LoadRequest, startLoad } from "./load.ts";
import { type ServedWorld, startServedWorld } from "./served-world.ts";

export type Verdict = "flat" | "grows";

export interface Measure {
  readonly what: string;
  readonly samples: readonly number[];
  readonly verdict: Verdict;
}

export interface Soak {
  readonly measures: readonly Measure[];
  /** Requests of strangers by status. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly refreshes: number;
  readonly signIns: number;
}

/** Of the samples, until caches are full and code is compiled. */
const WARM_UP = 1 / 3;
/** Growth that is noise: a part of the first half, and so much in any case. */
const TOLERANCE = { part: 0.15, least: 10 };
const DOMAINS = 5;
const SIGN_IN_EVERY_MS = 1000;

/**
 * Compares the lowest samples of both halves after the warm-up: garbage makes memory rise and fall, and what is
 * never given back raises the lowest.
 */
export function verdictOf(samples: readonly number[]): Verdict {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const middle = Math.floor(warm.length / 2);
  const [first, second] = [warm.slice(0, middle), warm.slice(middle)].map((half) =>
    Math.min(...half),
  );
  if (first === undefined || second === undefined) return "flat";
  return second > first * (1 + TOLERANCE.part) + TOLERANCE.least ? "grows" : "flat";
}

/** Prints each sample. */
export async function soak({
  seconds,
  everyMs,
}: {
  seconds: number;
  everyMs: number;
}): Promise<Soak> {
  const world = await startServedWorld();
  const strangers = startLoad();
  try {
    const app = await startHonestApp(world, 5);
    const requests = strangerLoad(world);
    const flooding = strangers.run({ port: world.port, requests, connections: 4, pauseMs: 40 });
    const end = performance.now() + seconds * 1000;
    const refreshing = app.refreshFor(seconds * 1000);
    const signingIn = keepSigningIn(world, end);
    const taken = new Map<string, number[]>();
    while (performance.now() < end) {
      await sleep(Math.min(everyMs, Math.max(0, end - performance.now())));
      const sample = await sampleOf(world);
      for (const [what, value] of Object.entries(sample)) {
        taken.set(what, [...(taken.get(what) ?? []), value]);
      }
      console.log(textOf(sample));
    }
    const [refreshed, signIns] = await Promise.all([refreshing, signingIn]);
    strangers.stop();
    const { statuses } = await flooding;
    const measures = [...taken].map(([what, samples]): Measure => {
      return { what, samples, verdict: verdictOf(samples) };
    });
    return { measures, statuses, refreshes: refreshed.length, signIns };
  } finally {
    await strangers.close();
    await world.close();
  }
}

/** Junk at the authorization endpoint, guessed tokens, made-up callbacks, and sign-ins that are begun and abandoned. */
function strangerLoad({ at, client, publicId }: ServedWorld): LoadRequest[] {
  const authorize = authorizationUrl(at, client).slice(at.issuer.length);
  const form = { ...ANYBODY, "content-type": "application/x-www-form-urlencoded" };
  const guess = `grant_type=refresh_token&refresh_token=dsr_{random}&client_id=${publicId}`;
  const own = { ...form, origin: at.issuer };
  const signIn = `/sign-in${authorize.slice(authorize.indexOf("?"))}`;
  return [
    { path: authorize, headers: ANYBODY },
    { path: `${authorize}&nonce={random}&login_hint={random}.test`, headers: ANYBODY },
    { path: "/oauth/authorize?client_id={random}", headers: ANYBODY },
    { method: "POST", path: "/oauth/token", headers: form, body: guess },
    {
      path: "/oauth/userinfo",
      headers: { ...ANYBODY, authorization: "Bearer dsa_{random}" },
    },
    {
      path: `/federation/callback/${"a".repeat(43)}?state={random}&code={random}`,
      headers: ANYBODY,
    },
    { method: "POST", path: signIn, headers: own, body: "domain=s{n}.alice.test" },
    { method: "POST", path: signIn, headers: own, body: "domain=d0.alice.test" },
  ];
}

/** People who sign in again and again, each in their browser, and what their app then reads. Returns how often. */
async function keepSigningIn(world: ServedWorld, end: number): Promise<number> {
  const browsers = Array.from({ length: DOMAINS }, () => createUserAgent());
  let count = 0;
  while (performance.now() < end) {
    const index = count % DOMAINS;
    await signInAndRead(world, browsers[index] ?? createUserAgent(), `d${index}.alice.test`);
    count++;
    await sleep(SIGN_IN_EVERY_MS);
  }
  return count;
}

async function signInAndRead(world: ServedWorld, agent: UserAgent, domain: string): Promise<void> {
  const { access_token } = await world.signIn(domain, { agent });
  const headers = { authorization: `Bearer ${access_token}` };
  const { status } = await fetch(`${world.at.issuer}/oauth/userinfo`, { headers });
  if (status !== 200) throw new Error(`userinfo got ${status}`);
}

async function sampleOf(world: ServedWorld): Promise<Record<string, number>> {
  const { rssMb, heapMb, descriptors } = await world.usage();
  const path = join(world.at.folder, "domain-signin.db");
  const files = [path, `${path}-wal`].map(
    (file) => statSync(file, { throwIfNoEntry: false })?.size,
  );
  const databaseKb = files.reduce<number>((sum, size = 0) => sum + size / 1024, 0);
  const tables = await withSqlite(path, async ({ execute }) => {
    const names = await execute(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
      [],
    );
    const counts: [string, number][] = [];
    for (const { name } of names) {
      const [row] = await execute(`SELECT count(*) AS count FROM ${name}`, []);
      counts.push([`rows of ${name}`, Number(row?.count)]);
    }
    return counts;
  });
  const process = { "RSS, MB": rssMb, "heap, MB": heapMb, "file descriptors": descriptors };
  return { ...process, "database, KiB": databaseKb, ...Object.fromEntries(tables) };
}

function textOf(sample: Record<string, number>): string {
  const filled = Object.entries(sample).filter(([, value]) => value > 0);
  return filled.map(([what, value]) => `${what} ${value.toFixed(0)}`).join("; ");
}

export function reportOf({ measures, statuses, refreshes, signIns }: Soak): string {
  const lines = measures.map(({ what, samples, verdict }) => {
    const [first = 0, last = first] = [samples[0], samples.at(-1)];
    return `${verdict.padEnd(6)} ${what}: ${first.toFixed(0)} to ${last.toFixed(0)}`;
  });
  const load = `${refreshes} refreshes, ${signIns} sign-ins, of strangers by status ${JSON.stringify(statuses)}`;
  return [load, ...lines].join("\n");
}
