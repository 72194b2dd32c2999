// The statements on clients.

import type { ClientRow, ClientStore } from "../store.ts";
import type { SqlEngine } from "./engine.ts";
import { firstRecord, toRecord } from "./rows.ts";

export function clientStatements(engine: SqlEngine): ClientStore {
  return {
    async addClient(client) {
      await engine.execute(
        "INSERT INTO clients (id, registration, secret_hash, created_at) VALUES (?1, ?2, ?3, ?4)",
        [client.id, client.registration, client.secretHash, client.createdAt],
      );
    },

    async findClient(id) {
      return firstRecord(await engine.execute("SELECT * FROM clients WHERE id = ?1", [id]));
    },

    async listClients() {
      const rows = await engine.execute("SELECT * FROM clients ORDER BY created_at, id", []);
      return rows.map((row) => toRecord<ClientRow>(row));
    },

    async updateClient(id, { from, to }) {
      const rows = await engine.execute(
        "UPDATE clients SET registration = ?1 WHERE id = ?2 AND registration = ?3 RETURNING id",
        [to, id, from],
      );
      return rows.length > 0;
    },

    async rotateClientSecret(id, { from, to, formerExpiresAt }) {
      const rows = await engine.execute(
        `UPDATE clients SET secret_hash = ?1, former_secret_hash = secret_hash,
           former_secret_expires_at = ?2
         WHERE id = ?3 AND secret_hash = ?4 RETURNING id`,
        [to, formerExpiresAt, id, from],
      );
      return rows.length > 0;
    },

    async removeClient(id, now) {
      const rows = await engine.execute("DELETE FROM clients WHERE id = ?1 RETURNING id", [id]);
      await engine.execute(
        "UPDATE grants SET revoked_at = ?1 WHERE client_id = ?2 AND revoked_at IS NULL",
        [now, id],
      );
      return rows.length > 0;
    },
  };
}
