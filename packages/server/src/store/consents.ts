// Consents: scopes that the owner of an account has granted to a client.

import type { JoinedWrite } from "../database/engine.ts";
import { type Sql, writeWhen } from "../database/rows.ts";
import { ending } from "./ending.ts";

const READ = "SELECT scope FROM consents WHERE account_id = ?1 AND client_id = ?2";

/** Of one account. The oldest are forgotten. */
export const CONSENTS_OF_ACCOUNT = 1000;

const FORGET_SURPLUS = `
  DELETE FROM consents WHERE account_id = ?1 AND (client_id, scope) IN (
    SELECT client_id, scope FROM consents WHERE account_id = ?1
    ORDER BY granted_at DESC, client_id, scope LIMIT 100000 OFFSET ${CONSENTS_OF_ACCOUNT})`;

const forgetOf = (which: string) =>
  `DELETE FROM consents WHERE account_id = ?1 ${which} RETURNING scope`;

/** Ends the array unless the owner of the account has granted all of these scopes to the client. */
export function requireConsent(consent: {
  readonly accountId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
}): JoinedWrite {
  const { accountId, clientId, scopes } = consent;
  const named = scopes.map((_, index) => `?${index + 4}`).join(", ");
  const sql = `
    SELECT 1 AS covered WHERE (
      SELECT count(*) FROM consents WHERE account_id = ?1 AND client_id = ?2 AND scope IN (${named})
    ) = CAST(?3 AS BIGINT)`;
  return writeWhen(sql, accountId, clientId, scopes.length, ...scopes);
}

export type ConsentStore = ReturnType<typeof consentStore>;

export function consentStore({ rows, run, returnsRow }: Sql) {
  return {
    async readConsent(accountId: string, clientId: string): Promise<ReadonlySet<string>> {
      return new Set((await rows(READ, accountId, clientId)).map((row) => String(row.scope)));
    },

    /** Resolves to the new scopes; of concurrent callers one adds each. Forgets the oldest ones beyond the limit. */
    async rememberConsent(consent: {
      accountId: string;
      clientId: string;
      scopes: readonly string[];
      now: number;
    }): Promise<readonly string[]> {
      const { accountId, clientId, scopes, now } = consent;
      if (scopes.length === 0) return [];
      const values = scopes.map((_, index) => `(?1, ?2, ?${index + 4}, ?3)`).join(", ");
      const insert = `
        INSERT INTO consents (account_id, client_id, scope, granted_at) VALUES ${values}
        ON CONFLICT DO NOTHING RETURNING scope,
          (SELECT count(*) FROM consents AS other WHERE other.account_id = ?1) AS stored`;
      const added = await rows(insert, accountId, clientId, now, ...scopes);
      // PostgreSQL does not count the new ones.
      const most = Math.max(0, ...added.map(({ stored }) => Number(stored))) + added.length;
      if (most > CONSENTS_OF_ACCOUNT) await run(FORGET_SURPLUS, accountId);
      return added.map((row) => String(row.scope));
    },

    /** Undoes `rememberConsent` for the scopes that it added. */
    async undoConsent(consent: { accountId: string; clientId: string; scopes: readonly string[] }) {
      const { accountId, clientId, scopes } = consent;
      if (scopes.length === 0) return;
      const numbers = scopes.map((_, index) => `?${index + 3}`).join(", ");
      const remove = `
        DELETE FROM consents WHERE account_id = ?1 AND client_id = ?2 AND scope IN (${numbers})`;
      await run(remove, accountId, clientId, ...scopes);
    },

    /** Forgets the consents to a client, or all (null). Of concurrent callers one gets true for each consent. */
    forgetConsents: ending(
      ({ accountId, clientId }: { accountId: string; clientId: string | null }) =>
        clientId === null
          ? returnsRow(forgetOf(""), accountId)
          : returnsRow(forgetOf("AND client_id = ?2"), accountId, clientId),
    ),
  };
}
