// The database for commands on accounts, with the history that their owners see.

import { type ConfigSources, readSettings } from "../config/config.ts";
import { markPathOf } from "../config/mark-path.ts";
import { timeOrderedId } from "../lib/random.ts";
import type { NewHistoryEntry } from "../store/history-entries.ts";
import type { Status } from "./command-context.ts";
import { type CommandDatabase, withDatabase } from "./command-database.ts";

export interface AccountDatabase extends CommandDatabase {
  /** Adds an entry to the history of an account. */
  record(entry: NewHistoryEntry): Promise<void>;
}

/** Runs `task` on the database of the command, once the database can be used. */
export function openAccounts(
  sources: ConfigSources,
  task: (database: AccountDatabase) => Promise<Status>,
): Promise<Status> {
  const settings = readSettings(sources, ["database", "mark", "session_idle_days"]);
  const { database, sessionIdleDays } = settings;
  const run = async (own: CommandDatabase) => {
    await own.ready;
    const { store, clock, random } = own;
    const record = (entry: NewHistoryEntry) =>
      store.histories.recordHistory([
        { ...entry, id: timeOrderedId(clock, random), at: clock.seconds() },
      ]);
    return task({ ...own, record });
  };
  return withDatabase(database, run, { days: { sessionIdleDays }, mark: markPathOf(settings) });
}
