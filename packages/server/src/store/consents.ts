// Consents: scopes that the owner of an account has granted to a client.

import type { SqlEngine } from "./engine.ts";

export type ConsentStore = ReturnType<typeof consentStore>;

export function consentStore(engine: SqlEngine) {
  return {
    async readConsent(accountId: string, clientId: string): Promise<ReadonlySet<string>> {
      const rows = await engine.execute(
        "SELECT scope FROM consents WHERE account_id = ?1 AND client_id = ?2",
        [accountId, clientId],
      );
      return new Set(rows.map((row) => String(row.scope)));
    },

    async rememberConsent(consent: {
      accountId: string;
      clientId: string;
      scopes: readonly string[];
      now: number;
    }): Promise<void> {
      const { accountId, clientId, scopes, now } = consent;
      if (scopes.length === 0) return;
      const values = scopes.map((_, index) => `(?1, ?2, ?${index + 4}, ?3)`).join(", ");
      await engine.execute(
        `INSERT INTO consents (account_id, client_id, scope, granted_at) VALUES ${values}
         ON CONFLICT DO NOTHING`,
        [accountId, clientId, now, ...scopes],
      );
    },
  };
}
