// Consents: scopes that the owner of an account has granted to a client.

import type { Sql } from "./rows.ts";

const READ = "SELECT scope FROM consents WHERE account_id = ?1 AND client_id = ?2";

export type ConsentStore = ReturnType<typeof consentStore>;

export function consentStore({ rows, run }: Sql) {
  return {
    async readConsent(accountId: string, clientId: string): Promise<ReadonlySet<string>> {
      return new Set((await rows(READ, accountId, clientId)).map((row) => String(row.scope)));
    },

    async rememberConsent(consent: {
      accountId: string;
      clientId: string;
      scopes: readonly string[];
      now: number;
    }) {
      const { accountId, clientId, scopes, now } = consent;
      if (scopes.length === 0) return;
      const values = scopes.map((_, index) => `(?1, ?2, ?${index + 4}, ?3)`).join(", ");
      const insert = `
        INSERT INTO consents (account_id, client_id, scope, granted_at) VALUES ${values}
        ON CONFLICT DO NOTHING`;
      await run(insert, accountId, clientId, now, ...scopes);
    },
  };
}
