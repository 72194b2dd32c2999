// Writes the history of accounts: the events that their owners see later.

import { setImmediate as afterResponse } from "node:timers/promises";
import type { Clock } from "../lib/clock.ts";
import { type Random, timeOrderedIdOf } from "../lib/random.ts";
import type { AccountStore } from "../store/accounts.ts";
import type {
  HistoryDetails,
  HistoryEntry,
  HistoryKind,
  HistoryStore,
  NewHistoryEntry,
} from "../store/history-entries.ts";
import { type Events, eachEvent } from "../telemetry/events.ts";

/** By how many milliseconds ids may be ahead of the clock after many entries at once. */
const MAX_AHEAD_MS = 1000;

/** If the database does not answer, entries beyond this number are lost, and reported. */
const MAX_WAITING = 2000;
const MAX_PER_STATEMENT = 100;

export type History = ReturnType<typeof createHistory>;

interface Deps {
  readonly histories: HistoryStore;
  readonly accounts: AccountStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}

/**
 * Wraps `events` so that events of an account are also added to its history. No response waits for entries: they are
 * written in the background, several in one statement. Entries that wait when the process is killed are lost.
 */
export function createHistory({ histories, accounts, clock, random, events }: Deps) {
  const waiting: HistoryEntry[] = [];
  /** Domains with an account that became the live one: any other account sleeps since then. */
  const changedDomains = new Set<string>();
  let writing: Promise<void> | null = null;
  let statement: Promise<void> = Promise.resolve();
  let lastMs = 0;
  let added = 0;
  let written = 0;
  return { events: recorded(), settled: async () => writing, caughtUp };

  function recorded(): Events {
    return eachEvent((name) => {
      const entryOf = ENTRIES[name];
      return (fields) => {
        events[name](fields as never);
        if (entryOf !== undefined) add(entryOf(fields as never));
      };
    });
  }

  /** Resolves when the entries that wait now are written or lost. Later entries do not count. */
  async function caughtUp(): Promise<void> {
    const upTo = added;
    while (written < upTo && writing !== null) {
      await statement;
      await afterResponse();
    }
  }

  function add({ liveDomain, ...entry }: RecordedEntry): void {
    if (waiting.length >= MAX_WAITING) {
      const dropped = `an entry was dropped: ${entry.kind}`;
      failed(new Error(`${MAX_WAITING} history entries are already queued; ${dropped}`));
      return;
    }
    waiting.push({ id: nextId(), at: clock.seconds(), ...entry });
    added++;
    if (liveDomain !== undefined && changedDomains.size < MAX_WAITING) {
      changedDomains.add(liveDomain);
    }
    writing ??= write();
  }

  /** Entries are shown in the order of their ids, so an id is later than the one before, also within a millisecond. */
  function nextId(): string {
    const now = clock.milliseconds();
    const wasSetBack = lastMs - now > MAX_AHEAD_MS;
    lastMs = now > lastMs || wasSetBack ? now : lastMs + 1;
    return timeOrderedIdOf(lastMs, random(10));
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
    events.failed({ path: "history", cause });
  }
}

/** Every node writes this entry with the same id, so that there is only one. */
function asleepEntry(accountId: string, since: number): HistoryEntry {
  const id = `${(since * 1000).toString(16).padStart(12, "0")}-asleep`;
  return { id, at: since, accountId, kind: "record_changed", detail: { names_account: false } };
}

type RecordedEntry = NewHistoryEntry & {
  readonly id?: string;
  readonly at?: number;
  /** The domain of which the account became the live one. */
  readonly liveDomain?: string;
};

/** The kinds of entries that have this detail. */
type KindWith<Detail> = {
  [Kind in HistoryKind]: HistoryDetails[Kind] extends Detail ? Kind : never;
}[HistoryKind];

interface AccountFields {
  readonly accountId: string;
}

const withoutDetail =
  (kind: KindWith<Record<string, never>>) =>
  ({ accountId }: AccountFields): RecordedEntry => ({ accountId, kind, detail: {} });

const ofPasskey =
  (kind: KindWith<{ readonly name: string }>) =>
  ({ accountId, name }: AccountFields & { readonly name: string }): RecordedEntry => {
    return { accountId, kind, detail: { name } };
  };

const ofApp =
  (kind: "app_revoked" | "token_repeated_elsewhere") =>
  ({ accountId, clientId }: AccountFields & { readonly clientId: string }): RecordedEntry => {
    return { accountId, kind, detail: { client_id: clientId } };
  };

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
  sessionReused: withoutDetail("session_reused"),
  setUpReused: ({ accountId }) => ({ accountId, kind: "set_up_reused", detail: {} }),
  // The previous version has no text for a kind of its own.
  challengeReused: ({ accountId }) => {
    return { accountId, kind: "set_up_reused", detail: { of: "challenge" } };
  },
  browserAdded: withoutDetail("new_browser"),
  passkeyAdded: ofPasskey("passkey_added"),
  passkeyRemoved: ofPasskey("passkey_removed"),
  passkeyRenamed: ofPasskey("passkey_renamed"),
  signedOut: ({ accountId, where }) => {
    const kind = where === "everywhere" ? "signed_out_everywhere" : "signed_out";
    return { accountId, kind, detail: {} };
  },
  appRevoked: ofApp("app_revoked"),
  retriedElsewhere: ofApp("token_repeated_elsewhere"),
  recoveryCodeUsed: withoutDetail("recovery_code_used"),
  recoveryCodesRenewed: withoutDetail("recovery_codes_renewed"),
  appAllowed: ({ accountId, clientId, scope }) => {
    return { accountId, kind: "app_allowed", detail: { client_id: clientId, scope } };
  },
  recordLost: ({ accountId, since }) => asleepEntry(accountId, since),
  recordFound: ({ accountId, domain: liveDomain }) => {
    return { accountId, kind: "record_changed", detail: { names_account: true }, liveDomain };
  },
  ended: ({ accountId }) => ({ accountId, kind: "account_ended", detail: { by: "record" } }),
};
