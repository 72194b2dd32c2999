// Grants: one row is one authorization, from its code to its last refresh token.

import type { SqlRow } from "../database/engine.ts";
import { defineRead } from "../database/grouped.ts";
import { type Sql, sqlOf, toRecord } from "../database/rows.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import { createLines } from "../lib/lines.ts";
import { ACCOUNT_COLUMNS, ACCOUNT_IS_LIVE, type Account } from "./accounts.ts";
import { ending } from "./ending.ts";
import { grantChanges } from "./grant-changes.ts";
import type { Grant, GrantedAccess } from "./grant-row.ts";
import { issueStore } from "./issue.ts";
import { isWithoutSession } from "./sessions.ts";
import { ACCESS_TOKEN_LIFETIME_S } from "./shared-values.ts";
import { undeliveredStore } from "./undelivered.ts";

/** What a grant is issued for, as it is now. */
export interface Basis {
  /** Whether somebody has ended the interaction, or its row is gone. The time alone ends neither it nor the session. */
  readonly interactionEnded: boolean;
  /** Also true if the session was never stored. */
  readonly sessionEnded: boolean;
  /** The scopes for which the account has a consent to the client. */
  readonly consented: ReadonlySet<string>;
  /** Whether the account may have more grants that can be used than the limits allow. */
  readonly hasSurplus: boolean;
}

/** A grant whose access tokens can be used, with what they show of its account. */
export interface LiveGrant {
  readonly grant: GrantedAccess & {
    readonly clientId: string;
    readonly codeChallenge: string | null;
    readonly nonce: string | null;
  };
  readonly account: { readonly id: string; readonly domain: string; readonly createdAt: number };
}

export interface GrantWithAccount {
  readonly grant: Grant;
  readonly account: Account;
}

/** How many grants of an account can be used at once: of one client, and of all. A further one ends the oldest. */
export const GRANTS_OF_CLIENT = 20;
export const GRANTS_OF_ACCOUNT = 200;

const READ = `
  SELECT grants.*, ${ACCOUNT_COLUMNS}
  FROM grants JOIN accounts ON accounts.id = grants.account_id
  WHERE grants.id = ?1`;

/** What a request with an access token needs to know. */
const READ_LIVE = defineRead({
  from: "grants JOIN accounts ON accounts.id = grants.account_id",
  columns: `grants.id, client_id, account_id, scope, resources, code_challenge, nonce, auth_time, amr,
    accounts.id AS account__id, accounts.domain AS account__domain, accounts.created_at AS account__created_at`,
  where: `grants.revoked_at IS NULL AND ${ACCOUNT_IS_LIVE}`,
});

const RECORD_CONTROL = `
  UPDATE grants SET control_checked_at = ?1
  WHERE id = ?2 AND (control_checked_at < ?1 OR control_checked_at > ?3 + ${CLOCK_TOLERANCE_S})`;

const REVOKE =
  "UPDATE grants SET revoked_at = ?1 WHERE id = ?2 AND revoked_at IS NULL RETURNING id";

/** Whether a code or a token of the grant can still be used at the time ?1, unless it is revoked. */
const IS_ACTIVE = `((generation = 0 AND code_expires_at > ?1) OR (generation > 0
    AND (refresh_expires_at > ?1 OR rotated_at > ?1 - ${ACCESS_TOKEN_LIFETIME_S})))`;

const NEWEST_FIRST = "CASE WHEN id = ?3 THEN 0 ELSE 1 END, created_at DESC, id DESC";

const OF_ACCOUNT = `
  SELECT * FROM grants WHERE account_id = ?2 AND revoked_at IS NULL AND ${IS_ACTIVE}
  ORDER BY created_at DESC, id LIMIT 1000`;

const END_SURPLUS = `
  UPDATE grants SET revoked_at = ?1
  WHERE revoked_at IS NULL AND id <> ?3 AND id IN (
    SELECT id FROM (
      SELECT id, ROW_NUMBER() OVER (ORDER BY ${NEWEST_FIRST}) AS of_account,
        ROW_NUMBER() OVER (PARTITION BY client_id ORDER BY ${NEWEST_FIRST}) AS of_client
      FROM grants WHERE account_id = ?2 AND revoked_at IS NULL AND ${IS_ACTIVE}) AS ranked
    WHERE of_account > ${GRANTS_OF_ACCOUNT} OR of_client > ${GRANTS_OF_CLIENT})`;

/** Counts no further than it must. Those that have expired count too: they are rare, and removed soon. */
const isExceeded = (limit: number, which = "") => `
  (SELECT count(*) FROM (
    SELECT 1 AS one FROM grants WHERE account_id = ?3 AND revoked_at IS NULL ${which}
    LIMIT ${limit + 1}) AS counted) > ${limit}`;

