// A node that issues grants is killed again and again: of everything that one commit stores, all is there or nothing.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SqlEngine } from "../../src/database/engine.ts";
import { type Broken, type ServiceNode, startNode } from "./node-process.ts";
import { ISSUER, type PendingSignIn, seedPending, withEngine } from "./pending.ts";

export interface IssueCrashLoad {
  /** What was found after each start, and in the end; empty if every grant is whole. */
  readonly violations: readonly string[];
  readonly acknowledged: number;
  /** Requests that a kill left without an answer. */
  readonly cutOff: number;
  /** Answers that were neither a code nor a refusal for lack of time, by status. */
  readonly otherAnswers: readonly string[];
}

const CLIENTS = 12;
/** More than are answered before a kill. */
const SIGN_INS = 80;
/** Before a kill: codes that were sent since the last one, then up to so many milliseconds of load. */
const ACKNOWLEDGED = 5;
const MOST_LOAD = 120;
const PAUSE = 10;
const TIMEOUT = 20_000;

/** One statement, so that it sees one moment. `kind` says of what `one` is there. */
const STORED = `
  SELECT 'grant' AS kind, id AS one FROM grants WHERE revoked_at IS NULL
  UNION ALL SELECT 'evidence', grant_id FROM evidence
  UNION ALL SELECT 'pending', grant_id FROM interactions WHERE expires_at > created_at + 80000
  UNION ALL SELECT 'notified', sid FROM session_clients`;

export async function issueCrashLoad(options: {
  database: string;
  kills: number;
  broken?: Broken;
}): Promise<IssueCrashLoad> {
  const { database, kills, broken } = options;
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-issue-crash-"));
  const all = await seedPending(database, SIGN_INS * kills);
  const violations: string[] = [];
  const env = { DOMAIN_SIGNIN_ALLOWED_SPECIAL_NAMES: "test" };
  const start = (life: number) =>
    startNode({ name: `life ${life}`, database, folder, broken, env });
  let current = start(0);
  const load = startLoad(all, () => current);
  const look = () => withEngine(database, (engine) => halvesIn(engine, all, load.acknowledged));
  try {
    for (let kill = 1; kill <= kills; kill++) {
      const running = await current;
      await load.untilMore(ACKNOWLEDGED);
      await sleep(Math.random() * MOST_LOAD);
      // Nobody is served before the look: whoever asks again would complete what a kill left behind.
      current = running.end("SIGKILL").then(async () => {
        const next = await start(kill);
        violations.push(...(await look()).map((found) => `after kill ${kill}: ${found}`));
        return next;
      });
      await current;
    }
    await load.untilMore(ACKNOWLEDGED);
    await load.stop();
    violations.push(...(await look()));
    const { acknowledged, cutOff, otherAnswers } = load;
    return { violations, acknowledged: acknowledged.size, cutOff: cutOff(), otherAnswers };
  } finally {
    await (await current).end("SIGKILL");
    await load.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Clients that ask for one code after the other, and again when they are cut off. Some ask twice at once. */
function startLoad(all: readonly PendingSignIn[], node: () => Promise<ServiceNode>) {
  const acknowledged = new Set<string>();
  const otherAnswers: string[] = [];
  const queue = all.values();
  let [stopped, atEnd, cut] = [false, false, 0];

  async function insist({ grantId, path, cookie }: PendingSignIn): Promise<void> {
    while (!stopped) {
      const { port } = await node();
      const answer = await ask(`http://127.0.0.1:${port}${path}`, cookie);
      const hasCode = answer !== null && new URL(answer.location, ISSUER).searchParams.has("code");
      if (hasCode) acknowledged.add(grantId);
      else if (answer === null) cut++;
      else if (answer.status !== 503) otherAnswers.push(`${answer.status} ${answer.location}`);
      if (answer !== null && answer.status !== 503) return;
      await sleep(PAUSE);
    }
  }

  async function work(): Promise<void> {
    for (const pending of queue) {
      const times = Math.random() < 0.2 ? 2 : 1;
      await Promise.all(Array.from({ length: times }, () => insist(pending)));
      if (stopped) return;
    }
    atEnd = true;
  }

  const working = Promise.all(Array.from({ length: CLIENTS }, work));
  return {
    ...{ acknowledged, otherAnswers },
    cutOff: () => cut,
    async untilMore(count: number): Promise<void> {
      const wanted = acknowledged.size + count;
      while (acknowledged.size < wanted && !atEnd) await sleep(PAUSE);
    },
    async stop(): Promise<void> {
      stopped = true;
      await working;
    },
  };
}

/** Null if there is no answer, and nobody knows what became of the request. */
async function ask(url: string, cookie: string) {
  try {
    const signal = AbortSignal.timeout(TIMEOUT);
    const response = await fetch(url, { headers: { cookie }, redirect: "manual", signal });
    await response.text();
    return { status: response.status, location: response.headers.get("location") ?? "" };
  } catch {
    return null;
  }
}

/** What stands half, and what was acknowledged and is gone. */
async function halvesIn(
  engine: SqlEngine,
  all: readonly PendingSignIn[],
  acknowledged: ReadonlySet<string>,
): Promise<string[]> {
  const rows = await engine.execute(STORED, []);
  const stored = new Set(rows.map(({ kind, one }) => `${kind} ${one}`));
  return all.flatMap(({ grantId, sid }) => {
    const has = {
      grant: stored.has(`grant ${grantId}`),
      evidence: stored.has(`evidence ${grantId}`),
      end: !stored.has(`pending ${grantId}`),
      client: stored.has(`notified ${sid}`),
    };
    const { grant, ...others } = has;
    const lost =
      acknowledged.has(grantId) && !grant ? ["a grant was acknowledged and is lost"] : [];
    const halves = Object.entries(others).filter(([, isThere]) => isThere !== grant);
    return [
      ...lost,
      ...halves.map(([of]) =>
        grant ? `a grant is without its ${of}` : `there is the ${of} of no grant`,
      ),
    ];
  });
}
