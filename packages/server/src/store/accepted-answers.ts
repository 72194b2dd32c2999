// The newest answer of signed DNS that was accepted for a domain, kept in the rows of its accounts.

import type { Sql } from "../database/rows.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import { HAS_ACCOUNT } from "./accounts.ts";
import { OWN_SP } from "./shared-values.ts";

/** Times are epoch seconds. */
export interface AcceptedAnswer {
  readonly domain: string;
  /** The outcome, `sp` and `acct` of the record. */
  readonly key: string;
  /** The keys of the service provider that the record lists, as in the record; empty for none. */
  readonly spk: string;
  readonly inception: number;
  readonly expiration: number;
  /** When DNS was queried. */
  readonly checkedAt: number;
}

const OF_DOMAIN = "domain = ?1 AND ended_at IS NULL";

const NOTE = `
  UPDATE accounts SET record_key = ?2, record_inception = ?3, record_expiration = ?4,
    record_checked_at = ?5, record_spk = ?6
  WHERE ${OF_DOMAIN} AND (record_checked_at IS NULL OR record_checked_at < ?5
    OR (record_checked_at = ?5 AND record_inception < ?3)
    OR (record_checked_at > ?5 + ${CLOCK_TOLERANCE_S} AND (record_inception <= ?3 OR record_expiration <= ?5)))`;

const LIVE_HERE = `sp = '${OWN_SP}' AND asleep_since IS NULL AND ended_at IS NULL`;
// Not LIKE: a kid can contain "_", and SQLite does not compare the case.
const WITHOUT_KID = "replace(record_spk, ?1, '')";
const LISTING = `SELECT domain FROM accounts WHERE ${LIVE_HERE} AND ${WITHOUT_KID} <> record_spk ORDER BY domain`;
const NOT_LISTING = `SELECT domain FROM accounts WHERE ${LIVE_HERE} AND ${WITHOUT_KID} = record_spk ORDER BY domain`;

export type AcceptedAnswerStore = ReturnType<typeof acceptedAnswerStore>;

export function acceptedAnswerStore({ run, rows, returnsRow }: Sql) {
  return {
    /**
     * Keeps the answer with each account of the domain that has not ended. Of concurrent callers the one
     * that queried DNS last wins; in the same second, the newest signature. A time of the future, from
     * before the clock was set back, decides nothing: there, a signature that is not older replaces the other.
     */
    async noteAccepted({ domain, key, spk, ...times }: AcceptedAnswer) {
      // Strangers query many domains without an account. A write transaction for each would be a waste.
      if (!(await returnsRow(HAS_ACCOUNT, domain))) return;
      const { inception, expiration, checkedAt } = times;
      await run(NOTE, domain, key, inception, expiration, checkedAt, spk);
    },

    /** The domains of live accounts here whose record, as last accepted, lists this key of ours. */
    domainsListing: async (kid: string) =>
      (await rows(LISTING, kid)).map(({ domain }) => String(domain)),

    /** Those whose record was accepted and does not list it. */
    domainsNotListing: async (kid: string) =>
      (await rows(NOT_LISTING, kid)).map(({ domain }) => String(domain)),
  };
}
