// The statements on domains that were seen with a chain of signatures.

import type { SecureDomain, SecureDomainStore } from "../secure-domain-store.ts";
import type { SqlEngine } from "./engine.ts";
import { firstRecord } from "./rows.ts";

const NOTE_SECURE = `
  INSERT INTO secure_domains (domain, secure_at) VALUES (?1, ?2)
  ON CONFLICT (domain) DO UPDATE SET
    secure_at = CASE WHEN secure_domains.secure_at < ?2 THEN ?2 ELSE secure_domains.secure_at END,
    unsigned_at = NULL`;

export function secureDomainStatements(engine: SqlEngine): SecureDomainStore {
  return {
    async noteSecure(domain, now) {
      await engine.execute(NOTE_SECURE, [domain, now]);
    },

    async findSecureDomain(domain) {
      return firstRecord<SecureDomain>(
        await engine.execute("SELECT * FROM secure_domains WHERE domain = ?1", [domain]),
      );
    },

    async noteUnsigned(domain, now) {
      await engine.execute(
        `UPDATE secure_domains SET unsigned_at = ?2
         WHERE domain = ?1 AND unsigned_at IS NULL AND secure_at <= ?2`,
        [domain, now],
      );
    },

    async releaseSecureDomain(domain, unsignedBefore) {
      const rows = await engine.execute(
        "DELETE FROM secure_domains WHERE domain = ?1 AND unsigned_at <= ?2 RETURNING domain",
        [domain, unsignedBefore],
      );
      return rows.length > 0;
    },
  };
}
