// What earlier looks at DNS found of a domain: the newest accepted answer, whether the domain was signed, and both in one
// statement, with which the next look is compared.

import type { SqlRow } from "../database/engine.ts";
import { defineRead } from "../database/grouped.ts";
import { type Sql, toRecord } from "../database/rows.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import { ownedDomain } from "../lib/registrable-domain.ts";
import { HAS_ACCOUNT } from "./accounts.ts";
import { OWN_SP } from "./shared-values.ts";

/** The newest answer of signed DNS, kept in the rows of the accounts of its domain. Times are epoch seconds. */
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

const NOTE_ACCEPTED = `
  UPDATE accounts SET record_key = ?2, record_inception = ?3, record_expiration = ?4,
    record_checked_at = ?5, record_spk = ?6
  WHERE ${OF_DOMAIN} AND (record_checked_at IS NULL OR record_checked_at < ?5
    OR (record_checked_at = ?5 AND record_inception < ?3)
    OR (record_checked_at > ?5 + ${CLOCK_TOLERANCE_S} AND (record_inception <= ?3 OR record_expiration <= ?5)))`;

const LIVE_HERE = `sp = '${OWN_SP}' AND asleep_since IS NULL AND ended_at IS NULL`;
// Not LIKE: a kid can contain "_", and SQLite does not compare the case.
const WITHOUT_KID = "replace(record_spk, ?1, '')";
const listing = (isListed: "<>" | "=") =>
  `SELECT domain FROM accounts WHERE ${LIVE_HERE} AND ${WITHOUT_KID} ${isListed} record_spk ORDER BY domain`;
const LISTING = listing("<>");
const NOT_LISTING = listing("=");

export type AcceptedAnswerStore = ReturnType<typeof acceptedAnswerStore>;

export function acceptedAnswerStore({ run, rows, returnsRow }: Sql) {
  return {
    /**
     * Keeps the answer with each account of the domain that has not ended. The last query of DNS wins; in one second,
     * the newest signature. A time in the future, from a wrong clock, loses to any signature that is not older.
     */
    async noteAccepted({ domain, key, spk, ...times }: AcceptedAnswer) {
      // Strangers query many domains without an account. A write transaction for each would be a waste.
      if (!(await returnsRow(HAS_ACCOUNT, domain))) return;
      const { inception, expiration, checkedAt } = times;
      await run(NOTE_ACCEPTED, domain, key, inception, expiration, checkedAt, spk);
    },

    /** The domains of live accounts here whose record, as last accepted, lists this key of ours. */
    domainsListing: async (kid: string) =>
      (await rows(LISTING, kid)).map(({ domain }) => String(domain)),

    /** The domains of live accounts here whose record, as last accepted, does not list this key. */
    domainsNotListing: async (kid: string) =>
      (await rows(NOT_LISTING, kid)).map(({ domain }) => String(domain)),
  };
}

/** A domain that had a secure answer: a record that was validated with DNSSEC. Times are epoch seconds. */
export interface SecureDomain {
  readonly domain: string;
  /** The time of the last secure answer. */
  readonly secureAt: number;
  /** When it was first proven, after that, that the domain is not signed; null if it was not. */
  readonly unsignedAt: number | null;
}

const COLUMNS = "domain, secure_at, unsigned_at";
const BY_DOMAIN = defineRead({ from: "secure_domains", columns: COLUMNS });

/** Of the names of one owner that have no account: a signed zone can answer for any number of names. */
export const SECURE_DOMAINS_PER_OWNER = 1000;

const NOTE_SECURE = `
  INSERT INTO secure_domains (domain, secure_at, owned_domain)
  SELECT ?1, CAST(?2 AS BIGINT), CAST(?3 AS TEXT)
  WHERE EXISTS (SELECT 1 FROM secure_domains AS own WHERE own.domain = ?1)
    OR EXISTS (${HAS_ACCOUNT})
    OR (SELECT count(*) FROM secure_domains AS owned
      WHERE owned.owned_domain = ?3) < ${SECURE_DOMAINS_PER_OWNER}
  ON CONFLICT (domain) DO UPDATE SET
    secure_at = CASE WHEN secure_domains.secure_at < ?2
      OR secure_domains.secure_at > ?2 + ${CLOCK_TOLERANCE_S} THEN ?2 ELSE secure_domains.secure_at END,
    unsigned_at = NULL`;

