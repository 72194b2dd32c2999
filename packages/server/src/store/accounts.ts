// Accounts: each is one unbroken period of control of a domain. At most one account of a domain is live.

import { type JoinedWrite, UniqueViolationError } from "../database/engine.ts";
import { defineRead } from "../database/grouped.ts";
import { type Sql, type StatementWithValues, write } from "../database/rows.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import { ownedDomain } from "../lib/registrable-domain.ts";
import { ending } from "./ending.ts";
import { NOTE_ALL_REMOVED } from "./removed-passkeys.ts";
import { LOST_CONFIRMED_AFTER_S, WALK_INTERVAL_S } from "./shared-values.ts";

/** What a record names. */
export interface Named {
  readonly domain: string;
  /** The issuer of the SP; `OWN_SP` for an account of this service. */
  readonly sp: string;
  readonly acct: string;
}

export interface NewAccount extends Named {
  /** What `sub` names. */
  readonly id: string;
}

/** One unbroken period of control of a domain under one `sp` and `acct`. */
export interface Account extends NewAccount {
  readonly createdAt: number;
  /** Since when no record names the account, or null. */
  readonly asleepSince: number | null;
  /** When a second look, a day or more after the first, still found no record that names it; or null. */
  readonly lostConfirmedAt: number | null;
  readonly endedAt: number | null;
  /** When the look began by which the account walk last learned what its record is, or the look that woke it. */
  readonly walkedAt: number | null;
}

export interface AccountToSignIn extends Account {
  readonly hasPasskey: 0 | 1;
}

export const ACCOUNT_STATUSES = ["live", "asleep", "ended"] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export function statusOf({ asleepSince, endedAt }: Account): AccountStatus {
  if (endedAt !== null) return "ended";
  return asleepSince === null ? "live" : "asleep";
}

export const COLUMNS =
  "id, domain, sp, acct, created_at, asleep_since, lost_confirmed_at, ended_at, walked_at";

const BY_ID = defineRead({ from: "accounts", columns: COLUMNS });

/** The columns of a joined account, for `toRecord` with the prefix `account__`. */
export const ACCOUNT_COLUMNS = COLUMNS.split(", ")
  .map((column) => `accounts.${column} AS account__${column}`)
  .join(", ");

/** Condition that sessions, codes and tokens of an account require. */
export const ACCOUNT_IS_LIVE = "accounts.asleep_since IS NULL AND accounts.ended_at IS NULL";

/** How many enrolments in one owned domain can be concurrent: one of them succeeds at each attempt. */
const MAX_CONCURRENT = 30;
/** As in the message of a violation. */
const NUMBER_INDEX = "accounts_of_owner";

const OF_DOMAIN_WITH_ENDED = `
  SELECT ${COLUMNS} FROM accounts WHERE domain = ?1 ORDER BY created_at DESC, id LIMIT 20`;

/** The rows of an account that do not expire by themselves. */
const OWNED_TABLES = ["recovery_codes", "consents", "passkeys"];

const WITH_STATUS: Record<AccountStatus, string> = {
  live: "AND asleep_since IS NULL AND ended_at IS NULL",
  asleep: "AND asleep_since IS NOT NULL AND ended_at IS NULL",
  ended: "AND ended_at IS NOT NULL",
};

const FIND = `
  SELECT ${COLUMNS} FROM accounts WHERE domain = ?1 AND sp = ?2 AND acct = ?3 AND ended_at IS NULL`;

const OF_DOMAIN = `
  SELECT ${COLUMNS} FROM accounts WHERE domain = ?1 AND ended_at IS NULL
  ORDER BY CASE WHEN asleep_since IS NULL THEN 0 ELSE 1 END, created_at DESC, id LIMIT 20`;
const OF_DOMAIN_WITH_PASSKEYS = `
  SELECT found.*, CASE WHEN EXISTS (SELECT 1 FROM passkeys WHERE passkeys.account_id = found.id)
    THEN 1 ELSE 0 END AS has_passkey
  FROM (${OF_DOMAIN}) AS found`;
/** Whether the domain has an account that has not ended, awake or asleep. */
export const HAS_ACCOUNT = "SELECT id FROM accounts WHERE domain = ?1 AND ended_at IS NULL LIMIT 1";

