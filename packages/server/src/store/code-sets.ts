// Recovery codes: sets of ten, of which one is the valid one of its account.

import type { Sql, StatementWithValues } from "../database/rows.ts";
import { ACCOUNT_IS_LIVE } from "./accounts.ts";
import { ending } from "./ending.ts";

/** Whether a code, in a statement about `recovery_codes`, is of the set that its account names. */
const IS_CURRENT = `
  recovery_codes.code_set IS NOT DISTINCT FROM
    (SELECT accounts.code_set FROM accounts WHERE accounts.id = recovery_codes.account_id)`;

/** Whether such a code can be used. The commit of an authentication that uses it up also marks it. */
export const IS_UNUSED = `
  recovery_codes.used_at IS NULL AND ${IS_CURRENT}
  AND NOT EXISTS (SELECT 1 FROM interactions AS used_in
    WHERE used_in.account_id = recovery_codes.account_id
      AND used_in.used_code = recovery_codes.code_hash)`;

const COUNT = `
  SELECT count(*) AS unused FROM recovery_codes WHERE account_id = ?1 AND ${IS_UNUSED}`;

const HAS_CODE = `
  SELECT 1 AS unused FROM recovery_codes
  WHERE account_id = ?1 AND code_hash = ?2 AND ${IS_UNUSED}`;

export const MARK_USED = `
  UPDATE recovery_codes SET used_at = ?1
  WHERE account_id = ?2 AND code_hash = ?3 AND used_at IS NULL`;

const SET_OF = "SELECT code_set FROM accounts WHERE id = ?1";

const RENEW = `
  UPDATE accounts SET code_set = ?1
  WHERE id = ?2 AND (code_set IS NOT DISTINCT FROM ?3 OR code_set = ?1) AND ${ACCOUNT_IS_LIVE}
  RETURNING id`;

const REMOVE_SET = `
  DELETE FROM recovery_codes WHERE account_id = ?1 AND code_set IS NOT DISTINCT FROM ?2`;

/** Adds the codes of a set, except those that are there. The set of a set-up is null, and has the time of the set-up. */
export function insertCodes(
  accountId: string,
  { codeSet, madeAt }: { readonly codeSet: string | null; readonly madeAt: number | null },
  codeHashes: readonly string[],
): StatementWithValues {
  const values = codeHashes.map((_, index) => `(?1, ?2, ?3, ?${index + 4})`).join(", ");
  const insert = `
    INSERT INTO recovery_codes (account_id, code_set, made_at, code_hash) VALUES ${values}
    ON CONFLICT DO NOTHING`;
  return [insert, accountId, codeSet, madeAt, ...codeHashes];
}

export type RecoveryCodeStore = ReturnType<typeof recoveryCodeStore>;

export function recoveryCodeStore({ run, rows, returnsRow, first }: Sql) {
  return {
    async countRecoveryCodesOf(accountId: string): Promise<number> {
      const [row] = await rows(COUNT, accountId);
      return Number(row?.unused ?? 0);
    },

    /** Whether the account has this code and it is unused. */
    hasRecoveryCode: (accountId: string, codeHash: string) =>
      returnsRow(HAS_CODE, accountId, codeHash),

    /** The name of the set of codes that is valid; null for that of the set-up. */
    async recoveryCodeSet(accountId: string): Promise<string | null> {
      const account = await first<{ readonly codeSet: string | null }>(SET_OF, accountId);
      return account?.codeSet ?? null;
    },

    /**
     * Replaces the set `from` of the account by the set `to`, whose codes are all valid from then on, while no code of
     * `from` is. Of concurrent callers with one `from` and different `to`, one gets `renewed`, the others `stale`; a
     * repetition with the same `to` gets `renewed` again. `stale` also if the account is not live.
     */
    renewRecoveryCodes: ending(
      async (renewal: {
        readonly accountId: string;
        readonly from: string | null;
        readonly to: string;
        readonly codeHashes: readonly string[];
      }): Promise<"renewed" | "stale"> => {
        const { accountId, from, to, codeHashes } = renewal;
        // None of them counts until the account names their set.
        await run(...insertCodes(accountId, { codeSet: to, madeAt: null }, codeHashes));
        const isRenewed = await returnsRow(RENEW, to, accountId, from);
        // What a crash leaves behind is harmless: the account does not name its set.
        await run(REMOVE_SET, accountId, isRenewed ? from : to);
        return isRenewed ? "renewed" : "stale";
      },
      (outcome) => outcome === "renewed",
    ),
  };
}
