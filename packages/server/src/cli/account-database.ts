// The database for commands on accounts, with the history that their owners see.

import { markPathOf } from "../config/mark-path.ts";
import { timeOrderedId } from "../lib/random.ts";
import type { NewHistoryEntry } from "../store/history.ts";
import type { CommandContext, Status } from "./command-context.ts";
import { type CommandDatabase, withDatabase } from "./command-database.ts";
import { type GivenOptions, settingsOf } from "./setting-options.ts";

interface AccountDatabase extends CommandDatabase {
  /** Adds an entry to the history of an account. */
  record(entry: NewHistoryEntry): Promise<void>;
}

/** Runs `task` on the database of the command, once it can be used. */
export function withAccounts(
  options: GivenOptions,
  { terminal }: CommandContext,
  task: (database: AccountDatabase) => Promise<Status>,
): Promise<Status> {
  const wanted = ["database", "mark", "session_idle_days"] as const;
  const { mark, ...settings } = settingsOf(options, terminal, wanted);
  const { database, ...days } = settings;
  const run = async (own: CommandDatabase) => {
    await own.ready;
    const { store, clock, random } = own;
    return task({
      ...own,
      record: (entry) =>
        store.recordHistory([{ ...entry, id: timeOrderedId(clock, random), at: clock.seconds() }]),
    });
  };
  return withDatabase(database, run, { days, mark: markPathOf({ mark, database }) });
}
