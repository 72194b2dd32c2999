// Registrations of this service as a client of external SPs.

import { defineRead } from "../database/grouped.ts";
import type { Sql } from "../database/rows.ts";
import { ownedDomain } from "../lib/registrable-domain.ts";

/** One registration. `settings` is JSON without secrets; see `federation/sp-registry`. */
export interface SpClientRow {
  readonly issuer: string;
  /** "registered" for dynamic registration (RFC 7591). */
  readonly source: "operator" | "registered";
  readonly clientId: string;
  readonly settings: string;
  readonly sealedSecret: string | null;
  readonly madeAt: number;
}

const COLUMNS = "issuer, source, client_id, settings, sealed_secret, made_at";
const OF_ISSUER = defineRead({ from: "sp_clients", columns: COLUMNS });

/** Of SPs of one registrable domain, and in all. None is removed for another: strangers could displace one in use. */
export const REGISTRATIONS_PER_DOMAIN = 20;
export const REGISTRATIONS = 10_000;

/** Of the domain ?1. */
const HAS_ROOM = `
  (SELECT count(*) FROM sp_clients AS owned
    WHERE owned.source = 'registered' AND owned.owned_domain = ?1) < ${REGISTRATIONS_PER_DOMAIN}
  AND (SELECT count(*) FROM sp_clients AS other WHERE other.source = 'registered') < ${REGISTRATIONS}`;

const PUT = `
  INSERT INTO sp_clients (${COLUMNS})
  VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (issuer, source) DO UPDATE SET client_id = excluded.client_id, settings = excluded.settings,
  sealed_secret = excluded.sealed_secret, made_at = excluded.made_at`;

/** On conflict, an update without effect returns the existing row. */
const ADD = `
  INSERT INTO sp_clients (owned_domain, ${COLUMNS})
  SELECT CAST(?1 AS TEXT), ?2, ?3, ?4, ?5, ?6, CAST(?7 AS BIGINT)
  WHERE EXISTS (SELECT 1 FROM sp_clients AS own WHERE own.issuer = ?2 AND own.source = ?3)
    OR (${HAS_ROOM})
  ON CONFLICT (issuer, source) DO UPDATE SET client_id = sp_clients.client_id
  RETURNING ${COLUMNS}`;

/** Not a write for each sign-in. */
const NOTE_USE = `
  UPDATE sp_clients SET used_at = ?1
  WHERE issuer = ?2 AND source = 'registered' AND (used_at IS NULL OR used_at <= ?1 - 86400 OR used_at > ?1 + 86400)`;

const REPLACE = `
  UPDATE sp_clients SET client_id = ?1, settings = ?2, sealed_secret = ?3, made_at = ?4
  WHERE issuer = ?5 AND source = ?6 AND client_id = ?7 RETURNING issuer`;

const REMOVE = "DELETE FROM sp_clients WHERE issuer = ?1 AND source = ?2 RETURNING issuer";

export type SpClientStore = ReturnType<typeof spClientStore>;

export function spClientStore({ run, returnsRow, first, all }: Sql) {
  return {
    /** At most one of each source. */
    findSpClients: (issuer: string) => all<SpClientRow>(OF_ISSUER, issuer),

    /** Ordered by issuer, then source. */
    listSpClients: () =>
      all<SpClientRow>(`SELECT ${COLUMNS} FROM sp_clients ORDER BY issuer, source`),

    /** Adds the registration, or replaces the one of the same source. */
    putSpClient: (row: SpClientRow) => run(PUT, ...valuesOf(row)),

    /** Whether one more SP at this domain can have a registration. */
    hasRoomForSp: (issuer: string) =>
      returnsRow(`SELECT 1 AS has_room WHERE ${HAS_ROOM}`, ownedDomainOf(issuer)),

    /**
     * Adds the registration unless there is one. Concurrent callers all get the stored one. Null if there is no room for
     * it; only concurrent callers can exceed the limits, by their number.
     */
    addSpClient: (row: SpClientRow) =>
      first<SpClientRow>(ADD, ownedDomainOf(row.issuer), ...valuesOf(row)),

    /** The SP has redeemed a code for the registration, which is kept longer then. */
    noteSpClientUse: (issuer: string, now: number) => run(NOTE_USE, now, issuer),

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

/** The domain whose owner can make any number of issuers like this one. */
function ownedDomainOf(issuer: string): string {
  return ownedDomain(new URL(issuer).hostname);
}

function valuesOf({ issuer, source, clientId, settings, sealedSecret, madeAt }: SpClientRow) {
  return [issuer, source, clientId, settings, sealedSecret, madeAt];
}
