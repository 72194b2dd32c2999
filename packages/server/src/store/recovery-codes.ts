// Recovery codes: each is used once.

import type { Sql } from "./rows.ts";

const COUNT = `
  SELECT count(*) AS unused FROM recovery_codes WHERE account_id = ?1 AND used_at IS NULL`;

const HAS_CODE = `
  SELECT 1 AS unused FROM recovery_codes
  WHERE account_id = ?1 AND code_hash = ?2 AND used_at IS NULL`;

const TAKE_CODE = `
  UPDATE recovery_codes SET used_at = ?1
  WHERE account_id = ?2 AND code_hash = ?3 AND used_at IS NULL RETURNING account_id`;

export type RecoveryCodeStore = ReturnType<typeof recoveryCodeStore>;

export function recoveryCodeStore({ rows, returnsRow }: Sql) {
  return {
    /** How many recovery codes the account has left. */
    async countRecoveryCodesOf(accountId: string): Promise<number> {
      const [row] = await rows(COUNT, accountId);
      return Number(row?.unused ?? 0);
    },

    /** Whether the account has this code and it is unused. */
    hasRecoveryCode: (accountId: string, codeHash: string) =>
      returnsRow(HAS_CODE, accountId, codeHash),

    /** Marks a recovery code as used. True for at most one caller. */
    takeRecoveryCode: (code: { accountId: string; codeHash: string; now: number }) =>
      returnsRow(TAKE_CODE, code.now, code.accountId, code.codeHash),
  };
}
