// Registrations of this service as a client of external SPs.

import type { SqlEngine } from "./engine.ts";
import { firstRecord, toRecord } from "./rows.ts";

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

export function spClientStore(engine: SqlEngine) {
  return {
    /** At most one of each source. */
    async findSpClients(issuer: string): Promise<readonly SpClientRow[]> {
      const rows = await engine.execute("SELECT * FROM sp_clients WHERE issuer = ?1", [issuer]);
      return rows.map((row) => toRecord<SpClientRow>(row));
    },

    /** Ordered by issuer, then source. */
    async listSpClients(): Promise<readonly SpClientRow[]> {
      const rows = await engine.execute("SELECT * FROM sp_clients ORDER BY issuer, source", []);
      return rows.map((row) => toRecord<SpClientRow>(row));
    },

    /** Adds the registration, or replaces the one of the same source. */
    async putSpClient(row: SpClientRow): Promise<void> {
      await engine.execute(PUT, valuesOf(row));
    },

    /** Adds the registration unless there is one. Concurrent callers all get the stored one. */
    async addSpClient(row: SpClientRow): Promise<SpClientRow> {
      return firstRecord<SpClientRow>(await engine.execute(ADD, valuesOf(row))) ?? row;
    },

    /** Replaces the registration if its `client_id` is still `previousClientId`: one caller gets true. */
    async replaceSpClient(row: SpClientRow, previousClientId: string): Promise<boolean> {
      const { issuer, source, clientId, settings, sealedSecret, madeAt } = row;
      const values = [clientId, settings, sealedSecret, madeAt, issuer, source, previousClientId];
      return (await engine.execute(REPLACE, values)).length > 0;
    },

    /** True for the one call that removed it. */
    async removeSpClient(issuer: string, source: SpClientRow["source"]): Promise<boolean> {
      return (await engine.execute(REMOVE, [issuer, source])).length > 0;
    },
  };
}

function valuesOf({ issuer, source, clientId, settings, sealedSecret, madeAt }: SpClientRow) {
  return [issuer, source, clientId, settings, sealedSecret, madeAt];
}
