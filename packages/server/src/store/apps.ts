// Apps: what the clients together may do with one account, by their grants and consents.

import type { Grant } from "./grants.ts";
import type { Sql } from "./rows.ts";
import { ACCESS_TOKEN_LIFETIME_S } from "./shared-values.ts";

/** A grant by which an app has access. */
export type AppGrant = Pick<Grant, "clientId" | "scope" | "createdAt" | "rotatedAt">;

/** With access now: a refresh token, or an access token that has not expired. */
const OF_ACCOUNT = `
  SELECT client_id, scope, created_at, rotated_at FROM grants
  WHERE account_id = ?1 AND revoked_at IS NULL AND generation > 0
    AND (refresh_expires_at > ?2 OR rotated_at > ?3)
  ORDER BY created_at DESC, id LIMIT 1000`;

const REVOKE = `
  UPDATE grants SET revoked_at = ?1
  WHERE account_id = ?2 AND (client_id = ?3 OR ?3 = '') AND revoked_at IS NULL RETURNING id`;

const FORGET_CONSENT = `
  DELETE FROM consents WHERE account_id = ?1 AND (client_id = ?2 OR ?2 = '')`;

export type AppStore = ReturnType<typeof appStore>;

export function appStore({ rows, run, all }: Sql) {
  return {
    /** The grants by which apps have access now, the newest first, at most 1,000. */
    grantsOf: (accountId: string, now: number) =>
      all<AppGrant>(OF_ACCOUNT, accountId, now, now - ACCESS_TOKEN_LIFETIME_S),

    /**
     * Revokes all grants of the account, or those of one client, with codes that are not redeemed yet, and
     * forgets what was consented to. Returns the number of grants; of concurrent calls each counts in one.
     */
    async revokeApps(input: { accountId: string; clientId?: string; now: number }) {
      const { accountId, clientId = "", now } = input;
      // First, so that an authorization between the two asks for consent again.
      await run(FORGET_CONSENT, accountId, clientId);
      return (await rows(REVOKE, now, accountId, clientId)).length;
    },
  };
}
