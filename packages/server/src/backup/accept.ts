// Accepts a database as it is: replaces its mark, whatever the mark contains.

import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type { Installation } from "../store/installation.ts";
import type { Store } from "../store/store.ts";
import { type Mark, readMark, writeMark } from "./mark.ts";
import { ofItself } from "./mark-check.ts";

/** The database is served from then on. Nothing of the mark is kept but its counter. Rejects with `OperatorError`. */
export async function acceptDatabase(
  path: string,
  {
    store,
    clock,
    random,
  }: { readonly store: Store; readonly clock: Clock; readonly random: Random },
): Promise<Installation> {
  const { databaseId } = await ofItself(store, random);
  const mark = readableMark(path);
  const isOwn = mark?.databaseId === databaseId;
  const accepted = await store.installation.acceptCounter(isOwn ? mark.counter : 0);
  const [endedKeys, endedSecrets] = [
    await store.keys.endedKeys(),
    await store.registrations.endedSecrets(),
  ];
  const { counter } = accepted;
  await writeMark(path, { databaseId, counter, at: clock.seconds(), endedKeys, endedSecrets });
  return accepted;
}

function readableMark(path: string): Mark | null {
  try {
    return readMark(path);
  } catch (cause) {
    if (cause instanceof OperatorError) return null;
    throw cause;
  }
}
