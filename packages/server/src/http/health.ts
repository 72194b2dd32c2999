// Health checks: liveness and readiness.

import { UnavailableError } from "../lib/errors.ts";
import { json } from "./responses.ts";

const RETRY_AFTER = { "retry-after": "2" };

/**
 * `isStopping`: the process is shutting down, and new requests should go to other nodes. `check` rejects, with the
 * reason, if no write succeeds or the time cannot be used.
 */
export function createHealth(deps: {
  time: {
    check(): Promise<void>;
    verdict(): string;
    isSkewed(): boolean;
    unknownRootKeys(): readonly number[];
  };
  events: { failed(of: { path: string; cause: unknown }): void };
  isStopping: () => boolean;
  resolvers: { unreachable(): readonly string[] };
  store: { slowness(): string | null };
}) {
  return {
    /** GET /livez */
    liveness: () => json(200, { status: "alive" }),

    /**
     * GET /readyz. 503 with the reason while no write succeeds, writes wait for long, or the clock is wrong. Resolvers that
     * cannot be reached are only named: most requests need none, and all nodes would be taken out at once. So are a clock
     * without a witness, and keys of the DNS root that are no trust anchors.
     */
    async readiness() {
      if (deps.isStopping()) return json(503, { status: "stopping" });
      try {
        const slowness = deps.store.slowness();
        if (slowness !== null) throw new UnavailableError(slowness);
        await deps.time.check();
      } catch (cause) {
        deps.events.failed({ path: "/readyz", cause });
        const body = { status: "unavailable", error: "temporarily_unavailable" };
        return json(503, { ...body, reason: reasonOf(cause) }, RETRY_AFTER);
      }
      const unreachable = deps.resolvers.unreachable();
      const dns = { dns: "degraded", unreachable_resolvers: unreachable };
      const keys = deps.time.unknownRootKeys();
      return json(200, {
        status: "ready",
        ...(unreachable.length > 0 && dns),
        clock: deps.time.isSkewed() ? "skewed" : deps.time.verdict(),
        ...(keys.length > 0 && { unknown_root_keys: keys }),
      });
    },
  };
}

/** For everybody to read: without addresses, and without what only a bug would say. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof UnavailableError)) return "internal error";
  return cause.message
    .replace(/^(cannot connect to the database):.*$/s, "$1")
    .replace(/^(the database file) .* (was (?:deleted|replaced) )/s, "$1 $2");
}
