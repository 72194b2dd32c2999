// Health checks: liveness and readiness.

import { json } from "./responses.ts";

/** `isStopping`: the process is shutting down, and new requests should go to other nodes. */
export function createHealth(deps: {
  store: { ping(): Promise<void> };
  isStopping: () => boolean;
}) {
  return {
    /** GET /livez */
    liveness: () => json(200, { status: "alive" }),

    /** GET /readyz. Rejects if the database does not answer. */
    async readiness() {
      if (deps.isStopping()) return json(503, { status: "stopping" });
      await deps.store.ping();
      return json(200, { status: "ready" });
    },
  };
}
