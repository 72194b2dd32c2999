// Domains whose records were seen with a chain of signatures from the root.

import type { SqlEngine } from "./engine.ts";
import { firstRecord } from "./rows.ts";

/** Times are epoch seconds. */
export interface SecureDomain {
  readonly domain: string;
  /** When a chain was last verified. */
  readonly secureAt: number;
  /** Since when everybody who could know says that it is no longer signed; null: nobody does. */
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
    /** Notes that a chain was verified; never moves the time back, and ends a release under way. */
    async noteSecure(domain: string, now: number): Promise<void> {
      await engine.execute(NOTE_SECURE, [domain, now]);
    },

    async findSecureDomain(domain: string): Promise<SecureDomain | null> {
      const rows = await engine.execute("SELECT * FROM secure_domains WHERE domain = ?1", [domain]);
      return firstRecord(rows);
    },

    /** Notes that everybody said so when asked at `now`. The first such time since the last chain stands. */
    async noteUnsigned(domain: string, now: number): Promise<void> {
      await engine.execute(NOTE_UNSIGNED, [domain, now]);
    },

    /**
     * Forgets that the domain was secure, if nobody has seen a chain since and it has been told unsigned
     * since `unsignedBefore` or longer. True for the one call that did.
     */
    async releaseSecureDomain(domain: string, unsignedBefore: number): Promise<boolean> {
      return (await engine.execute(RELEASE, [domain, unsignedBefore])).length > 0;
    },
  };
}
