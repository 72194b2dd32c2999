// How this service is registered as a client of external service providers.

import type { SqlEngine } from "./engine.ts";
import { firstRecord, toRecord } from "./rows.ts";

/** One registration. Its `settings` are the JSON of `federation/sp-client`, and hold no secret. */
export interface SpClientRow {
  readonly issuer: string;
  /** Who made it: the operator by hand, or the service itself (RFC 7591). */
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

/** An update that changes nothing, so that the row that stands comes back. */
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

    /** All of them, by issuer and then by source. */
    async listSpClients(): Promise<readonly SpClientRow[]> {
      const rows = await engine.execute("SELECT * FROM sp_clients ORDER BY issuer, source", []);
      return rows.map((row) => toRecord<SpClientRow>(row));
    },

    /** Sets the registration of its source, whatever stood there. */
    async putSpClient(row: SpClientRow): Promise<void> {
      await engine.execute(PUT, valuesOf(row));
    },

    /** Adds it unless there is one. Of nodes that registered at once all get the one that stands. */
    async addSpClient(row: SpClientRow): Promise<SpClientRow> {
      return firstRecord<SpClientRow>(await engine.execute(ADD, valuesOf(row))) ?? row;
    },

    /** Replaces the registration if its `client_id` still is `formerClientId`: one caller gets true. */
    async replaceSpClient(row: SpClientRow, formerClientId: string): Promise<boolean> {
      const { issuer, source, clientId, settings, sealedSecret, madeAt } = row;
      const values = [clientId, settings, sealedSecret, madeAt, issuer, source, formerClientId];
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
