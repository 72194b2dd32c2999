// Domains whose records were once validated with DNSSEC.

import type { SqlEngine } from "./engine.ts";
import { firstRecord } from "./rows.ts";

/** Times are epoch seconds. */
export interface SecureDomain {
  readonly domain: string;
  /** When a chain was last validated. */
  readonly secureAt: number;
  /** Since when all sources agree that the domain is no longer signed; null if they do not. */
  readonly unsignedAt: number | null;
}

const NOTE_SECURE = `
  INSERT INTO secure_domains (domain, secure_at) VALUES (?1, ?2)
  ON CONFLICT (domain) DO UPDATE SET
    secure_at = CASE WHEN secure_domains.secure_at < ?2 THEN ?2 ELSE secure_domains.secure_at END,
    unsigned_at = NULL`;

const NOTE_UNSIGNED = `
  UPDATE secure_domains SET unsigned_at = ?2
  WHERE domain = ?1 AND unsigned_at IS NULL AND secure_at <= ?2`;

const RELEASE =
  "DELETE FROM secure_domains WHERE domain = ?1 AND unsigned_at <= ?2 RETURNING domain";

export type SecureDomainStore = ReturnType<typeof secureDomainStore>;

export function secureDomainStore(engine: SqlEngine) {
  return {
    /** Records a validation, never with an earlier time than before. Resets `unsignedAt`. */
    async noteSecure(domain: string, now: number): Promise<void> {
      await engine.execute(NOTE_SECURE, [domain, now]);
    },

    async findSecureDomain(domain: string): Promise<SecureDomain | null> {
      const rows = await engine.execute("SELECT * FROM secure_domains WHERE domain = ?1", [domain]);
      return firstRecord(rows);
    },

    /** Records that all sources said unsigned at `now`. Keeps the first such time since the last validation. */
    async noteUnsigned(domain: string, now: number): Promise<void> {
      await engine.execute(NOTE_UNSIGNED, [domain, now]);
    },

    /**
     * Removes the domain if it has been unsigned since `unsignedBefore` or longer, without a validation
     * since. True for the one call that removed it.
     */
    async releaseSecureDomain(domain: string, unsignedBefore: number): Promise<boolean> {
      return (await engine.execute(RELEASE, [domain, unsignedBefore])).length > 0;
    },
  };
}
