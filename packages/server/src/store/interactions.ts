// Interactions: each of their two answers is recorded once.

import type { SqlEngine } from "./engine.ts";
import { firstRecord } from "./rows.ts";

/** One pending authorization in one browser tab. */
export interface Interaction {
  readonly id: string;
  /** Hash of the cookie of the browser that it belongs to. */
  readonly browserHash: string;
  readonly clientId: string;
  /** The authorization request's query, as it came. */
  readonly query: string;
  readonly domain: string;
  /** How the owner is to be authenticated. */
  readonly method: "session" | "dns-setup" | "dns-challenge" | "external";
  /** The `acct` that the zone must name; null while a set-up may still choose it. */
  readonly acct: string | null;
  /** The value awaited in the challenge record (`dns-challenge` only). */
  readonly challenge: string | null;
  /** How far a sign-in at an external SP is (`external` only): the JSON of `federation`. */
  readonly external: string | null;
  readonly grantId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Set once, together, when the owner is authenticated. */
  readonly accountId: string | null;
  readonly authTime: number | null;
  readonly amr: string | null;
  readonly controlCheckedAt: number | null;
  /** JSON of the owner's own signature over this very request, where the sign-in had one. */
  readonly ownerProof: string | null;
  /** Set once, when the person answers. */
  readonly decision: "allow" | "deny" | null;
}

/** What the person proved in a step. */
export interface Authentication {
  readonly accountId: string;
  readonly authTime: number;
  readonly amr: string;
  readonly controlCheckedAt: number;
}

const BEGIN = `
  INSERT INTO interactions (id, browser_hash, client_id, query, domain, method, acct, challenge,
    external, grant_id, created_at, expires_at, account_id, auth_time, amr, control_checked_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)`;

const AUTHENTICATE = `
  UPDATE interactions SET account_id = ?1, auth_time = ?2, amr = ?3, control_checked_at = ?4,
    owner_proof = ?5
  WHERE id = ?6 AND account_id IS NULL AND expires_at > ?7 RETURNING *`;

const CHANGE_EXTERNAL = `
  UPDATE interactions SET external = ?1
  WHERE id = ?2 AND method = 'external' AND external IS NOT DISTINCT FROM ?3
    AND account_id IS NULL AND expires_at > ?4 RETURNING *`;

const SWITCH_TO_SET_UP = `
  UPDATE interactions SET method = 'dns-setup', acct = NULL, challenge = NULL, external = NULL
  WHERE id = ?1 AND account_id IS NULL AND expires_at > ?2 RETURNING *`;

const DECIDE = `
  UPDATE interactions SET decision = ?1
  WHERE id = ?2 AND decision IS NULL AND account_id IS NOT NULL AND expires_at > ?3 RETURNING *`;

export type InteractionStore = ReturnType<typeof interactionStore>;

export function interactionStore(engine: SqlEngine) {
  return {
    async beginInteraction(interaction: Interaction): Promise<void> {
      const { id, browserHash, clientId, query, domain, method, acct, challenge } = interaction;
      const { external, grantId, createdAt, expiresAt } = interaction;
      const { accountId, authTime, amr, controlCheckedAt } = interaction;
      await engine.execute(BEGIN, [
        ...[id, browserHash, clientId, query, domain, method, acct, challenge],
        ...[external, grantId, createdAt, expiresAt],
        ...[accountId, authTime, amr, controlCheckedAt],
      ]);
    },

    async readInteraction(id: string): Promise<Interaction | null> {
      return firstRecord(await engine.execute("SELECT * FROM interactions WHERE id = ?1", [id]));
    },

    /** Records who was authenticated. Only the first call counts; null if there was one before. */
    async authenticate(
      id: string,
      proof: Authentication & Partial<Pick<Interaction, "ownerProof">>,
      now: number,
    ): Promise<Interaction | null> {
      const { accountId, authTime, amr, controlCheckedAt, ownerProof = null } = proof;
      const values = [accountId, authTime, amr, controlCheckedAt, ownerProof, id, now];
      return firstRecord(await engine.execute(AUTHENTICATE, values));
    },

    /**
     * Moves a sign-in at an external SP on, if it still is where it was read to be: of racing callers
     * one gets the row. Null if nothing changed, or once somebody was authenticated.
     */
    async changeExternal(
      id: string,
      { from, to }: { from: string | null; to: string },
      now: number,
    ): Promise<Interaction | null> {
      return firstRecord(await engine.execute(CHANGE_EXTERNAL, [to, id, from, now]));
    },

    /** Gives up proving an account and sets up a new one. Null once somebody was authenticated. */
    async switchToSetUp(id: string, now: number): Promise<Interaction | null> {
      return firstRecord(await engine.execute(SWITCH_TO_SET_UP, [id, now]));
    },

    /** Records the person's answer. Only the first call counts; null if there was one before. */
    async decide(id: string, decision: "allow" | "deny", now: number): Promise<Interaction | null> {
      return firstRecord(await engine.execute(DECIDE, [decision, id, now]));
    },
  };
}
