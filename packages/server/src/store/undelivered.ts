// What this service owes a client that got 503: marks of grants whose last answer was not delivered, and assertions
// that count as unused.
//
// The client comes back with the same code or refresh token, maybe hours later. The mark lets it have the answer once
// more; without the mark, it would be taken for a thief.

import { defineUpdate } from "../database/grouped.ts";
import { type Sql, sqlOf } from "../database/rows.ts";
import type { AssertionUse } from "./attempts.ts";
import { createDebts } from "./debts.ts";
import type { GrantChanges } from "./grant-changes.ts";
import type { PresentedCode, PresentedRefreshToken } from "./grant-row.ts";

export interface Undelivered {
  /** What the request presented, with its attempt id. */
  readonly presented: PresentedCode | PresentedRefreshToken;
  /** Whether the database was asked for the change. */
  readonly isBegun: boolean;
  /** Whether the change may still take effect. It is then made first, so that it cannot happen after the mark. */
  readonly isUnknown: boolean;
  /** Epoch seconds: a change of the grant since then counts too. Null if only a change by the request itself counts. */
  readonly changedSince: number | null;
}

/** Beyond so many that are not written, no further change of a grant is begun. */
export const MAX_UNWRITTEN_MARKS = 100_000;

const MARK = defineUpdate({
  update: "grants",
  key: "id",
  values: { presented: "BIGINT", client: "TEXT", own_attempt: "TEXT", since: "BIGINT" },
  set: "undelivered = generation",
  where: `generation = given.presented AND client_id = given.client AND revoked_at IS NULL
    AND (attempt = given.own_attempt OR COALESCE(redelivered_at, rotated_at) >= given.since)`,
  returning: "",
});

const FORGET = "DELETE FROM attempts WHERE name = ?1 AND count = ?2";

export type UndeliveredStore = ReturnType<typeof undeliveredStore>;

export function undeliveredStore({ engine }: Sql, changes: GrantChanges) {
  // Before everything else that waits, so that a client that comes back finds the mark.
  const first = sqlOf(engine, { isFirst: true, isUrgent: true, waitMs: Number.POSITIVE_INFINITY });
  /** By the id of a grant, or the name of an assertion. */
  const debts = createDebts();

  async function write({ presented, isUnknown, changedSince }: Undelivered): Promise<void> {
    const isCode = "redirectUri" in presented;
    // Whether this changes the grant or not, the change of the request cannot take effect after it.
    if (isUnknown) {
      if (isCode) await changes.redeemCode(presented, first);
      else await changes.rotateRefreshToken(presented, first);
    }
    const { id, clientId, attempt = null } = presented;
    await first.run(MARK, id, generationOf(presented), clientId, attempt, changedSince);
  }

  return {
    /** Marks the grant as soon as the database takes the mark. Never fails. */
    markUndelivered(mark: Undelivered): void {
      const { id, clientId } = mark.presented;
      // The first of those that changed nothing allows what the later ones do.
      const same = mark.isBegun ? null : `${generationOf(mark.presented)} ${clientId}`;
      debts.owe(id, () => write(mark), same);
    },
    /** Makes an assertion usable again, unless another use of it counts. Never fails. */
    forgetAssertion: ({ name, use }: AssertionUse) =>
      debts.owe(name, () => first.run(FORGET, name, use)),
    hasUnwrittenMark: debts.has,
    hasTooManyMarks: () => debts.count() >= MAX_UNWRITTEN_MARKS,
    /** For how many milliseconds the oldest mark has not been written; 0 if all are. */
    oldestMarkMs: debts.oldestMs,
    marksWritten: debts.paid,
    /** Waits a little for marks, and writes no further ones. */
    closeMarks: debts.close,
  };
}

/** Of the grant after the change. */
function generationOf(presented: PresentedCode | PresentedRefreshToken): number {
  return "redirectUri" in presented ? 1 : presented.generation + 1;
}
