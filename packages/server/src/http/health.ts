// Health checks: liveness and readiness.

import type { HttpResponse } from "./message.ts";
import { json } from "./responses.ts";

interface Deps {
  /** Rejects if the database does not answer. */
  readonly ping: () => Promise<void>;
  /** True once the process is shutting down and new requests should go to other nodes. */
  readonly isStopping: () => boolean;
}

export function createHealth(deps: Deps) {
  return { liveness, readiness: () => readiness(deps) };
}

/** GET /livez */
function liveness(): HttpResponse {
  return json(200, { status: "alive" });
}

/** GET /readyz */
async function readiness({ ping, isStopping }: Deps): Promise<HttpResponse> {
  if (isStopping()) return json(503, { status: "stopping" });
  await ping();
  return json(200, { status: "ready" });
}
