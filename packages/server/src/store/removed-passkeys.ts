// Passkeys that were removed, or whose account has ended: browsers are told, so that they no longer offer them.

import type { Sql } from "../database/rows.ts";

/** More than anybody removes; what comes after them is only not signalled. */
const REMOVED_OF_ACCOUNT = 100;

/** Notes those of the account ?2 that `which` selects. They are removed afterwards. */
const noteRemoved = (which: string) => `
  INSERT INTO removed_passkeys (credential_id, account_id, thumbprint, removed_at)
  SELECT credential_id, account_id, thumbprint, CAST(?1 AS BIGINT) FROM passkeys
  WHERE account_id = ?2 ${which} AND (
    SELECT count(*) FROM removed_passkeys AS noted WHERE noted.account_id = ?2) < ${REMOVED_OF_ACCOUNT}
  ON CONFLICT (credential_id) DO NOTHING`;

export const NOTE_REMOVED = noteRemoved("AND credential_id = ?3");
export const NOTE_ALL_REMOVED = noteRemoved("");

// A crash can leave the note of a passkey that was not removed. That of a set-up has no account yet.
const IS_GONE = `
  NOT EXISTS (
    SELECT 1 FROM passkeys LEFT JOIN accounts ON accounts.id = passkeys.account_id
    WHERE passkeys.credential_id = removed_passkeys.credential_id AND accounts.ended_at IS NULL)`;

const WAS_REMOVED = `SELECT 1 AS removed FROM removed_passkeys WHERE credential_id = ?1 AND ${IS_GONE}`;

const OF_ACCOUNT = `
  SELECT credential_id FROM removed_passkeys
  WHERE account_id = ?1 AND (CAST(?2 AS TEXT) IS NULL OR thumbprint = ?2) AND ${IS_GONE}
  ORDER BY removed_at DESC, credential_id`;

export type RemovedPasskeyStore = ReturnType<typeof removedPasskeyStore>;

export function removedPasskeyStore({ returnsRow, rows }: Sql) {
  return {
    /**
     * Whether a passkey with this id was removed here, or its account has ended. False for an id that nobody knows: it
     * can be the passkey of a set-up, which is stored nowhere until the record is seen, or of another service.
     */
    wasRemoved: (credentialId: string) => returnsRow(WAS_REMOVED, credentialId),

    /** The credential ids of the removed passkeys of an account: all, or those with this thumbprint. The last is first. */
    async removedOf(accountId: string, thumbprint: string | null): Promise<readonly string[]> {
      const found = await rows(OF_ACCOUNT, accountId, thumbprint);
      return found.map((row) => String(row.credential_id));
    },
  };
}
