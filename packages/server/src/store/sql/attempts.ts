// The statement that counts attempts, so that guessing is limited over all nodes together.

import type { AttemptStore } from "../store.ts";
import type { SqlEngine } from "./engine.ts";

/** A window begins with the first attempt after the last one was over. */
const COUNT = `
  INSERT INTO attempts (name, count, expires_at) VALUES (?1, 1, ?2)
  ON CONFLICT (name) DO UPDATE SET
    count = CASE WHEN attempts.expires_at > ?3 THEN attempts.count + 1 ELSE 1 END,
    expires_at = CASE WHEN attempts.expires_at > ?3 THEN attempts.expires_at ELSE excluded.expires_at END
  RETURNING count, expires_at`;

export function attemptStatements(engine: SqlEngine): AttemptStore {
  return {
    async countAttempt({ name, windowSeconds, now }) {
      const [row] = await engine.execute(COUNT, [name, now + windowSeconds, now]);
      return { count: Number(row?.count), expiresAt: Number(row?.expires_at) };
    },
  };
}
