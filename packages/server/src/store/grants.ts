// Grants: one row carries an authorization from its code to its last refresh token.

import { ACCOUNT_COLUMNS, ACCOUNT_IS_LIVE, type Account } from "./accounts.ts";
import type { SqlEngine } from "./engine.ts";
import { firstRecord, toRecord } from "./rows.ts";

/** One authorization, from its code to its last refresh token. */
export interface Grant {
  readonly id: string;
  readonly clientId: string;
  readonly accountId: string;
  readonly redirectUri: string;
  /** Scopes granted, separated by spaces; their order is that of the access token's scope mask. */
  readonly scope: string;
  /** Base64url SHA-256 of the PKCE verifier. */
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  readonly authTime: number;
  readonly amr: string;
  readonly createdAt: number;
  readonly codeExpiresAt: number;
  /** 0 is the code, 1 the first refresh token; grows by one per rotation. */
  readonly generation: number;
  readonly rotatedAt: number | null;
  readonly refreshExpiresAt: number | null;
  /** The absolute end, whatever is rotated. */
  readonly expiresAt: number;
  /** When DNS was last seen to name the account. */
  readonly controlCheckedAt: number;
  readonly revokedAt: number | null;
}

export type NewGrant = Omit<Grant, "generation" | "rotatedAt" | "refreshExpiresAt" | "revokedAt">;

export interface GrantWithAccount {
  readonly grant: Grant;
  readonly account: Account;
}

/** A code, and what must be the same as when it was issued. */
export interface PresentedCode {
  readonly id: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  readonly refreshExpiresAt: number;
  readonly now: number;
}

export interface PresentedRefreshToken {
  readonly id: string;
  readonly generation: number;
  readonly clientId: string;
  readonly refreshExpiresAt: number;
  /** The rotation needs a look at DNS that is later than this. */
  readonly controlCheckedAfter: number;
  readonly now: number;
}

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

const RECORD_CONTROL =
  "UPDATE grants SET control_checked_at = ?1 WHERE id = ?2 AND control_checked_at < ?1";

const REVOKE =
  "UPDATE grants SET revoked_at = ?1 WHERE id = ?2 AND revoked_at IS NULL RETURNING id";

export type GrantStore = ReturnType<typeof grantStore>;

export function grantStore(engine: SqlEngine) {
  return {
    /** Makes the grant. Of several calls with one id exactly one makes it; all get the row that stands. */
    async issueGrant(grant: NewGrant): Promise<Grant> {
      const { id, clientId, accountId, redirectUri, scope, codeChallenge, nonce } = grant;
      const { authTime, amr, createdAt, codeExpiresAt, expiresAt, controlCheckedAt } = grant;
      const made = await engine.execute(ISSUE, [
        ...[id, clientId, accountId, redirectUri, scope, codeChallenge, nonce],
        ...[authTime, amr, createdAt, codeExpiresAt, expiresAt, controlCheckedAt],
      ]);
      const standing =
        firstRecord<Grant>(made) ??
        firstRecord<Grant>(await engine.execute("SELECT * FROM grants WHERE id = ?1", [id]));
      if (standing === null) throw new Error("a grant vanished while it was issued");
      return standing;
    },

    /**
     * Redeems a code. Of all callers, in all processes, at most one ever gets the row; null says only
     * that nothing changed.
     */
    async redeemCode(code: PresentedCode): Promise<Grant | null> {
      const { id, clientId, redirectUri, codeChallenge, refreshExpiresAt, now } = code;
      const values = [now, refreshExpiresAt, id, clientId, redirectUri, codeChallenge];
      return firstRecord<Grant>(await engine.execute(REDEEM, values));
    },

    /** Replaces a refresh token. Of all callers that present one generation at most one gets the row. */
    async rotateRefreshToken(token: PresentedRefreshToken): Promise<Grant | null> {
      const { id, generation, clientId, refreshExpiresAt, controlCheckedAfter, now } = token;
      const values = [now, refreshExpiresAt, id, generation, clientId, controlCheckedAfter];
      return firstRecord<Grant>(await engine.execute(ROTATE, values));
    },

    async readGrant(id: string): Promise<GrantWithAccount | null> {
      const [row] = await engine.execute(READ, [id]);
      if (row === undefined) return null;
      return { grant: toRecord<Grant>(row), account: toRecord<Account>(row, "account__") };
    },

    /** Records a look at DNS; never moves it back. */
    async recordControl(look: { grantId: string; checkedAt: number }): Promise<void> {
      await engine.execute(RECORD_CONTROL, [look.checkedAt, look.grantId]);
    },

    /** Ends the grant. True for the one call that ended it. A revoked grant is never rotated again. */
    async revokeGrant({ id, now }: { id: string; now: number }): Promise<boolean> {
      return (await engine.execute(REVOKE, [now, id])).length > 0;
    },
  };
}
