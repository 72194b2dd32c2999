// The last step of every restore: ends what the database of a backup must not revive.

import { endKeysAgain } from "../keys/end-again.ts";
import type { Seal } from "../keys/seal.ts";
import type { Clock } from "../lib/clock.ts";
import { type Random, randomText } from "../lib/random.ts";
import { REVIVED_TABLES, type RevivedTable } from "../store/revived.ts";
import type { Store } from "../store/store.ts";
import { type Mark, markOf, readMark, writeMark } from "./mark.ts";

/**
 * Why the keys and secrets that were ended after the backup are not all known: there is no mark; it belongs to another
 * database; or it is older than the backup.
 */
export type Undetermined = "no_mark" | "other_mark" | "old_mark";

export interface Restored {
  readonly databaseId: string;
  /** Epoch seconds. */
  readonly restoredAt: number;
  /** How many rows of each table were ended, by this call. */
  readonly ended: Readonly<Record<RevivedTable, number>>;
  readonly endedKeys: number;
  readonly endedSecrets: number;
  readonly undetermined: readonly Undetermined[];
}

export interface RestoredDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Null without a secret. It is needed only if a key has to be replaced. */
  readonly seal: Seal | null;
  /** The path of the mark file; null if there is none. */
  readonly markPath: string | null;
  /** Writes the new mark; by default, to the mark file at once. */
  readonly keepMark?: (mark: Mark) => Promise<void>;
}

/**
 * Ends all grants, sessions, sign-ins in progress and consents, makes every account due for a check of its record, and
 * ends the keys and client secrets of the mark again. The service must not be running. Can be repeated, even after an
 * interruption: set-ups and passkeys are refused only by its last statement, and the mark file is replaced after that.
 * Rejects with `OperatorError` if the mark cannot be used, or a key must be replaced without the secret.
 */
export async function finishRestore(deps: RestoredDeps): Promise<Restored> {
  const { store, clock, random, markPath } = deps;
  const mark = markPath === null ? null : readMark(markPath);
  // A backup from before databases had ids can only belong to this mark.
  const known = await store.installation.readInstallation();
  const { databaseId } = await store.installation.claimInstallation(
    known?.databaseId ?? mark?.databaseId ?? randomText(random, 16),
  );
  const ownMark = mark?.databaseId === databaseId ? mark : null;
  const now = clock.seconds();
  const endedKeys = await endKeysAgain(ownMark?.endedKeys ?? [], now, {
    ...deps,
    keys: store.keys,
  });
  let endedSecrets = 0;
  for (const secret of ownMark?.endedSecrets ?? []) {
    if (await store.registrations.endSecretAgain(secret)) endedSecrets++;
  }
  const ended = {} as Record<RevivedTable, number>;
  for (const table of REVIVED_TABLES) ended[table] = await endAll(table, now, store);
  const undetermined = undeterminedBy(mark, { databaseId, counter: known?.counter ?? 0 });
  const { counter } = await store.installation.recordRestore({
    counter: ownMark?.counter ?? 0,
    now,
  });
  if (markPath !== null) {
    const keepMark = deps.keepMark ?? ((mark) => writeMark(markPath, mark));
    await keepMark(await markOf(store, { databaseId, counter, at: now }));
  }
  return { databaseId, restoredAt: now, ended, endedKeys, endedSecrets, undetermined };
}

function undeterminedBy(
  mark: Mark | null,
  { databaseId, counter }: { readonly databaseId: string; readonly counter: number },
): readonly Undetermined[] {
  if (mark === null) return ["no_mark"];
  if (mark.databaseId !== databaseId) return ["other_mark"];
  return mark.counter < counter ? ["old_mark"] : [];
}

async function endAll(table: RevivedTable, now: number, store: Store): Promise<number> {
  let ended = 0;
  let after: readonly string[] | null = null;
  do {
    const step = await store.revived.endRevived(table, after, now);
    ended += step.ended;
    after = step.next;
  } while (after !== null);
  return ended;
}
