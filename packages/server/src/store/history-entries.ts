// History: what happened to an account, as its owner and the operator see it later.

import type { Sql } from "../database/rows.ts";

type Nothing = Readonly<Record<string, never>>;

/** The detail of each kind, without secrets. Do not rename a kind: pages and the JSON of `accounts show` contain it. */
export interface HistoryDetails {
  readonly account_created: Nothing;
  readonly signed_in: { readonly client_id: string; readonly amr: string };
  readonly new_browser: Nothing;
  readonly recovery_code_used: Nothing;
  readonly recovery_codes_renewed: Nothing;
  readonly passkey_added: { readonly name: string };
  readonly passkey_removed: { readonly name: string };
  readonly passkey_renamed: { readonly name: string };
  readonly app_allowed: { readonly client_id: string; readonly scope: string };
  /** All apps, if `client_id` is null. */
  readonly app_revoked: { readonly client_id: string | null };
  /** Whether the record names the account now. If not, the account sleeps. */
  readonly record_changed: { readonly names_account: boolean };
  readonly signed_out: Nothing;
  readonly signed_out_everywhere: Nothing;
  /** Somebody used a secret that was replaced. */
  readonly session_reused: Nothing;
  /** An app repeated a request for tokens late, and from another network than before. */
  readonly token_repeated_elsewhere: { readonly client_id: string };
  /** Another browser had the cookie of the set-up after it was finished, or that of a DNS challenge after its use. */
  readonly set_up_reused: { readonly of?: "challenge" };
  readonly operator_signed_out: Nothing;
  /** All apps, if `client_id` is null. */
  readonly operator_revoked: { readonly client_id: string | null };
  readonly account_ended: { readonly by: "owner" | "operator" | "record" };
}

export type HistoryKind = keyof HistoryDetails;

/** An entry before it is added; its `kind` decides what its `detail` is. */
export type NewHistoryEntry = {
  readonly [Kind in HistoryKind]: {
    readonly accountId: string;
    readonly kind: Kind;
    readonly detail: HistoryDetails[Kind];
  };
}[HistoryKind];

export type HistoryEntry = NewHistoryEntry & {
  /** Begins with its time, so that entries of the same second have an order. */
  readonly id: string;
  /** Epoch seconds. */
  readonly at: number;
};

const COLUMNS = ["id", "account_id", "at", "kind", "detail"] as const;

const OF_ACCOUNT = `
  SELECT ${COLUMNS.join(", ")} FROM history WHERE account_id = ?1 AND at >= ?2
    AND (?4 = '' OR id < ?4)
  ORDER BY id DESC LIMIT ?3`;

/** What the owner has to know of at once: somebody else may have done it. */
export type NoticedKind = "new_browser" | "passkey_added" | "session_reused" | "set_up_reused";
// The newest of each kind first, so that many of one kind do not hide the others.
const NOTICED = `
  SELECT ${COLUMNS.join(", ")} FROM (
    SELECT history.*, ROW_NUMBER() OVER (PARTITION BY kind ORDER BY id DESC) AS turn
    FROM history WHERE account_id = ?1 AND at >= ?2
      AND kind IN ('new_browser', 'passkey_added', 'session_reused', 'set_up_reused')) AS ranked
  ORDER BY turn, id DESC LIMIT 5`;

const DELETE = "DELETE FROM history WHERE account_id = ?1";

export type HistoryStore = ReturnType<typeof historyStore>;

export function historyStore({ run, all }: Sql) {
  return {
    /** Adds entries in one statement. An entry whose id exists already is left out, so a repetition is harmless. */
    async recordHistory(entries: readonly HistoryEntry[]): Promise<void> {
      if (entries.length === 0) return;
      const values = entries.map((_, row) => {
        const numbers = COLUMNS.map((_, column) => `?${row * COLUMNS.length + column + 1}`);
        return `(${numbers.join(", ")})`;
      });
      await run(
        `INSERT INTO history (${COLUMNS.join(", ")}) VALUES ${values.join(", ")}
         ON CONFLICT DO NOTHING`,
        ...entries.flatMap(({ id, accountId, at, kind, detail }) => [
          ...[id, accountId, at, kind],
          JSON.stringify(detail),
        ]),
      );
    },

    /** At most `limit` entries since a time, newest first; with `before`, only those older than this entry. */
    async historyOf(
      accountId: string,
      { since, limit, before = "" }: { since: number; limit: number; before?: string },
    ): Promise<readonly HistoryEntry[]> {
      const found = await all<{ detail: string }>(OF_ACCOUNT, accountId, since, limit, before);
      return found.map((entry) => ({ ...entry, detail: JSON.parse(entry.detail) }) as HistoryEntry);
    },

    /** At most five entries since a time that the owner has to know of at once: the newest of each kind, then others. */
    async noticesOf(
      accountId: string,
      since: number,
    ): Promise<readonly (HistoryEntry & { readonly kind: NoticedKind })[]> {
      const found = await all<{ id: string; detail: string }>(NOTICED, accountId, since);
      const newestFirst = [...found].sort((one, other) => (one.id < other.id ? 1 : -1));
      return newestFirst.map((entry) => ({ ...entry, detail: JSON.parse(entry.detail) }) as never);
    },

    /** Removes all entries of the account. An entry that is added later stays. */
    deleteHistory: (accountId: string) => run(DELETE, accountId),
  };
}
