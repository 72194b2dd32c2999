// Clients: their registrations, and the hashes of their secrets.

import type { SqlEngine } from "./engine.ts";
import { firstRecord, toRecord } from "./rows.ts";

/** A client as stored: its registration is the JSON of `oauth/client`. */
export interface ClientRow {
  readonly id: string;
  readonly registration: string;
  /** Base64url SHA-256 of the secret; null for a public client. */
  readonly secretHash: string | null;
  /** The secret before this one. */
  readonly formerSecretHash: string | null;
  readonly formerSecretExpiresAt: number | null;
  readonly createdAt: number;
}

const ADD =
  "INSERT INTO clients (id, registration, secret_hash, created_at) VALUES (?1, ?2, ?3, ?4)";

const UPDATE = `
  UPDATE clients SET registration = ?1 WHERE id = ?2 AND registration = ?3 RETURNING id`;

const ROTATE_SECRET = `
  UPDATE clients SET secret_hash = ?1, former_secret_hash = secret_hash,
    former_secret_expires_at = ?2
  WHERE id = ?3 AND secret_hash = ?4 RETURNING id`;

const REVOKE_GRANTS = `
  UPDATE grants SET revoked_at = ?1 WHERE client_id = ?2 AND revoked_at IS NULL`;

export type ClientStore = ReturnType<typeof clientStore>;

export function clientStore(engine: SqlEngine) {
  return {
    async addClient(client: ClientRow): Promise<void> {
      const { id, registration, secretHash, createdAt } = client;
      await engine.execute(ADD, [id, registration, secretHash, createdAt]);
    },

    async findClient(id: string): Promise<ClientRow | null> {
      return firstRecord(await engine.execute("SELECT * FROM clients WHERE id = ?1", [id]));
    },

    async listClients(): Promise<readonly ClientRow[]> {
      const rows = await engine.execute("SELECT * FROM clients ORDER BY created_at, id", []);
      return rows.map((row) => toRecord<ClientRow>(row));
    },

    /**
     * Replaces the registration if it still is the one that was read: of two changes made at once
     * one wins, and the other has to look again. False if nothing changed.
     */
    async updateClient(id: string, { from, to }: { from: string; to: string }): Promise<boolean> {
      return (await engine.execute(UPDATE, [to, id, from])).length > 0;
    },

    /**
     * Gives the client a new secret; the one that it replaces stays valid until `formerExpiresAt`, and
     * the one before that ends. Of callers that replace the same secret one wins. False if it was
     * not the client's.
     */
    async rotateClientSecret(
      id: string,
      { from, to, formerExpiresAt }: { from: string; to: string; formerExpiresAt: number },
    ): Promise<boolean> {
      return (await engine.execute(ROTATE_SECRET, [to, formerExpiresAt, id, from])).length > 0;
    },

    /** Removes the client and ends its grants. False if there was none. */
    async removeClient(id: string, now: number): Promise<boolean> {
      const rows = await engine.execute("DELETE FROM clients WHERE id = ?1 RETURNING id", [id]);
      await engine.execute(REVOKE_GRANTS, [now, id]);
      return rows.length > 0;
    },
  };
}
