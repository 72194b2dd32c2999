// Consents: scopes that the owner of an account has granted to a client.

import type { JoinedWrite, SqlValue } from "../database/engine.ts";
import { type Sql, write, writeWhen } from "../database/rows.ts";
import { ending } from "./ending.ts";

const READ = "SELECT scope FROM consents WHERE account_id = ?1 AND client_id = ?2";

/** The scopes to which an account has consented, as one value of a row; see `scopesIn`. */
export const consentedScopes = (of: { readonly account: string; readonly client: string }) => `
  (SELECT string_agg(consents.scope, '\n') FROM consents
    WHERE consents.account_id = ${of.account} AND consents.client_id = ${of.client})`;

export function scopesIn(value: SqlValue | undefined): ReadonlySet<string> {
  return new Set(value ? String(value).split("\n") : []);
}

/** Of one account. The oldest are forgotten. */
export const CONSENTS_OF_ACCOUNT = 1000;

const FORGET_SURPLUS = `
  DELETE FROM consents WHERE account_id = ?1 AND (client_id, scope) IN (
    SELECT client_id, scope FROM consents WHERE account_id = ?1
    ORDER BY granted_at DESC, client_id, scope LIMIT 100000 OFFSET ${CONSENTS_OF_ACCOUNT})`;

const forgetOf = (which: string) =>
  `DELETE FROM consents WHERE account_id = ?1 ${which} RETURNING scope`;

export interface NewConsent {
  readonly accountId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly now: number;
}

/** Grants scopes to a client. Those that are granted stay as they are; the oldest beyond the limit are forgotten. */
function writeConsent({ accountId, clientId, scopes, now }: NewConsent): readonly JoinedWrite[] {
  if (scopes.length === 0) return [];
  const values = scopes.map((_, index) => `(?1, ?2, ?${index + 4}, ?3)`).join(", ");
  const insert = `
    INSERT INTO consents (account_id, client_id, scope, granted_at) VALUES ${values}
    ON CONFLICT DO NOTHING`;
  // In one order, so that two answers at once do not lock each other.
  const inOrder = scopes.toSorted();
  return [write(insert, accountId, clientId, now, ...inOrder), write(FORGET_SURPLUS, accountId)];
}

export type ConsentStore = ReturnType<typeof consentStore>;

export function consentStore({ engine, rows, returnsRow }: Sql) {
  return {
    /** A write that stops those beside it unless the owner of the account has granted all of these scopes. */
    requireConsent(consent: {
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
    },

    async readConsent(accountId: string, clientId: string): Promise<ReadonlySet<string>> {
      return new Set((await rows(READ, accountId, clientId)).map((row) => String(row.scope)));
    },

    writeConsent,

    /** The same by itself. */
    rememberConsent: async (consent: NewConsent) =>
      void (await engine.commit(writeConsent(consent))),

    /** Forgets the consents to a client, or all (null). Of concurrent callers one gets true for each consent. */
    forgetConsents: ending(
      ({ accountId, clientId }: { accountId: string; clientId: string | null }) =>
        clientId === null
          ? returnsRow(forgetOf(""), accountId)
          : returnsRow(forgetOf("AND client_id = ?2"), accountId, clientId),
    ),
  };
}
