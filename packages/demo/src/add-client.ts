// Adds a client to a service that may be too busy for it.

import type { Service } from "domain-signin";
import { createPatience, type Pause, PRESSED_AGAIN_MS } from "./patience.ts";

type Clients = Pick<Service["clients"], "add">;

/** Tries again while the service is unavailable: a client that was added after all is never used. */
export async function addClient(
  clients: Clients,
  registration: Parameters<Clients["add"]>[0],
  pause?: Pause,
): Promise<Awaited<ReturnType<Clients["add"]>>> {
  const patiently = createPatience(undefined, pause);
  const added = await patiently(
    () => clients.add(registration).catch(unlessOther),
    (result) => (result instanceof Error ? PRESSED_AGAIN_MS : null),
  );
  if (added instanceof Error) throw added;
  return added;
}

function unlessOther(error: unknown): Error {
  if (error instanceof Error && error.name === "UnavailableError") return error;
  throw error;
}
