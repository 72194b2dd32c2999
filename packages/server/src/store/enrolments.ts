// Enrolments: the end of a set-up, which creates its account.

import type { Sql } from "../database/rows.ts";
import { type Account, CREATE, type LiveAccounts, WAKE } from "./accounts.ts";
import { insertCodes } from "./code-sets.ts";
import { ending } from "./ending.ts";
import { KEEP_PASSKEY, type NewPasskey, passkeyValues } from "./passkeys.ts";
import { FINISHED_AGAIN_S, OWN_SP } from "./shared-values.ts";

/** A set-up whose record was seen. */
export interface Enrolment {
  readonly domain: string;
  readonly acct: string;
  /** The id of the account to be created. */
  readonly accountId: string;
  /** Of the interaction that finishes it. */
  readonly finishHash: string;
  /** Its passkey, whose assertion was verified. */
  readonly passkey?: Omit<NewPasskey, "accountId"> | undefined;
}

/** The account of a set-up, and whether this very call created it. */
export interface Enrolled {
  readonly account: Account;
  readonly isNew: boolean;
}

const FINISHED_BY = "SELECT finish_hash FROM accounts WHERE id = ?1 AND created_at > ?2";

const HAS_ENDED = "SELECT 1 AS ended FROM accounts WHERE id = ?1 AND ended_at IS NOT NULL";

const CONFIRM_CODES = "UPDATE accounts SET finish_hash = NULL WHERE id = ?1 AND finish_hash = ?2";

export type EnrolmentStore = ReturnType<typeof enrolmentStore>;

export function enrolmentStore(sql: Sql, { makeLive, isFull, ofOwner }: LiveAccounts) {
  return {
    /**
     * Finishes the set-up: creates its account, with passkey and codes from the first moment, as the live one of its
     * domain, and puts any other to sleep. The statement that creates the account decides which interaction finishes
     * the set-up. For that one, the call is idempotent, until `confirmCodes` and for a day; others get `elsewhere`.
     * Of concurrent callers one gets `isNew`. `ended`: the account has ended, so the set-up is used up. `full`: the
     * owned domain has no room, a limit that concurrent callers never exceed. `conflict`: as in `adoptAccount`.
     */
    enrol: ending(
      async (input: {
        enrolment: Enrolment;
        recoveryCodeHashes: readonly string[];
        now: number;
      }): Promise<Enrolled | "conflict" | "elsewhere" | "ended" | "full"> => {
        const { enrolment, recoveryCodeHashes, now } = input;
        const { accountId, domain, acct, finishHash } = enrolment;
        const named = { id: accountId, domain, sp: OWN_SP, acct };
        // The ended account must leave no codes or passkey behind.
        if (await sql.returnsRow(HAS_ENDED, accountId)) return "ended";
        if (await isFull(named)) return "full";
        // All who have the cookie have the same codes, so nothing is lost if another interaction finishes.
        const codes = { codeSet: null, madeAt: now };
        await sql.run(...insertCodes(accountId, codes, recoveryCodeHashes));
        const { passkey } = enrolment;
        if (passkey !== undefined)
          await sql.run(KEEP_PASSKEY, ...passkeyValues({ ...passkey, accountId }));
        const created = await makeLive(named, now, CREATE, ...ofOwner(named), finishHash);
        const isNew = created !== "conflict";
        const account = isNew ? created : await makeLive(named, now, WAKE);
        if (account === "conflict") {
          if (await isFull(named)) return "full";
          return (await sql.returnsRow(HAS_ENDED, accountId)) ? "ended" : account;
        }
        const [by] = await sql.rows(FINISHED_BY, accountId, now - FINISHED_AGAIN_S);
        return by?.finish_hash === finishHash ? { account, isNew } : "elsewhere";
      },
    ),

    hasEndedAccount: (accountId: string) => sql.returnsRow(HAS_ENDED, accountId),

    /** The recovery codes were saved: nobody can get them again. */
    confirmCodes: (accountId: string, finishHash: string) =>
      sql.run(CONFIRM_CODES, accountId, finishHash),
  };
}
