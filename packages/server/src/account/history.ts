// Writes the history of accounts: the events that their owners see later.

import { setImmediate as afterResponse } from "node:timers/promises";
import type { Clock } from "../lib/clock.ts";
import { type Random, timeOrderedId } from "../lib/random.ts";
import type { HistoryEntry, NewHistoryEntry } from "../store/history-entries.ts";
import type { Aggregates } from "../store/store.ts";
import { type Events, eachEvent } from "../telemetry/events.ts";

/** If the database does not answer, entries beyond this number are lost, and reported. */
const MAX_WAITING = 2000;
const MAX_PER_STATEMENT = 100;

export type History = ReturnType<typeof createHistory>;

/**
 * Wraps `events` so that those about an account are also added to its history. They are written in the
 * background, several in one statement, because no response must wait for them. What is still waiting
 * when the process is killed is lost.
 */
export function createHistory(
  deps: Pick<Aggregates, "histories" | "accounts"> & {
    readonly clock: Clock;
    readonly random: Random;
    readonly events: Events;
  },
) {
  const { histories, accounts, clock, random } = deps;
  const waiting: HistoryEntry[] = [];
  /** Domains with an account that became the live one: any other account sleeps since then. */
  const changedDomains = new Set<string>();
  let writing: Promise<void> | null = null;
  let statement: Promise<void> = Promise.resolve();
  let added = 0;
  let written = 0;
  return { events: recorded(deps.events, add), settled: async () => writing, caughtUp };

  /** Resolves when what was added so far is written, or is lost. Entries that others add meanwhile do not count. */
  async function caughtUp(): Promise<void> {
    const upTo = added;
    while (written < upTo && writing !== null) {
      await statement;
      await afterResponse();
    }
  }

  function add({ liveDomain, ...entry }: RecordedEntry): void {
    if (waiting.length >= MAX_WAITING) {
      failed(
        new Error(
          `${MAX_WAITING} history entries are already queued; an entry was dropped: ${entry.kind}`,
        ),
      );
      return;
    }
    waiting.push({ id: timeOrderedId(clock, random), at: clock.seconds(), ...entry });
    added++;
    if (liveDomain !== undefined && changedDomains.size < MAX_WAITING) {
      changedDomains.add(liveDomain);
    }
    writing ??= write();
  }

  async function write(): Promise<void> {
    await afterResponse();
    while (waiting.length > 0 || changedDomains.size > 0) {
      statement = writeNext().catch(failed);
      await statement;
    }
    // In the same step as the last check, so that no entry is added to a loop that has ended.
    writing = null;
  }

  async function writeNext(): Promise<void> {
    const [domain] = changedDomains;
    if (domain !== undefined) {
      changedDomains.delete(domain);
      for (const { id, asleepSince } of await accounts.accountsOf(domain)) {
        if (asleepSince === null) continue;
        waiting.push(asleepEntry(id, asleepSince));
        added++;
      }
    }
    const next = waiting.splice(0, MAX_PER_STATEMENT);
    await histories.recordHistory(next).finally(() => {
      written += next.length;
    });
  }

  function failed(cause: unknown): void {
    deps.events.failed({ path: "history", cause });
  }
}

/** Has the same id whenever and by whichever node it is written, so that it is only one entry. */
function asleepEntry(accountId: string, since: number): HistoryEntry {
  const id = `${(since * 1000).toString(16).padStart(12, "0")}-asleep`;
  return { id, at: since, accountId, kind: "record_changed", detail: { names_account: false } };
}

type RecordedEntry = NewHistoryEntry &
  Partial<Pick<HistoryEntry, "id" | "at">> & { readonly liveDomain?: string };

/** The events about an account, and the entry that each becomes. */
const ENTRIES: {
  readonly [Name in keyof Events]?: (fields: Parameters<Events[Name]>[0]) => RecordedEntry;
} = {
  enrolled: ({ accountId, domain: liveDomain }) => {
    return { accountId, kind: "account_created", detail: {}, liveDomain };
  },
  signedIn: ({ accountId, clientId, amr }) => {
    return { accountId, kind: "signed_in", detail: { client_id: clientId, amr } };
  },
  sessionReused: ({ accountId }) => ({ accountId, kind: "session_reused", detail: {} }),
  setUpReused: ({ accountId }) => ({ accountId, kind: "set_up_reused", detail: {} }),
  browserAdded: ({ accountId }) => ({ accountId, kind: "new_browser", detail: {} }),
  passkeyAdded: ({ accountId, name }) => ({ accountId, kind: "passkey_added", detail: { name } }),
  passkeyRemoved: ({ accountId, name }) => {
    return { accountId, kind: "passkey_removed", detail: { name } };
  },
  passkeyRenamed: ({ accountId, name }) => {
    return { accountId, kind: "passkey_renamed", detail: { name } };
  },
  signedOut: ({ accountId, where }) => ({
    accountId,
    kind: where === "everywhere" ? "signed_out_everywhere" : "signed_out",
    detail: {},
  }),
  appRevoked: ({ accountId, clientId }) => ({
    accountId,
    kind: "app_revoked",
    detail: { client_id: clientId },
  }),
  retriedElsewhere: ({ accountId, clientId }) => ({
    accountId,
    kind: "token_repeated_elsewhere",
    detail: { client_id: clientId },
  }),
  recoveryCodeUsed: ({ accountId }) => ({ accountId, kind: "recovery_code_used", detail: {} }),
  recoveryCodesRenewed: ({ accountId }) => {
    return { accountId, kind: "recovery_codes_renewed", detail: {} };
  },
  appAllowed: ({ accountId, clientId, scope }) => {
    return { accountId, kind: "app_allowed", detail: { client_id: clientId, scope } };
  },
  recordLost: ({ accountId, since }) => asleepEntry(accountId, since),
  recordFound: ({ accountId, domain: liveDomain }) => {
    return { accountId, kind: "record_changed", detail: { names_account: true }, liveDomain };
  },
  ended: ({ accountId }) => ({ accountId, kind: "account_ended", detail: { by: "record" } }),
};

function recorded(events: Events, add: (entry: RecordedEntry) => void): Events {
  return eachEvent((name) => {
    const entryOf = ENTRIES[name];
    return (fields) => {
      events[name](fields as never);
      if (entryOf !== undefined) add(entryOf(fields as never));
    };
  });
}