// Changes that are based on a look: ?1 is its time, ?2, ?3 and ?4 are what the record named then.

/** Whether a later look set this time. One far ahead was set before the clock was set back. */
const isLater = (time: string) =>
  `(COALESCE(${time}, 0) > ?1 AND ${time} - ${CLOCK_TOLERANCE_S} <= ?1)`;
/** When the account walk looks up the record again. */
const inSeconds = (seconds: string | number) => `CAST(?1 AS BIGINT) + ${seconds}`;
/** Since when the record is known to have named the account, unless it sleeps. */
const NAMED_AT = "COALESCE(accounts.walked_at, accounts.created_at)";

const SLEEP_OTHERS = `
  UPDATE accounts SET asleep_since = ?1, walk_due_at = ${inSeconds(LOST_CONFIRMED_AFTER_S)}
  WHERE domain = ?2 AND (sp <> ?3 OR acct <> ?4) AND asleep_since IS NULL AND ended_at IS NULL
    AND NOT ${isLater(`${NAMED_AT} + 1`)} AND NOT ${isLater("record_checked_at")}`;

// Accounts that are awake need no condition: the unique index refuses a second one.
const NO_OTHER_IS_NEWER = `
  NOT EXISTS (
    SELECT 1 FROM accounts AS other
    WHERE other.domain = ?2 AND (other.sp <> ?3 OR other.acct <> ?4) AND other.ended_at IS NULL
      AND (${isLater("COALESCE(other.walked_at, other.created_at)")} OR ${isLater("other.record_checked_at")}))`;

const WAKE_UP = `
  SET asleep_since = NULL, lost_confirmed_at = NULL, walk_due_at = ${inSeconds(WALK_INTERVAL_S)},
    walked_at = CASE WHEN ${isLater(`${NAMED_AT} + 1`)}
      THEN accounts.walked_at ELSE ?1 END`;
const MAY_WAKE_UP = `
  accounts.ended_at IS NULL AND (accounts.asleep_since IS NULL
    OR NOT (${isLater("COALESCE(accounts.lost_confirmed_at, accounts.asleep_since)")}
      OR ${isLater("accounts.record_checked_at")}))`;

/** Whether the rows of the owned domain ?6 are fewer than ?7. Those that have ended count until they are removed. */
const HAS_ROOM = "(SELECT count(*) FROM accounts AS owned WHERE owned.owned_domain = ?6) < ?7";
const IS_KNOWN = `
  EXISTS (SELECT 1 FROM accounts AS known
    WHERE known.domain = ?2 AND known.sp = ?3 AND known.acct = ?4 AND known.ended_at IS NULL)`;
// All parameters have the numbers of `makeLive`; ?1 is not the time here.
const IS_FULL = `
  SELECT 1 AS is_full WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE id IN (?1, ?5))
    AND NOT ${IS_KNOWN} AND NOT ${HAS_ROOM}`;

/**
 * Makes the account with the id ?5, for `makeLive`. `finish` is the hash of the interaction that finishes its set-up.
 * The numbers of an owned domain are unique, so that of concurrent statements that counted the same rows one succeeds.
 */
const insertAccount = (finish: string, hasRoom: string) => `
  INSERT INTO accounts
    (id, domain, sp, acct, created_at, walk_due_at, finish_hash, owned_domain, owned_number)
  SELECT ?5, ?2, ?3, ?4, CAST(?1 AS BIGINT), ${inSeconds(WALK_INTERVAL_S)}, ${finish},
    CAST(?6 AS TEXT), COALESCE(
    (SELECT MAX(owned_number) FROM accounts AS owned WHERE owned.owned_domain = ?6), 0) + 1
  WHERE ${NO_OTHER_IS_NEWER} AND ${hasRoom}`;
const ADOPT = `${insertAccount("NULL", `(${IS_KNOWN} OR ${HAS_ROOM})`)}
  ON CONFLICT (domain, sp, acct) WHERE ended_at IS NULL
  DO UPDATE ${WAKE_UP} WHERE ${MAY_WAKE_UP} RETURNING ${COLUMNS}`;
/** The row for the one call that creates it. */
const CREATE = `${insertAccount("?8", HAS_ROOM)} ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`;

