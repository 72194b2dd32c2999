// Domains that had a secure answer: a record that was validated with DNSSEC.

import { defineRead } from "../database/grouped.ts";
import type { Sql } from "../database/rows.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import { ownedDomain } from "../lib/registrable-domain.ts";
import { HAS_ACCOUNT } from "./accounts.ts";

/** Times are epoch seconds. */
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

    /**
     * Removes the domain if it has been unsigned since `unsignedBefore` or longer, without a secure
     * answer since. True for the one call that removed it.
     */
    releaseSecureDomain: (domain: string, unsignedBefore: number) =>
      returnsRow(RELEASE, domain, unsignedBefore),
  };
}