const NOTE_UNSIGNED = `
  UPDATE secure_domains SET unsigned_at = ?2
  WHERE domain = ?1 AND (unsigned_at IS NULL OR unsigned_at > ?2 + ${CLOCK_TOLERANCE_S})
    AND (secure_at <= ?2 OR secure_at > ?2 + ${CLOCK_TOLERANCE_S})`;

const RELEASE =
  "DELETE FROM secure_domains WHERE domain = ?1 AND unsigned_at <= ?2 RETURNING domain";

const UNSIGNED_PER_READ = 200;
const UNSIGNED_SINCE = `
  SELECT ${COLUMNS} FROM secure_domains WHERE unsigned_at <= ?1 AND (unsigned_at, domain) > (?2, ?3)
  ORDER BY unsigned_at, domain LIMIT ${UNSIGNED_PER_READ}`;

export type SecureDomainStore = ReturnType<typeof secureDomainStore>;

export function secureDomainStore({ run, returnsRow, first, all }: Sql) {
  return {
    /**
     * Notes a secure answer at `now`. `secureAt` never becomes earlier, unless it is in the future; `unsignedAt` becomes
     * null. A new domain without an account is not noted if its owner has many others; only concurrent callers can exceed
     * that limit, by their number.
     */
    noteSecure: (domain: string, now: number) => run(NOTE_SECURE, domain, now, ownedDomain(domain)),

    findSecureDomain: (domain: string) => first<SecureDomain>(BY_DOMAIN, domain),

    /** Sets `unsignedAt` to `now`, unless it has a value or the last secure answer is later. */
    noteUnsigned: (domain: string, now: number) => run(NOTE_UNSIGNED, domain, now),

    /** The next 200 domains after `after` that have been unsigned since `before` or longer, the first of them first. */
    unsignedSince: (before: number, after: SecureDomain | null) =>
      all<SecureDomain>(UNSIGNED_SINCE, before, after?.unsignedAt ?? 0, after?.domain ?? ""),

    /** Removes the domain if it is unsigned since `unsignedBefore` or longer. True for the one call that removed it. */
    releaseSecureDomain: (domain: string, unsignedBefore: number) =>
      returnsRow(RELEASE, domain, unsignedBefore),
  };
}

/** A record that a look accepted. `spk` as in the record. */
export interface AcceptedRecord {
  readonly key: string;
  readonly inception: number;
  readonly spk?: string | null;
}

export interface RememberedDomain {
  /** What was last accepted for the domain; null without an account, or after its signature expired. */
  readonly accepted: AcceptedRecord | null;
  /** Null if the domain was never seen signed, or has been released since. */
  readonly signed: SecureDomain | null;
}

/** For `rememberedIn`, beside `joinRemembered`. */
export const REMEMBERED_COLUMNS = `
  latest.record_key AS remembered__key,
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

const READ_REMEMBERED = `
  SELECT ${REMEMBERED_COLUMNS} FROM (SELECT CAST(?1 AS TEXT) AS domain) AS asked
  ${joinRemembered("asked.domain", "?2")}`;

interface RememberedColumns extends SecureDomain {
  readonly key: string;
  readonly inception: number;
  readonly spk: string | null;
  readonly expiration: number | null;
}

/** Reads the columns of `joinRemembered`. */
export function rememberedIn(row: SqlRow, now: number): RememberedDomain {
  const columns = toRecord<RememberedColumns>(row, "remembered__");
  const { key, inception, spk, expiration, domain, secureAt, unsignedAt } = columns;
  return {
    accepted: expiration !== null && expiration > now ? { key, inception, spk } : null,
    signed: domain === null ? null : { domain, secureAt, unsignedAt },
  };
}

export type RememberedStore = ReturnType<typeof rememberedStore>;

export function rememberedStore({ rows }: Sql) {
  return {
    async rememberedOf(domain: string, now: number): Promise<RememberedDomain> {
      const [row] = await rows(READ_REMEMBERED, domain, now);
      // There always is one, whether or not anything is joined to it.
      return rememberedIn(row as SqlRow, now);
    },
  };
}