const wake = (condition: string) => `
  UPDATE accounts ${WAKE_UP}
  WHERE id = ?5 AND domain = ?2 AND sp = ?3 AND acct = ?4 ${condition}
    AND ${MAY_WAKE_UP} AND ${NO_OTHER_IS_NEWER} RETURNING ${COLUMNS}`;
export const WAKE = wake("");
const WAKE_ASLEEP = wake("AND asleep_since IS NOT NULL");

// A wrong clock may have dated the first look.
const IS_FIRST_LOOK = `(asleep_since IS NULL OR asleep_since > ?1 + ${CLOCK_TOLERANCE_S})`;

// The right-hand sides read the values from before the update.
const PUT_TO_SLEEP = `
  UPDATE accounts SET asleep_since = CASE WHEN ${IS_FIRST_LOOK} THEN ?1 ELSE asleep_since END,
    lost_confirmed_at = CASE WHEN ${IS_FIRST_LOOK} THEN NULL ELSE ?1 END,
    walk_due_at = ${inSeconds(`CASE WHEN ${IS_FIRST_LOOK} THEN ${LOST_CONFIRMED_AFTER_S} ELSE ${WALK_INTERVAL_S} END`)}
  WHERE id = ?2 AND ended_at IS NULL
    AND (${IS_FIRST_LOOK} OR (asleep_since <= ?3 AND lost_confirmed_at IS NULL))
    AND NOT ${isLater(NAMED_AT)}
  RETURNING lost_confirmed_at`;

const END_NOW = "UPDATE accounts SET ended_at = ?1 WHERE id = ?2 AND ended_at IS NULL RETURNING id";

export type LiveAccounts = ReturnType<typeof liveAccounts>;

/**
 * Repeats what violates a unique index. The second attempt puts an account to sleep that an earlier look woke between the
 * statements, and finds the row of a concurrent insert, which in PostgreSQL can violate another unique index than that of
 * ON CONFLICT. Null if that does not help.
 */
export async function again<T>(attempt: () => Promise<T | null>): Promise<T | null> {
  let attempts = 0;
  for (let round = 0; round < MAX_CONCURRENT && attempts < 2; round++) {
    try {
      return await attempt();
    } catch (cause) {
      if (!(cause instanceof UniqueViolationError)) throw cause;
      if (!cause.message.includes(NUMBER_INDEX)) attempts++;
    }
  }
  return null;
}

/**
 * The writes that make the account of a set-up the live one of its domain: it is created, or wakes if it was created
 * before. The second returns a row if it was created.
 */
export function enrolWrites(
  { id, domain, sp, acct }: NewAccount,
  checkedAt: number,
  more: readonly (string | number)[],
): readonly JoinedWrite[] {
  const values = [checkedAt, domain, sp, acct] as const;
  return [
    write(SLEEP_OTHERS, ...values),
    write(CREATE, ...values, id, ...more),
    write(WAKE_ASLEEP, ...values, id),
  ];
}

/** How an account becomes the live one of its domain, where an owner may have `accountsPerDomain` accounts. */
export function liveAccounts({ run, first, returnsRow }: Sql, accountsPerDomain: number) {
  /** The parameters ?6 and ?7 of a statement that may create the account. */
  const ofOwner = ({ domain }: NewAccount) => [ownedDomain(domain), accountsPerDomain] as const;

  /** Whether there is no room for this account, which does not exist yet. */
  const isFull = (account: NewAccount): Promise<boolean> => {
    const { id, domain, sp, acct } = account;
    return returnsRow(IS_FULL, id, domain, sp, acct, id, ...ofOwner(account));
  };

  /**
   * Puts other accounts of the domain to sleep, then runs `statement`, each unless it would undo what a later look did.
   * Each is consistent by itself, and the unique index keeps a second account from being live.
   */
  async function makeLive(
    { id, domain, sp, acct }: NewAccount,
    checkedAt: number,
    statement: string,
    ...more: readonly (string | number)[]
  ): Promise<Account | "conflict"> {
    const values = [checkedAt, domain, sp, acct] as const;
    const made = await again(async () => {
      await run(SLEEP_OTHERS, ...values);
      return await first<Account>(statement, ...values, id, ...more);
    });
    return made ?? "conflict";
  }

  return { makeLive, isFull, ofOwner };
}

export type AccountStore = ReturnType<typeof accountStore>;

