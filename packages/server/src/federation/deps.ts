// The components that federation uses. Each function picks those that it needs.

import type { Keyring } from "../keys/keyring.ts";
import type { Seal } from "../keys/seal.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import type { SpClientStore } from "../store/sp-clients.ts";

export interface Deps {
  readonly issuer: string;
  readonly spClients: SpClientStore;
  readonly seal: Seal;
  readonly keyring: Pick<Keyring, "signingKeyAt">;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether SPs at `http://localhost:PORT` are allowed: only if our own issuer is one. */
  readonly allowLoopback: boolean;
  readonly fetch: GuardedFetch;
  /** Not limited per host: for requests that were counted before, and for SPs with valid metadata before. */
  readonly fetchAgain: GuardedFetch;
}

/** For requests to an SP as its client. The signal limits their time. */
export interface RequestContext
  extends Pick<Deps, "issuer" | "keyring" | "clock" | "allowLoopback" | "fetch"> {
  readonly signal: AbortSignal;
}
