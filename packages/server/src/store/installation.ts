// The installation: the id of the database, the counter of its mark file, and when a backup was last restored.

import type { Sql } from "../database/rows.ts";

export interface Installation {
  /** Chosen at random when the database is first used. A copy has the same id. */
  readonly databaseId: string;
  /** Never goes back, so a copy of the database is recognized as older. 0 until there is a mark file. */
  readonly counter: number;
  /** Epoch seconds; null if no backup was ever restored. */
  readonly restoredAt: number | null;
}

const COLUMNS = "database_id, counter, restored_at";

const CLAIM = `
  INSERT INTO installation (id, database_id, counter) VALUES (1, ?1, 0) ON CONFLICT DO NOTHING`;

const READ = `SELECT ${COLUMNS} FROM installation WHERE id = 1`;

const START_COUNTER = `
  UPDATE installation SET counter = 1 WHERE id = 1 AND counter = 0 RETURNING ${COLUMNS}`;

const MOVE_COUNTER = `
  UPDATE installation SET counter = counter + 1 WHERE id = 1 AND counter > 0 RETURNING ${COLUMNS}`;

/** Past this database's counter and that of a mark. */
const PAST = "(CASE WHEN counter > ?1 THEN counter ELSE CAST(?1 AS BIGINT) END) + 1";

const ACCEPT = `UPDATE installation SET counter = ${PAST} WHERE id = 1 RETURNING ${COLUMNS}`;

const RESTORED = `
  UPDATE installation SET counter = ${PAST}, restored_at = ?2 WHERE id = 1 RETURNING ${COLUMNS}`;

const CLAIM_FACT = "INSERT INTO facts (name, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING";

export type InstallationStore = ReturnType<typeof installationStore>;

export function installationStore({ rows, run, first }: Sql) {
  return {
    /** Null for a database that was never used by a version that knows this table. */
    readInstallation: () => first<Installation>(READ),

    /** Gives the database this id, unless it has one. All callers get the same row. */
    async claimInstallation(databaseId: string): Promise<Installation> {
      await run(CLAIM, databaseId);
      return existing(await first<Installation>(READ));
    },

    /** Moves the counter from 0. Of concurrent callers one gets the row; null for the others. */
    startCounter: () => first<Installation>(START_COUNTER),

    /** Moves the counter by 1. Concurrent callers get different counters. Null if it was not started. */
    moveCounter: () => first<Installation>(MOVE_COUNTER),

    /** Moves the counter past its own value and past `counter`, that of a mark. */
    acceptCounter: async (counter: number) => existing(await first<Installation>(ACCEPT, counter)),

    /** The same, and records that a backup was restored at this time. */
    recordRestore: async ({ counter, now }: { counter: number; now: number }) =>
      existing(await first<Installation>(RESTORED, counter, now)),

    /** Sets a fact about the installation unless it is set. Returns the stored value. */
    async claimFact(name: string, value: string) {
      await run(CLAIM_FACT, name, value);
      const [row] = await rows("SELECT value FROM facts WHERE name = ?1", name);
      return String(row?.value);
    },
  };
}

function existing(installation: Installation | null): Installation {
  if (installation === null) throw new Error("the database has no id yet");
  return installation;
}
