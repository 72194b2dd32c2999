// Health checks: liveness and readiness.

import { UnavailableError } from "../lib/errors.ts";
import { json } from "./responses.ts";

const RETRY_AFTER = { "retry-after": "2" };

interface Deps {
  readonly time: {
    /** Rejects, with the reason, if no write succeeds or the time cannot be used. */
    check(): Promise<void>;
    verdict(): string;
    isSkewed(): boolean;
    unknownRootKeys(): readonly number[];
  };
  readonly events: { failed(failure: { path: string; cause: unknown }): void };
  /** Whether new requests should go to other nodes, because the process is shutting down. */
  readonly isStopping: () => boolean;
  readonly resolvers: { unreachable(): readonly string[] };
  readonly store: { slowness(): string | null };
}

export function createHealth({ time, events, isStopping, resolvers, store }: Deps) {
  return {
    /** GET /livez */
    liveness: () => json(200, { status: "alive" }),

    /**
     * GET /readyz. 503 with the reason while no write succeeds, writes wait for long, or the clock is wrong. A clock
     * without a witness, unknown keys of the DNS root and unreachable resolvers are only named: most requests need none
     * of them, and all nodes would be taken out at once.
     */
    async readiness() {
      if (isStopping()) return json(503, { status: "stopping" });
      try {
        const slowness = store.slowness();
        if (slowness !== null) throw new UnavailableError(slowness);
        await time.check();
      } catch (cause) {
        events.failed({ path: "/readyz", cause });
        const body = { status: "unavailable", error: "temporarily_unavailable" };
        return json(503, { ...body, reason: reasonOf(cause) }, RETRY_AFTER);
      }
      const unreachable = resolvers.unreachable();
      const dns = { dns: "degraded", unreachable_resolvers: unreachable };
      const keys = time.unknownRootKeys();
      return json(200, {
        status: "ready",
        ...(unreachable.length > 0 && dns),
        clock: time.isSkewed() ? "skewed" : time.verdict(),
        ...(keys.length > 0 && { unknown_root_keys: keys }),
      });
    },
  };
}

/** Anybody can read the reason, so it contains no addresses and no details of bugs. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof UnavailableError)) return "internal error";
  return cause.message
    .replace(/^(cannot connect to the database):.*$/s, "$1")
    .replace(/^(the database file) .* (was (?:deleted|replaced) )/s, "$1 $2");
}
