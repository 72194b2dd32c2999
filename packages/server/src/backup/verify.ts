// Verification: what is damaged in a database, and which of its rows contradict each other.

import { violationsIn } from "../database/invariants.ts";
import { openDatabase, sqlitePath } from "../database/open.ts";
import { sqlOf } from "../database/rows.ts";
import { openAsItIs, problemsIn } from "../database/sqlite-file.ts";
import { stateOf } from "../keys/key-lives.ts";
import type { Seal } from "../keys/seal.ts";
import { labelOf } from "../keys/stored-keys.ts";
import type { Clock } from "../lib/clock.ts";
import { type KeyRow, keyStore } from "../store/keys.ts";

export interface DatabaseProblem {
  readonly problem: string;
  /** How many rows have the problem. */
  readonly count: number;
  readonly examples: readonly string[];
}

/** SQLite names at most this many problems of a damaged file. */
const NAMED_PROBLEMS = 20;
/** A query reads a whole table, however large. */
const DEADLINE_MS = 3_600_000;

/**
 * All problems of the database, empty if it is sound. Changes nothing, and a service may be running. If the
 * file itself is damaged, its rows are not checked. Rejects with `OperatorError` for another schema.
 */
export async function problemsOf(
  address: string,
  { seal, clock }: { seal: Seal | null; clock: Clock },
): Promise<DatabaseProblem[]> {
  const path = sqlitePath(address);
  const file = path === null ? null : openAsItIs(path);
  const engine = file ?? openDatabase(address, { deadline: DEADLINE_MS }).engine;
  try {
    if (file !== null) {
      const damages = await problemsIn(file, `integrity_check(${NAMED_PROBLEMS})`);
      if (damages.length > 0) return damages.map(ofTheFile);
    }
    const violations = await violationsIn(engine.execute, file !== null);
    const keys = await keyStore(sqlOf(engine)).readKeys();
    return [...violations, ...keyProblems(keys, { seal, now: clock.seconds() })];
  } finally {
    await engine.close();
  }
}

function ofTheFile(found: string): DatabaseProblem {
  return { problem: `the file is damaged: ${found}`, count: 1, examples: [] };
}

/** Without the secret, it is unknown whether the keys open. */
function keyProblems(
  keys: readonly KeyRow[],
  { seal, now }: { seal: Seal | null; now: number },
): DatabaseProblem[] {
  const of = (problem: string, rows: readonly string[]): DatabaseProblem[] =>
    rows.length === 0 ? [] : [{ problem, count: rows.length, examples: rows.slice(0, 3) }];
  const purposes = [...new Set(keys.map(({ purpose }) => purpose))];
  const withoutCurrent = purposes.filter((purpose) => {
    const ring = keys.filter((key) => key.purpose === purpose);
    return !ring.some((key) => key.currentFrom <= now && stateOf(key, ring, now) === "current");
  });
  const unopened = keys.filter((key) => seal?.open(labelOf(key), key.sealed) === null);
  return [
    ...of("purposes have no current key", withoutCurrent),
    ...of(
      "purposes have no key, although others have one",
      keys.length > 0 && !purposes.includes("grant-token") ? ["grant-token"] : [],
    ),
    ...of(
      "keys cannot be opened with the secret",
      unopened.map(({ purpose, id }) => `${purpose} ${id}`),
    ),
  ];
}
