// Health checks: whether the process is alive, and whether it wants requests.

import type { HttpResponse } from "./message.ts";
import { json } from "./responses.ts";

interface Deps {
  /** Rejects when the database does not answer. */
  readonly ping: () => Promise<void>;
  /** Whether the process is about to end, so that new requests should go elsewhere. */
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
