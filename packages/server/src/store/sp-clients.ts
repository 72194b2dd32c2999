// Registrations of this service as a client of external SPs.

import type { Sql } from "./rows.ts";

/** One registration. `settings` is JSON without secrets; see `federation/stored-client`. */
export interface SpClientRow {
  readonly issuer: string;
  /** "registered" for dynamic registration (RFC 7591). */
  readonly source: "operator" | "registered";
  readonly clientId: string;
  readonly settings: string;
  readonly sealedSecret: string | null;
  readonly madeAt: number;
}

const INSERT = `
  INSERT INTO sp_clients (issuer, source, client_id, settings, sealed_secret, made_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (issuer, source)`;

const PUT = `${INSERT} DO UPDATE SET client_id = excluded.client_id, settings = excluded.settings,
  sealed_secret = excluded.sealed_secret, made_at = excluded.made_at`;

/** On conflict, an update without effect returns the existing row. */
const ADD = `${INSERT} DO UPDATE SET client_id = sp_clients.client_id RETURNING *`;

const REPLACE = `
  UPDATE sp_clients SET client_id = ?1, settings = ?2, sealed_secret = ?3, made_at = ?4
  WHERE issuer = ?5 AND source = ?6 AND client_id = ?7 RETURNING issuer`;

const REMOVE = "DELETE FROM sp_clients WHERE issuer = ?1 AND source = ?2 RETURNING issuer";

export type SpClientStore = ReturnType<typeof spClientStore>;

export function spClientStore({ run, returnsRow, first, all }: Sql) {
  return {
    /** At most one of each source. */
    findSpClients: (issuer: string) =>
      all<SpClientRow>("SELECT * FROM sp_clients WHERE issuer = ?1", issuer),

    /** Ordered by issuer, then source. */
    listSpClients: () => all<SpClientRow>("SELECT * FROM sp_clients ORDER BY issuer, source"),

    /** Adds the registration, or replaces the one of the same source. */
    putSpClient: (row: SpClientRow) => run(PUT, ...valuesOf(row)),

    /** Adds the registration unless there is one. Concurrent callers all get the stored one. */
    addSpClient: async (row: SpClientRow) =>
      (await first<SpClientRow>(ADD, ...valuesOf(row))) ?? row,

    /** Replaces the registration if its `client_id` is still `previousClientId`: one caller gets true. */
    replaceSpClient(row: SpClientRow, previousClientId: string) {
      const { issuer, source, clientId, settings, sealedSecret, madeAt } = row;
      const values = [clientId, settings, sealedSecret, madeAt, issuer, source, previousClientId];
      return returnsRow(REPLACE, ...values);
    },

    /** True for the one call that removed it. */
    removeSpClient: (issuer: string, source: SpClientRow["source"]) =>
      returnsRow(REMOVE, issuer, source),
  };
}

function valuesOf({ issuer, source, clientId, settings, sealedSecret, madeAt }: SpClientRow) {
  return [issuer, source, clientId, settings, sealedSecret, madeAt];
}
