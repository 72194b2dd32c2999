// Clients and registered resources: their registrations, the hashes of their secrets, and the secrets that were ended.

import type { JoinedWrite } from "../database/engine.ts";
import { type Sql, sqlOf, writeWhen } from "../database/rows.ts";
import { ending } from "./ending.ts";

/** A stored client or resource. `registration` is JSON; see `clients/client-registration`. */
export interface ClientRow {
  readonly id: string;
  /** The identifier of a resource (RFC 8707 §2), whose secret is for introspection alone; null for a client. */
  readonly resource: string | null;
  readonly registration: string;
  /** Base64url SHA-256 of the secret; null for a public client. */
  readonly secretHash: string | null;
  /** The previous secret, during the overlap after a rotation. */
  readonly formerSecretHash: string | null;
  readonly formerSecretExpiresAt: number | null;
  readonly createdAt: number;
  /** Base64url SHA-256 of the registration access token of a client that registered itself; null for others. */
  readonly accessTokenHash: string | null;
  /** When somebody last signed in to a client that registered itself. */
  readonly usedAt: number | null;
  /** When a client that registered itself is removed unless it is used; null for others. */
  readonly expiresAt: number | null;
}

export interface EndedSecret {
  readonly clientId: string;
  readonly secretHash: string;
  readonly endedAt: number;
}

/** Not null, which means a public client. As long as a hash, but base64url contains no dot. */
export const ENDED_SECRET_HASH = "ended".padEnd(43, ".");

const ADD = `
  INSERT INTO clients (id, resource, registration, secret_hash, created_at, access_token_hash,
    expires_at, networks)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
  ON CONFLICT (resource) WHERE resource IS NOT NULL DO NOTHING RETURNING id`;

const UPDATE = `
  UPDATE clients SET registration = ?1 WHERE id = ?2 AND registration = ?3 RETURNING id`;

const USE = `
  UPDATE clients SET used_at = ?1, expires_at = CASE WHEN expires_at < ?2 THEN ?2 ELSE expires_at END
  WHERE id = ?3 AND expires_at IS NOT NULL RETURNING id`;

const IS_UNUSED_CLIENT = "expires_at IS NOT NULL AND used_at IS NULL";

const UNUSED_AFTER = `
  SELECT id, networks AS caused_by, 1 AS octets FROM clients
  WHERE id > ?1 AND ${IS_UNUSED_CLIENT} ORDER BY id LIMIT CAST(?2 AS BIGINT)`;

const REMOVE_UNUSED = `
  DELETE FROM clients WHERE id = ?1 AND ${IS_UNUSED_CLIENT} RETURNING id`;

const ROTATE_SECRET = `
  UPDATE clients SET secret_hash = ?1,
    former_secret_hash = CASE WHEN CAST(?2 AS BIGINT) IS NULL THEN NULL ELSE secret_hash END,
    former_secret_expires_at = CAST(?2 AS BIGINT)
  WHERE id = ?3 AND secret_hash = ?4 RETURNING id`;

const END_FORMER_SECRET = `
  UPDATE clients SET former_secret_hash = NULL, former_secret_expires_at = NULL
  WHERE id = ?1 AND former_secret_hash = ?2 RETURNING id`;

// The right-hand sides read the values from before the update.
const END_SECRET_AGAIN = `
  UPDATE clients SET
    secret_hash = CASE WHEN secret_hash = ?2 THEN ?3 ELSE secret_hash END,
    former_secret_hash = CASE WHEN former_secret_hash = ?2 THEN NULL ELSE former_secret_hash END
  WHERE id = ?1 AND (secret_hash = ?2 OR former_secret_hash = ?2) RETURNING id`;

const KEEP_ENDED_SECRET = `
  INSERT INTO ended_secrets (client_id, secret_hash, ended_at) VALUES (?1, ?2, ?3)
  ON CONFLICT DO NOTHING`;

// The secret must be one of the client, or the row would end one that nobody had.
const RECORD_ENDED_SECRET = `
  INSERT INTO ended_secrets (client_id, secret_hash, ended_at)
  SELECT id, CAST(?2 AS TEXT), CAST(?3 AS BIGINT) FROM clients
  WHERE id = ?1 AND (secret_hash = ?2 OR former_secret_hash = ?2)
  ON CONFLICT DO NOTHING`;

const REVOKE_GRANTS = `
  UPDATE grants SET revoked_at = ?1 WHERE client_id = ?2 AND revoked_at IS NULL`;

const RECORD_REVOCATION = `
  INSERT INTO history (account_id, id, at, kind, detail)
  SELECT DISTINCT account_id, CAST(?1 AS TEXT), CAST(?2 AS BIGINT), 'operator_revoked', CAST(?3 AS TEXT)
  FROM grants WHERE client_id = ?4 AND revoked_at = ?2
  ON CONFLICT DO NOTHING`;

