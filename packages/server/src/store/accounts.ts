// Accounts: each is one unbroken period of control of a domain. At most one of a domain is live.

import { type SqlEngine, UniqueViolationError } from "./engine.ts";
import { firstRecord, toRecord } from "./rows.ts";

/** One unbroken period of control of a domain under one `sp` and `acct`; its id is what `sub` names. */
export interface Account {
  readonly id: string;
  readonly domain: string;
  /** The issuer of the service provider whose account it is; `OWN_SP` for one of our own. */
  readonly sp: string;
  readonly acct: string;
  readonly createdAt: number;
  /** Since when the zone no longer names the account, or null. */
  readonly asleepSince: number | null;
  readonly endedAt: number | null;
  /** When the walk through the accounts last asked for its record. */
  readonly walkedAt: number | null;
}

/** What a zone names. */
export type Named = Pick<Account, "domain" | "sp" | "acct">;

/** The columns of a joined account, to be read with the prefix `account__`. */
export const ACCOUNT_COLUMNS = [
  ...["id", "domain", "sp", "acct", "created_at", "asleep_since", "ended_at", "walked_at"],
]
  .map((column) => `accounts.${column} AS account__${column}`)
  .join(", ");

/** Everything else is worth something only while its account is the live one of its domain. */
export const ACCOUNT_IS_LIVE = "accounts.asleep_since IS NULL AND accounts.ended_at IS NULL";

/** Tables whose rows hang on an account, begin their key with it, and have no end of their own. */
const WITH_AN_ACCOUNT = ["devices", "recovery_codes", "consents"];

const WALKED_PER_STEP = 200;

const FIND = `
  SELECT * FROM accounts WHERE domain = ?1 AND sp = ?2 AND acct = ?3 AND ended_at IS NULL`;

const SLEEP_OTHERS = `
  UPDATE accounts SET asleep_since = ?1
  WHERE domain = ?2 AND (sp <> ?3 OR acct <> ?4) AND asleep_since IS NULL AND ended_at IS NULL`;

const ADOPT = `
  INSERT INTO accounts (id, domain, sp, acct, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (domain, sp, acct) WHERE ended_at IS NULL DO UPDATE SET asleep_since = NULL
  RETURNING *`;

const WAKE =
  "UPDATE accounts SET asleep_since = NULL WHERE id = ?1 AND ended_at IS NULL RETURNING *";

const PUT_TO_SLEEP = "UPDATE accounts SET asleep_since = ?1 WHERE id = ?2 AND asleep_since IS NULL";

const END = `
  UPDATE accounts SET ended_at = ?1
  WHERE id = ?2 AND asleep_since <= ?3 AND ended_at IS NULL RETURNING id`;

const STEP = `
  SELECT * FROM accounts WHERE id > ?1 AND ended_at IS NULL ORDER BY id LIMIT ${WALKED_PER_STEP}`;

const CLAIM_WALK = `
  UPDATE accounts SET walked_at = ?1
  WHERE id = ?2 AND walked_at IS NOT DISTINCT FROM ?3 RETURNING id`;

/** Two statements, each true by itself: the zone names one account, so any other sleeps. */
export async function makeLive(
  engine: SqlEngine,
  { domain, sp, acct }: Named,
  now: number,
  { statement, values }: { statement: string; values: readonly (string | number)[] },
): Promise<Account | "conflict"> {
  await engine.execute(SLEEP_OTHERS, [now, domain, sp, acct]);
  // PostgreSQL may meet a racing insert of the very same account at another unique index than
  // the one that ON CONFLICT names. That row stands now, and the second attempt finds it.
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      return firstRecord<Account>(await engine.execute(statement, values)) ?? "conflict";
    } catch (cause) {
      if (!(cause instanceof UniqueViolationError)) throw cause;
    }
  }
  return "conflict";
}

export type AccountStore = ReturnType<typeof accountStore>;

export function accountStore(engine: SqlEngine) {
  return {
    async readAccount(id: string): Promise<Account | null> {
      return firstRecord(await engine.execute("SELECT * FROM accounts WHERE id = ?1", [id]));
    },

    /** The account for a domain and the `sp` and `acct` that its zone names, unless it has ended. */
    async findAccount(
      domain: string,
      { sp, acct }: Pick<Account, "sp" | "acct">,
    ): Promise<Account | null> {
      return firstRecord(await engine.execute(FIND, [domain, sp, acct]));
    },

    /**
     * Makes the account at an external SP that the zone names the live one of its domain: any other
     * goes to sleep. Concurrent callers get the same one; `id` is for one that is new. `conflict`: the
     * zone changed hands meanwhile; look again.
     */
    async adoptAccount(
      account: Named & { id: string; now: number },
    ): Promise<Account | "conflict"> {
      const { id, domain, sp, acct, now } = account;
      return makeLive(engine, account, now, {
        ...{ statement: ADOPT, values: [id, domain, sp, acct, now] },
      });
    },

    /** The zone names this account again: it is the live one of its domain. */
    async wakeAccount(account: Account, now: number): Promise<Account | "conflict"> {
      return makeLive(engine, account, now, { statement: WAKE, values: [account.id] });
    },

    /** The zone no longer names this account. */
    async putToSleep(accountId: string, now: number): Promise<void> {
      await engine.execute(PUT_TO_SLEEP, [now, accountId]);
    },
  };
}

export type AccountWalkStore = ReturnType<typeof accountWalkStore>;

/** What the walk through all accounts needs. */
export function accountWalkStore(engine: SqlEngine) {
  return {
    /**
     * One bounded step of the walk: accounts behind the key `after` (null: from the start) that have
     * not ended. `next` is where to go on, null at the end.
     */
    async walkAccounts(
      after: string | null,
    ): Promise<{ next: string | null; accounts: readonly Account[] }> {
      const rows = await engine.execute(STEP, [after ?? ""]);
      const accounts = rows.map((row) => toRecord<Account>(row));
      const last = accounts.length < WALKED_PER_STEP ? undefined : accounts.at(-1);
      return { next: last?.id ?? null, accounts };
    },

    /** Takes on to look at the account's record: of nodes that saw the same `walkedAt` one gets true. */
    async claimWalk({ id, walkedAt }: Account, now: number): Promise<boolean> {
      return (await engine.execute(CLAIM_WALK, [now, id, walkedAt])).length > 0;
    },

    /**
     * Ends the account if it has slept since `asleepBefore` or longer, for good: everything that hangs
     * on it is worth nothing from then on, and is removed. True for the one call that ended it. One that
     * wakes meanwhile is not ended.
     */
    async endAccount(input: {
      accountId: string;
      asleepBefore: number;
      now: number;
    }): Promise<boolean> {
      const { accountId, asleepBefore, now } = input;
      const rows = await engine.execute(END, [now, accountId, asleepBefore]);
      if (rows.length === 0) return false;
      // Worth nothing any more; whatever a crash leaves behind is only space.
      for (const table of WITH_AN_ACCOUNT) {
        await engine.execute(`DELETE FROM ${table} WHERE account_id = ?1`, [accountId]);
      }
      return true;
    },
  };
}
