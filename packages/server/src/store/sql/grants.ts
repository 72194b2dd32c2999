// The statements on grants: each change of a grant is one of them.

import type { Account, Grant, GrantStore } from "../store.ts";
import { ACCOUNT_COLUMNS, ACCOUNT_IS_LIVE } from "./accounts.ts";
import type { SqlEngine } from "./engine.ts";
import { firstRecord, toRecord } from "./rows.ts";

const ISSUE = `
  INSERT INTO grants (id, client_id, account_id, redirect_uri, scope, code_challenge, nonce, auth_time, amr,
    created_at, code_expires_at, generation, expires_at, control_checked_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 0, ?12, ?13)
  ON CONFLICT (id) DO NOTHING
  RETURNING *`;

const OF_A_LIVE_ACCOUNT = `EXISTS (SELECT 1 FROM accounts WHERE accounts.id = grants.account_id
    AND ${ACCOUNT_IS_LIVE})`;

const REDEEM = `
  UPDATE grants SET generation = 1, rotated_at = ?1,
    refresh_expires_at = CASE WHEN ?2 < expires_at THEN ?2 ELSE expires_at END
  WHERE id = ?3 AND generation = 0 AND revoked_at IS NULL AND code_expires_at > ?1
    AND client_id = ?4 AND redirect_uri = ?5 AND code_challenge IS NOT DISTINCT FROM ?6
    AND ${OF_A_LIVE_ACCOUNT}
  RETURNING *`;

const ROTATE = `
  UPDATE grants SET generation = generation + 1, rotated_at = ?1,
    refresh_expires_at = CASE WHEN ?2 < expires_at THEN ?2 ELSE expires_at END
  WHERE id = ?3 AND generation = ?4 AND generation > 0 AND client_id = ?5
    AND revoked_at IS NULL AND refresh_expires_at > ?1 AND control_checked_at > ?6
    AND ${OF_A_LIVE_ACCOUNT}
  RETURNING *`;

const READ = `
  SELECT grants.*, ${ACCOUNT_COLUMNS}
  FROM grants JOIN accounts ON accounts.id = grants.account_id
  WHERE grants.id = ?1`;

export function grantStatements(engine: SqlEngine): GrantStore {
  return {
    async issueGrant(grant) {
      const made = await engine.execute(ISSUE, [
        grant.id,
        grant.clientId,
        grant.accountId,
        grant.redirectUri,
        grant.scope,
        grant.codeChallenge,
        grant.nonce,
        grant.authTime,
        grant.amr,
        grant.createdAt,
        grant.codeExpiresAt,
        grant.expiresAt,
        grant.controlCheckedAt,
      ]);
      const rows =
        made.length > 0
          ? made
          : await engine.execute("SELECT * FROM grants WHERE id = ?1", [grant.id]);
      const standing = firstRecord<Grant>(rows);
      if (standing === null) throw new Error("a grant vanished while it was issued");
      return standing;
    },

    async redeemCode(input) {
      return firstRecord<Grant>(
        await engine.execute(REDEEM, [
          input.now,
          input.refreshExpiresAt,
          input.id,
          input.clientId,
          input.redirectUri,
          input.codeChallenge,
        ]),
      );
    },

    async rotateRefreshToken(input) {
      return firstRecord<Grant>(
        await engine.execute(ROTATE, [
          input.now,
          input.refreshExpiresAt,
          input.id,
          input.generation,
          input.clientId,
          input.controlCheckedAfter,
        ]),
      );
    },

    async readGrant(id) {
      const row = (await engine.execute(READ, [id]))[0];
      if (row === undefined) return null;
      return { grant: toRecord<Grant>(row), account: toRecord<Account>(row, "account__") };
    },

    async recordControl({ grantId, checkedAt }) {
      await engine.execute(
        "UPDATE grants SET control_checked_at = ?1 WHERE id = ?2 AND control_checked_at < ?1",
        [checkedAt, grantId],
      );
    },

    async revokeGrant({ id, now }) {
      const rows = await engine.execute(
        "UPDATE grants SET revoked_at = ?1 WHERE id = ?2 AND revoked_at IS NULL RETURNING id",
        [now, id],
      );
      return rows.length > 0;
    },
  };
}