/** A sign-in to a client that registered itself. */
export interface ClientUse {
  readonly clientId: string;
  readonly now: number;
  /** The client is kept until then at least. */
  readonly expiresAt: number;
}

/** Notes a sign-in to a client that registered itself. Ends the array if there is none, because it was removed. */
export function writeUse({ clientId, now, expiresAt }: ClientUse): JoinedWrite {
  return writeWhen(USE, now, expiresAt, clientId);
}

export type ClientStore = ReturnType<typeof clientStore>;

export function clientStore({ engine, run, returnsRow, first, all }: Sql) {
  const urgent = sqlOf(engine, { isUrgent: true });
  return {
    /**
     * False if there is a resource with the same identifier. Of concurrent callers one gets true. `networks`, of a client
     * that registers itself: see `http/stored-room`.
     */
    addClient: (row: ClientRow, networks: string | null = null) => {
      const { id, resource, registration, secretHash, createdAt, accessTokenHash, expiresAt } = row;
      const ofItself = [accessTokenHash, expiresAt];
      return returnsRow(
        ADD,
        id,
        resource,
        registration,
        secretHash,
        createdAt,
        ...ofItself,
        networks,
      );
    },

    /** See `writeUse`. False if there is no such client. */
    useClient: async (id: string, { now, expiresAt }: { now: number; expiresAt: number }) =>
      (await engine.commit([writeUse({ clientId: id, now, expiresAt })])) !== null,

    /** Removes a client that registered itself and has no grants, because it was never used. False if there is none. */
    removeUnusedClient: (id: string) => returnsRow(REMOVE_UNUSED, id),

    /** Clients that registered themselves and were never used, in the order of their ids. */
    unusedAfter: (id: string, limit: number) =>
      all<{ id: string; causedBy: string | null; octets: number }>(UNUSED_AFTER, id, limit),

    /** Also finds resources. `isUrgent`: for a request that a client can repeat by itself. */
    findClient: (id: string, { isUrgent = false } = {}) =>
      (isUrgent ? urgent.first : first)<ClientRow>("SELECT * FROM clients WHERE id = ?1", id),

    findResource: (resource: string) =>
      first<ClientRow>("SELECT * FROM clients WHERE resource = ?1", resource),

    listClients: () =>
      all<ClientRow>("SELECT * FROM clients WHERE resource IS NULL ORDER BY created_at, id"),

    listResources: () =>
      all<ClientRow>("SELECT * FROM clients WHERE resource IS NOT NULL ORDER BY resource"),

    /**
     * Replaces the registration if it is still `from`. Of concurrent changes one succeeds; the others get false and must
     * read the client again.
     */
    updateClient: (id: string, { from, to }: { from: string; to: string }) =>
      returnsRow(UPDATE, to, id, from),

    /**
     * Replaces the secret, which stays valid until `formerExpiresAt`, or ends now (null), whatever clocks say later;
     * an earlier one ends. Of concurrent callers with one `from` one succeeds. False if `from` is not the secret.
     */
    rotateClientSecret: ending(
      (
        id: string,
        { from, to, formerExpiresAt }: { from: string; to: string; formerExpiresAt: number | null },
      ) => returnsRow(ROTATE_SECRET, to, formerExpiresAt, id, from),
    ),

    /** Ends the secret before the current one, if it is still `former`. Of concurrent callers one gets true. */
    endFormerSecret: ending((id: string, former: string) =>
      returnsRow(END_FORMER_SECRET, id, former),
    ),

    endedSecrets: () =>
      all<EndedSecret>("SELECT * FROM ended_secrets ORDER BY client_id, secret_hash"),

    /** Records that a secret was ended, and ends it, current or former. True for the one call that ended it. */
    async endSecretAgain({ clientId, secretHash, endedAt }: EndedSecret): Promise<boolean> {
      await run(KEEP_ENDED_SECRET, clientId, secretHash, endedAt);
      return returnsRow(END_SECRET_AGAIN, clientId, secretHash, ENDED_SECRET_HASH);
    },

    /** Records that a secret of the client ends, before it does. The first record of a secret stands. */
    recordEndedSecret: (clientId: string, secretHash: string, endedAt: number) =>
      run(RECORD_ENDED_SECRET, clientId, secretHash, endedAt),

    /** Removes the client, revokes its grants, and notes that in each history. False if there is no such client. */
    removeClient: ending(async (id: string, now: number) => {
      const existed = await returnsRow("DELETE FROM clients WHERE id = ?1 RETURNING id", id);
      await run(REVOKE_GRANTS, now, id);
      const entryId = `${(now * 1000).toString(16).padStart(12, "0")}-${id}`;
      await run(RECORD_REVOCATION, entryId, now, JSON.stringify({ client_id: id }), id);
      return existed;
    }),
  };
}
