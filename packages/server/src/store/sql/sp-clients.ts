// The statements on how this service is registered as a client of external service providers.

import type { SpClientRow, SpClientStore } from "../sp-client-store.ts";
import type { SqlEngine } from "./engine.ts";
import { firstRecord, toRecord } from "./rows.ts";

const INSERT = `
  INSERT INTO sp_clients (issuer, source, client_id, settings, sealed_secret, made_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (issuer, source)`;

export function spClientStatements(engine: SqlEngine): SpClientStore {
  return {
    async findSpClients(issuer) {
      const rows = await engine.execute("SELECT * FROM sp_clients WHERE issuer = ?1", [issuer]);
      return rows.map((row) => toRecord<SpClientRow>(row));
    },

    async listSpClients() {
      const rows = await engine.execute("SELECT * FROM sp_clients ORDER BY issuer, source", []);
      return rows.map((row) => toRecord<SpClientRow>(row));
    },

    async putSpClient(row) {
      await engine.execute(
        `${INSERT} DO UPDATE SET client_id = excluded.client_id, settings = excluded.settings,
           sealed_secret = excluded.sealed_secret, made_at = excluded.made_at`,
        valuesOf(row),
      );
    },

    async addSpClient(row) {
      // An update that changes nothing, so that the row that stands comes back.
      const rows = await engine.execute(
        `${INSERT} DO UPDATE SET client_id = sp_clients.client_id RETURNING *`,
        valuesOf(row),
      );
      return firstRecord<SpClientRow>(rows) ?? row;
    },

    async replaceSpClient({ issuer, source, clientId, settings, sealedSecret, madeAt }, former) {
      const rows = await engine.execute(
        `UPDATE sp_clients SET client_id = ?1, settings = ?2, sealed_secret = ?3, made_at = ?4
         WHERE issuer = ?5 AND source = ?6 AND client_id = ?7 RETURNING issuer`,
        [clientId, settings, sealedSecret, madeAt, issuer, source, former],
      );
      return rows.length > 0;
    },

    async removeSpClient(issuer, source) {
      const rows = await engine.execute(
        "DELETE FROM sp_clients WHERE issuer = ?1 AND source = ?2 RETURNING issuer",
        [issuer, source],
      );
      return rows.length > 0;
    },
  };
}

function valuesOf({ issuer, source, clientId, settings, sealedSecret, madeAt }: SpClientRow) {
  return [issuer, source, clientId, settings, sealedSecret, madeAt];
}
