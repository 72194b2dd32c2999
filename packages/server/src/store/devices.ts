// Devices: browsers that are known for an account, and recovery codes, which add one.

import { IS_CURRENT } from "./recovery-codes.ts";
import type { Sql } from "./rows.ts";

export const ADD_DEVICE = `
  INSERT INTO devices (account_id, device_hash, created_at) VALUES (?1, ?2, ?3)
  ON CONFLICT DO NOTHING`;

const KNOWS = "SELECT 1 AS known FROM devices WHERE account_id = ?1 AND device_hash = ?2";

const FORGET = "DELETE FROM devices WHERE account_id = ?1 RETURNING 1 AS forgotten";

const COUNT = `
  SELECT (SELECT count(*) FROM devices WHERE account_id = ?1) AS devices,
    (SELECT count(*) FROM recovery_codes WHERE account_id = ?1 AND used_at IS NULL AND ${IS_CURRENT}) AS recovery_codes`;

const HAS_CODE = `
  SELECT 1 AS unused FROM recovery_codes
  WHERE account_id = ?1 AND code_hash = ?2 AND used_at IS NULL AND ${IS_CURRENT}`;

const TAKE_CODE = `
  UPDATE recovery_codes SET used_at = ?1
  WHERE account_id = ?2 AND code_hash = ?3 AND used_at IS NULL AND ${IS_CURRENT}
  RETURNING account_id`;

export type DeviceStore = ReturnType<typeof deviceStore>;

export function deviceStore({ run, rows, returnsRow, first }: Sql) {
  return {
    addDevice: (device: { accountId: string; deviceHash: string; now: number }) =>
      run(ADD_DEVICE, device.accountId, device.deviceHash, device.now),

    knowsDevice: (accountId: string, deviceHash: string) =>
      returnsRow(KNOWS, accountId, deviceHash),

    /** Forgets every browser of the account. Returns their number; of concurrent callers one counts each. */
    endDevicesOf: async (accountId: string) => (await rows(FORGET, accountId)).length,

    /** How many browsers the account knows, and how many recovery codes it has left. */
    async countDevicesOf(accountId: string) {
      const counts = await first<{ devices: number; recoveryCodes: number }>(COUNT, accountId);
      return counts ?? { devices: 0, recoveryCodes: 0 };
    },

    /** Whether the account has this code and it is unused. */
    hasRecoveryCode: (accountId: string, codeHash: string) =>
      returnsRow(HAS_CODE, accountId, codeHash),

    /** Marks a recovery code as used. True for at most one caller. */
    takeRecoveryCode: (code: { accountId: string; codeHash: string; now: number }) =>
      returnsRow(TAKE_CODE, code.now, code.accountId, code.codeHash),
  };
}
