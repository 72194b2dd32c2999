// Health checks: liveness and readiness.

import { json } from "./responses.ts";

/** `isStopping`: the process is shutting down, and new requests should go to other nodes. */
export function createHealth(deps: {
  store: { ping(): Promise<void> };
  isStopping: () => boolean;
  resolvers: { unreachable(): readonly string[] };
}) {
  return {
    /** GET /livez */
    liveness: () => json(200, { status: "alive" }),

    /**
     * GET /readyz. Rejects if the database does not answer. Resolvers that cannot be reached are only
     * named: most requests need none, and all nodes would be taken out at once.
     */
    async readiness() {
      if (deps.isStopping()) return json(503, { status: "stopping" });
      await deps.store.ping();
      const unreachable = deps.resolvers.unreachable();
      const dns = { dns: "degraded", unreachable_resolvers: unreachable };
      return json(200, { status: "ready", ...(unreachable.length > 0 && dns) });
    },
  };
}
