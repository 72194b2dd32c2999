// Marks of grants whose last answer this service failed to deliver.
//
// A client that got 503 comes back with the same code or refresh token, maybe hours later. The mark lets it have the
// answer once more; without the mark, it would be taken for a thief.

import { setTimeout as sleep } from "node:timers/promises";
import { given } from "./given.ts";
import type { GrantChanges } from "./grant-changes.ts";
import type { PresentedCode, PresentedRefreshToken } from "./grant-row.ts";
import { type Sql, sqlOf } from "./rows.ts";

export interface Undelivered {
  /** What the request presented, with its attempt id. */
  readonly presented: PresentedCode | PresentedRefreshToken;
  /** Whether the change may still take effect. It is then made first, so that it cannot happen after the mark. */
  readonly isUnknown: boolean;
  /**
   * Epoch seconds: the request was one that may be repeated if the grant was changed since. Null if only a change by
   * the request itself counts.
   */
  readonly changedSince: number | null;
}

type Unwritten = Undelivered & { readonly since: number };

/** Beyond so many that are not written, no further change of a grant is begun. */
export const MAX_UNWRITTEN_MARKS = 100_000;
const MARKS_AT_ONCE = 256;
/** Milliseconds before marks are written again that the database did not take. */
const PAUSE_MS = 500;
/** Milliseconds that a close waits for marks. */
const CLOSE_MS = 2000;

const MARK = `
  UPDATE grants SET undelivered = generation
  FROM ${given({
    ...{ marked_id: "TEXT", undelivered_generation: "BIGINT", client: "TEXT" },
    ...{ own_attempt: "TEXT", since: "BIGINT" },
  })}
  WHERE id = given.marked_id AND generation = given.undelivered_generation
    AND client_id = given.client AND revoked_at IS NULL
    AND (attempt = given.own_attempt OR COALESCE(redelivered_at, rotated_at) >= given.since)
  RETURNING id`;

export type UndeliveredStore = ReturnType<typeof undeliveredStore>;

export function undeliveredStore(
  { engine }: Sql,
  changes: Pick<GrantChanges, "redeemCode" | "rotateRefreshToken">,
) {
  // Before everything else that waits, so that a client that comes back finds the mark.
  const first = sqlOf(engine, { isFirst: true, isUrgent: true, waitMs: Number.POSITIVE_INFINITY });
  /** By grant: several requests about a grant can fail. */
  const unwritten = new Map<string, Unwritten[]>();
  let count = 0;
  let writing: Promise<void> | null = null;
  let isClosing = false;

  async function write({ presented, isUnknown, changedSince }: Undelivered): Promise<void> {
    const isCode = "redirectUri" in presented;
    // Whatever becomes of it: from then on, the change of the request cannot take effect any more.
    if (isUnknown) {
      if (isCode) await changes.redeemCode(presented, first);
      else await changes.rotateRefreshToken(presented, first);
    }
    const { id, clientId, attempt = null } = presented;
    await first.run(MARK, id, generationOf(presented), clientId, attempt, changedSince);
  }

  async function writeAll(): Promise<void> {
    while (count > 0 && !isClosing) {
      const some = [...unwritten.values()].slice(0, MARKS_AT_ONCE).flatMap(([mark]) => mark ?? []);
      const written = await Promise.all(
        some.map((mark) =>
          write(mark).then(
            () => forget(mark),
            () => false,
          ),
        ),
      );
      if (!written.includes(true)) await sleep(PAUSE_MS, undefined, { ref: false });
    }
    writing = null;
  }

  function forget(mark: Unwritten): boolean {
    const { id } = mark.presented;
    const others = unwritten.get(id)?.filter((other) => other !== mark) ?? [];
    count--;
    if (others.length > 0) unwritten.set(id, others);
    else unwritten.delete(id);
    return true;
  }

  return {
    /** Marks the grant as soon as the database takes the mark. Never fails. */
    markUndelivered(mark: Undelivered): void {
      const { id } = mark.presented;
      unwritten.set(id, [...(unwritten.get(id) ?? []), { ...mark, since: performance.now() }]);
      count++;
      writing ??= writeAll();
    },
    hasUnwrittenMark: (id: string) => unwritten.has(id),
    hasTooManyMarks: () => count >= MAX_UNWRITTEN_MARKS,
    /** For how many milliseconds the oldest mark has not been written; 0 if all are. */
    oldestMarkMs(): number {
      const [[oldest] = []] = unwritten.values();
      return oldest === undefined ? 0 : performance.now() - oldest.since;
    },
    /** Resolves when all marks are written. */
    marksWritten: async (): Promise<void> => {
      await writing;
    },
    /** Waits a little for marks, and writes no further ones. */
    async closeMarks(): Promise<void> {
      const late = sleep(CLOSE_MS, undefined, { ref: false });
      if (writing !== null) await Promise.race([writing, late]);
      isClosing = true;
    },
  };
}

/** Of the grant after the change. */
function generationOf(presented: PresentedCode | PresentedRefreshToken): number {
  return "redirectUri" in presented ? 1 : presented.generation + 1;
}
