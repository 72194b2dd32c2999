// Honest apps, each of which lives a grant and sends a code or refresh token again until there is an outcome.

import { setTimeout as sleep } from "node:timers/promises";
import { monotonic } from "../history.ts";
import type { ServiceNode } from "../node-process.ts";
import { type Kind, type LateGrant, type LateOperation, send } from "./app.ts";
import { grantIdOf } from "./rows.ts";
import type { World } from "./world.ts";

export interface HonestLoad {
  readonly operations: readonly LateOperation[];
  /** The lives that a request without outcome has ended: the load was over for too long. */
  readonly unfinished: readonly string[];
  /** The lives whose code has expired before there was an outcome. */
  readonly expired: readonly string[];
  /** Begins lives that were held back, so that their codes meet what begins now. Does so once. */
  join(): void;
  /** Lives end after a few requests from now on. Resolves when all have. */
  finish(): Promise<void>;
}

/** How apps come back. */
export interface Return {
  /** How much later an app sends a code or refresh token again, by turns: seconds, by which its row is aged. */
  readonly delaysS: readonly number[];
  /** Milliseconds before each retry, in real time. */
  readonly pauseMs: number;
}

/** An app that asked again at once would add to what is wrong. */
const LATE: Return = { delaysS: [1, 36, 540, 82_800], pauseMs: 500 };
/** While what the service could not write is still on its way. */
export const AT_ONCE: Return = { delaysS: [1], pauseMs: 60 };
/** A code lives for so long. Its last retry leaves the service some time before the end. */
const CODE_LIFETIME_S = 600;
const LAST_RETRY_S = 580;
const ROTATIONS = 4;
/** At most, before each rotation. */
const THINK_MS = 400;
/** After the fault, a request has so long to get an outcome. */
const OVER_MS = 100_000;

/** `clients` lives are lived at a time, of these grants or of all. */
export function startHonestLoad(
  world: Pick<World, "nodes" | "settleMs" | "rows" | "grants">,
  options: { clients: number; grants?: readonly LateGrant[]; return?: Return },
): HonestLoad {
  const { nodes, settleMs, rows } = world;
  const { clients, grants = world.grants, return: { delaysS, pauseMs } = LATE } = options;
  const operations: LateOperation[] = [];
  const unfinished: string[] = [];
  const expired: string[] = [];
  const waiting = [...grants];
  const heldBack = waiting.splice(0, Math.ceil(clients / 2));
  const tries: Record<Kind, number> = { public: 0, confidential: 0 };
  let asked = 0;
  let end: number | null = null;

  function nextNode(): ServiceNode {
    const node = nodes[asked++ % nodes.length];
    if (node === undefined) throw new Error("no node");
    return node;
  }

  function nextDelay(kind: Kind): number {
    return delaysS[tries[kind]++ % delaysS.length] ?? 1;
  }

  /** Null if the load is over, or the code has expired without an outcome. */
  async function insist(
    { app, name }: LateGrant,
    verb: "redeem" | "rotate",
    input: string,
  ): Promise<LateOperation | null> {
    const grantId = grantIdOf(input);
    const first = Date.now() / 1000;
    const request = { who: name, grant: name, verb, input };
    let late = { agedS: 0, wasCommitted: false };
    for (;;) {
      const done = await send(nextNode(), app, request, late);
      operations.push(done);
      if (done.outcome !== "unknown") return done;
      if (end !== null && monotonic() > end) {
        unfinished.push(name);
        return null;
      }
      await sleep(pauseMs);
      const left = () =>
        verb === "redeem"
          ? LAST_RETRY_S - late.agedS - (Date.now() / 1000 - first)
          : Number.POSITIVE_INFINITY;
      const delay = nextDelay(app.kind);
      const seconds = delay <= left() ? delay : 1;
      const agedS = late.agedS + seconds;
      const codeExpiresAt = verb === "redeem" ? first + CODE_LIFETIME_S - agedS : undefined;
      const { generation } = await rows.age({ grantId, seconds, codeExpiresAt });
      late = { agedS, wasCommitted: generation > generationOf(input) };
      await sleep(settleMs);
      // Only now, because the row may have been locked for long.
      if (left() < 0) {
        expired.push(name);
        return null;
      }
    }
  }

  async function live(grant: LateGrant, isLong: boolean): Promise<void> {
    const redeemed = await insist(grant, "redeem", grant.code);
    let successor = redeemed?.successor;
    for (let count = 0; count < ROTATIONS || (isLong && end === null); count++) {
      if (successor === undefined) return;
      await sleep(Math.random() * THINK_MS);
      successor = (await insist(grant, "rotate", successor))?.successor;
    }
  }

  /** Half of the workers redeem one code after another, so that a fault meets codes too. */
  async function work(isSteady: boolean): Promise<void> {
    for (let grant = waiting.shift(); grant !== undefined && end === null; grant = waiting.shift())
      await live(grant, isSteady || waiting.length < clients / 2);
  }

  const workers = Array.from({ length: clients }, (_, index) => work(index % 4 < 2));
  function join(): void {
    workers.push(...heldBack.splice(0).map((grant) => live(grant, false)));
  }

  return {
    ...{ operations, unfinished, expired },
    join,
    async finish() {
      join();
      end = monotonic() + OVER_MS;
      await Promise.all(workers);
    },
  };
}

/** A code or refresh token carries its generation after the id of its grant. */
function generationOf(token: string): number {
  return Buffer.from(token.slice(4), "base64url").readUInt32BE(17);
}

/** Presents what each grant is at, and then the token that was used up last. Returns these operations. */
export async function witness(
  { node, rows }: Pick<World, "node" | "rows">,
  grants: readonly LateGrant[],
  operations: readonly LateOperation[],
): Promise<LateOperation[]> {
  const done: LateOperation[] = [];
  const present = async (grant: LateGrant, input: string) => {
    const request = { who: "witness", grant: grant.name, verb: "rotate", input } as const;
    const operation = await send(node, grant.app, request);
    done.push(operation);
    return operation;
  };
  for (const grant of grants) {
    const own = operations.filter((operation) => operation.grant === grant.name);
    const last = own.at(-1);
    // An app that was logged out, or has no outcome, has no token that must work.
    if (last?.outcome !== "ok" || last.successor === undefined) continue;
    await present(grant, last.successor);
    if (last.verb === "rotate") await present(grant, last.input);
    const { revokedAt } = await rows.read(grantIdOf(grant.code));
    if (last.verb === "rotate" && revokedAt === null)
      throw new Error(`${grant.name} is not revoked after a used token was presented`);
  }
  return done;
}