export function accountStore(sql: Sql, { makeLive, isFull, ofOwner }: LiveAccounts) {
  return {
    readAccount: (id: string) => sql.first<Account>(BY_ID, id),

    /** The first 20 accounts for a domain that have not ended. */
    accountsOf: (domain: string) => sql.all<Account>(OF_DOMAIN, domain),

    /** The same, and whether each has a passkey. */
    accountsToSignIn: (domain: string) => sql.all<AccountToSignIn>(OF_DOMAIN_WITH_PASSKEYS, domain),

    /** The account for a domain, `sp` and `acct`, unless it has ended. */
    findAccount: (domain: string, { sp, acct }: { readonly sp: string; readonly acct: string }) =>
      sql.first<Account>(FIND, domain, sp, acct),

    /**
     * Makes this account at an external SP the live one of its domain, with `id` if it is new, and puts any other to
     * sleep. Concurrent callers get the same account. `conflict`: another look has changed an account of the domain;
     * look it up again. `full`: the owned domain has no room for it. Here and below, `now` is the time of the look.
     */
    async adoptAccount({
      now,
      ...account
    }: NewAccount & { readonly now: number }): Promise<Account | "conflict" | "full"> {
      if (await isFull(account)) return "full";
      const adopted = await makeLive(account, now, ADOPT, ...ofOwner(account));
      return adopted === "conflict" && (await isFull(account)) ? "full" : adopted;
    },

    /** Makes this account the live one of its domain: the record names it again. `conflict` as above. */
    wakeAccount: (account: Account, now: number) => makeLive(account, now, WAKE),

    /**
     * A deciding look at `now` found no record that names this account. The first puts the account to sleep; the
     * first a day later, without a wake in between, confirms the loss. A later look that made or woke it stands. Of
     * concurrent callers one gets `asleep`, and one `confirmed`. `floor` is the proven time, which counts the day.
     */
    async putToSleep(
      accountId: string,
      now: number,
      floor = now,
    ): Promise<"asleep" | "confirmed" | "unchanged"> {
      const confirmedBy = floor - LOST_CONFIRMED_AFTER_S;
      const [asleep] = await sql.rows(PUT_TO_SLEEP, now, accountId, confirmedBy);
      if (asleep === undefined) return "unchanged";
      return asleep.lost_confirmed_at === null ? "asleep" : "confirmed";
    },
  };
}

/** Runs a statement that ends the account, and removes its data. True for the one call that ended it. */
export async function endBy(
  sql: Sql,
  { accountId, now }: { readonly accountId: string; readonly now: number },
  ...statement: StatementWithValues
): Promise<boolean> {
  if (!(await sql.returnsRow(...statement))) return false;
  await sql.run(NOTE_ALL_REMOVED, now, accountId);
  // What a crash leaves behind is harmless.
  for (const table of OWNED_TABLES) {
    await sql.run(`DELETE FROM ${table} WHERE account_id = ?1`, accountId);
  }
  return true;
}

export type AccountAdminStore = ReturnType<typeof accountAdminStore>;

export function accountAdminStore(sql: Sql) {
  const { all } = sql;
  return {
    /** Accounts by id, of one status or of all (null). `next` is the `after` of the next page, null at the end. */
    async listAccounts(list: {
      status: AccountStatus | null;
      after: string | null;
      limit: number;
    }) {
      const { status, after, limit } = list;
      const found = await all<Account>(
        `SELECT ${COLUMNS} FROM accounts WHERE id > ?1 ${status === null ? "" : WITH_STATUS[status]}
         ORDER BY id LIMIT ?2`,
        after ?? "",
        limit + 1,
      );
      const accounts = found.slice(0, limit);
      return { accounts, next: found.length > limit ? (accounts.at(-1)?.id ?? null) : null };
    },

    /** The newest 20 accounts of a domain, also those that have ended. */
    everyAccountOf: (domain: string) => all<Account>(OF_DOMAIN_WITH_ENDED, domain),

    /**
     * Ends the account whatever its record says, and removes its data: true for one call. Sessions, codes and tokens
     * end, because all are read with the account. The row keeps its id, so no set-up can make it again.
     */
    endAccountNow: ending((of: { accountId: string; now: number }) =>
      endBy(sql, of, END_NOW, of.now, of.accountId),
    ),
  };
}
