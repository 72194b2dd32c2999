// What a look at DNS has to be compared with: all that is remembered of a domain, in one statement.

import type { SqlRow } from "../database/engine.ts";
import { type Sql, toRecord } from "../database/rows.ts";
import type { SecureDomain } from "./secure-domains.ts";

/** A record that a look accepted. `spk` as in the record. */
export interface AcceptedRecord {
  readonly key: string;
  readonly inception: number;
  readonly spk?: string | null;
}

export interface RememberedDomain {
  /** Whether the domain has an account that has not ended. */
  readonly hasAccount: boolean;
  /** What was last accepted for the domain; null without an account, or after its signature expired. */
  readonly accepted: AcceptedRecord | null;
  /** Null if the domain was never seen signed, or has been released since. */
  readonly signed: SecureDomain | null;
}

/** For `rememberedIn`, beside `joinRemembered`. */
export const REMEMBERED_COLUMNS = `
  latest.id AS remembered__account_id, latest.record_key AS remembered__key,
  latest.record_inception AS remembered__inception, latest.record_spk AS remembered__spk,
  latest.record_expiration AS remembered__expiration, secure_domains.domain AS remembered__domain,
  secure_domains.secure_at AS remembered__secure_at,
  secure_domains.unsigned_at AS remembered__unsigned_at`;

/** `domain` and `now` are SQL. Of several accounts, that of the last look whose signature has not expired. */
export const joinRemembered = (domain: string, now: string) => `
  LEFT JOIN accounts AS latest ON latest.id = (
    SELECT id FROM accounts AS each WHERE each.domain = ${domain} AND each.ended_at IS NULL
    ORDER BY CASE WHEN each.record_expiration > ${now} THEN 0 ELSE 1 END,
      each.record_checked_at DESC, each.record_inception DESC LIMIT 1)
  LEFT JOIN secure_domains ON secure_domains.domain = ${domain}`;

const READ = `
  SELECT ${REMEMBERED_COLUMNS} FROM (SELECT CAST(?1 AS TEXT) AS domain) AS asked
  ${joinRemembered("asked.domain", "?2")}`;

interface Columns extends SecureDomain {
  readonly accountId: string | null;
  readonly key: string;
  readonly inception: number;
  readonly spk: string | null;
  readonly expiration: number | null;
}

/** Reads the columns of `joinRemembered`. */
export function rememberedIn(row: SqlRow, now: number): RememberedDomain {
  const columns = toRecord<Columns>(row, "remembered__");
  const { accountId, key, inception, spk, expiration, domain, secureAt, unsignedAt } = columns;
  return {
    hasAccount: accountId !== null,
    accepted: expiration !== null && expiration > now ? { key, inception, spk } : null,
    signed: domain === null ? null : { domain, secureAt, unsignedAt },
  };
}

export type RememberedStore = ReturnType<typeof rememberedStore>;

export function rememberedStore({ rows }: Sql) {
  return {
    async rememberedOf(domain: string, now: number): Promise<RememberedDomain> {
      const [row] = await rows(READ, domain, now);
      // There always is one, whether or not anything is joined to it.
      return rememberedIn(row as SqlRow, now);
    },
  };
}