// One row for each consent, or a single one without a scope.
const BASIS = `
  SELECT consents.scope,
    CASE WHEN EXISTS (SELECT 1 FROM interactions WHERE id = ?1 AND expires_at > created_at)
      THEN 0 ELSE 1 END AS interaction_ended,
    CASE WHEN ${isWithoutSession("?2")} THEN 1 ELSE 0 END AS session_ended,
    CASE WHEN ${isExceeded(GRANTS_OF_ACCOUNT)} OR ${isExceeded(GRANTS_OF_CLIENT, "AND client_id = ?4")}
      THEN 1 ELSE 0 END AS has_surplus
  FROM (SELECT 1 AS one) AS one
    LEFT JOIN consents ON consents.account_id = ?3 AND consents.client_id = ?4`;

const revokeOf = (which: string) => `
  UPDATE grants SET revoked_at = ?1 WHERE account_id = ?2 ${which} AND revoked_at IS NULL
  RETURNING CASE WHEN ${IS_ACTIVE} THEN 1 ELSE 0 END AS was_active`;

export type GrantStore = ReturnType<typeof grantStore>;

/** `statementTime`: see `grantChanges`. */
export function grantStore(sql: Sql, statementTime?: string) {
  const { engine, run, rows, all, returnsRow } = sql;
  const urgent = sqlOf(engine, { isUrgent: true });
  // A locked row then occupies one connection, not all of them.
  const lines = createLines();
  const changes = grantChanges(sql, lines, statementTime);
  return {
    ...changes,
    ...undeliveredStore(sql, changes),
    ...issueStore(sql),

    /** Records a lookup that confirmed the account; never an earlier time than before, unless that is in the future. */
    recordControl: (look: { grantId: string; checkedAt: number; now: number }) =>
      run(RECORD_CONTROL, look.checkedAt, look.grantId, look.now),

    /** For token requests, which can be repeated. */
    readGrant: async (id: string): Promise<GrantWithAccount | null> =>
      withAccount(await urgent.rows(READ, id)),

    /** The grant and its account, unless it was revoked, or the account is asleep or has ended. */
    readLiveGrant: async (id: string): Promise<LiveGrant | null> =>
      withAccount(await rows(READ_LIVE, id)),

    /** The newest 1,000 grants of the account that can still be used. */
    grantsOf: (accountId: string, now: number) => all<Grant>(OF_ACCOUNT, now, accountId),

    /**
     * Reads what a grant is based on: its sign-in, its session and its consents. Call it after `issueGrant` and before
     * the code is sent. A revocation ends these first and then revokes grants; see `revokeApps`.
     */
    async readBasis(issue: {
      interactionId: string | null;
      sid: string;
      accountId: string;
      clientId: string;
    }): Promise<Basis> {
      const { interactionId, sid, accountId, clientId } = issue;
      const consents = await rows(BASIS, interactionId ?? "", sid, accountId, clientId);
      const scopes = consents.flatMap(({ scope }) => (scope === null ? [] : [String(scope)]));
      return {
        interactionEnded: interactionId !== null && consents[0]?.interaction_ended === 1,
        sessionEnded: consents[0]?.session_ended === 1,
        consented: new Set(scopes),
        hasSurplus: consents[0]?.has_surplus === 1,
      };
    },

    /** Revokes the oldest grants beyond the limits, however many calls are concurrent, but never the new `grantId`. */
    endSurplus: (issued: { grantId: string; accountId: string; now: number }) =>
      run(END_SURPLUS, issued.now, issued.accountId, issued.grantId),

    /**
     * Revokes the account's grants of one client, or of all (null), on all nodes. Returns how many could still be
     * used: one caller counts each. A later grant stays: its issuer finds by `readBasis` what was withdrawn.
     */
    revokeGrantsOf: ending(
      async (of: { accountId: string; clientId: string | null; now: number }) => {
        const { accountId, clientId, now } = of;
        const revoked =
          clientId === null
            ? await rows(revokeOf(""), now, accountId)
            : await rows(revokeOf("AND client_id = ?3"), now, accountId, clientId);
        return revoked.filter((row) => row.was_active === 1).length;
      },
    ),

    /** Revokes the grant. True for the one call that revoked it. A revoked grant is never rotated again. */
    revokeGrant: ending(({ id, now }: { id: string; now: number }) =>
      lines.run(id, () => returnsRow(REVOKE, now, id)),
    ),
  };
}

function withAccount<G, A>([row]: readonly SqlRow[]): { grant: G; account: A } | null {
  return row === undefined ? null : { grant: toRecord(row), account: toRecord(row, "account__") };
}
