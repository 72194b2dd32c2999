// The statements on interactions: each of their two answers is recorded once.

import type { Interaction, InteractionStore } from "../interaction-store.ts";
import type { SqlEngine } from "./engine.ts";
import { firstRecord } from "./rows.ts";

export function interactionStatements(engine: SqlEngine): InteractionStore {
  return {
    async beginInteraction(interaction) {
      await engine.execute(
        `INSERT INTO interactions (id, browser_hash, client_id, query, domain, method, acct, challenge,
           external, grant_id, created_at, expires_at, account_id, auth_time, amr, control_checked_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)`,
        [
          interaction.id,
          interaction.browserHash,
          interaction.clientId,
          interaction.query,
          interaction.domain,
          interaction.method,
          interaction.acct,
          interaction.challenge,
          interaction.external,
          interaction.grantId,
          interaction.createdAt,
          interaction.expiresAt,
          interaction.accountId,
          interaction.authTime,
          interaction.amr,
          interaction.controlCheckedAt,
        ],
      );
    },

    async readInteraction(id) {
      return firstRecord<Interaction>(
        await engine.execute("SELECT * FROM interactions WHERE id = ?1", [id]),
      );
    },

    async authenticate(id, proof, now) {
      return firstRecord<Interaction>(
        await engine.execute(
          `UPDATE interactions SET account_id = ?1, auth_time = ?2, amr = ?3, control_checked_at = ?4,
             owner_proof = ?5
           WHERE id = ?6 AND account_id IS NULL AND expires_at > ?7 RETURNING *`,
          [
            ...[proof.accountId, proof.authTime, proof.amr, proof.controlCheckedAt],
            ...[proof.ownerProof ?? null, id, now],
          ],
        ),
      );
    },

    async changeExternal(id, { from, to }, now) {
      return firstRecord<Interaction>(
        await engine.execute(
          `UPDATE interactions SET external = ?1
           WHERE id = ?2 AND method = 'external' AND external IS NOT DISTINCT FROM ?3
             AND account_id IS NULL AND expires_at > ?4 RETURNING *`,
          [to, id, from, now],
        ),
      );
    },

    async switchToSetUp(id, now) {
      return firstRecord<Interaction>(
        await engine.execute(
          `UPDATE interactions SET method = 'dns-setup', acct = NULL, challenge = NULL, external = NULL
           WHERE id = ?1 AND account_id IS NULL AND expires_at > ?2 RETURNING *`,
          [id, now],
        ),
      );
    },

    async decide(id, decision, now) {
      return firstRecord<Interaction>(
        await engine.execute(
          `UPDATE interactions SET decision = ?1
           WHERE id = ?2 AND decision IS NULL AND account_id IS NOT NULL AND expires_at > ?3 RETURNING *`,
          [decision, id, now],
        ),
      );
    },
  };
}
