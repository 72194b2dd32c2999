// What the work with external service providers is given to work with.

import type { Keyring } from "../keys/keyring.ts";
import type { Seal } from "../keys/seal.ts";
import type { Clock } from "../lib/clock.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import type { SpClientStore } from "../store/sp-clients.ts";

export interface FederationParts {
  readonly issuer: string;
  readonly store: SpClientStore;
  readonly seal: Seal;
  readonly keyring: Pick<Keyring, "signingKeyAt">;
  readonly fetch: GuardedFetch;
  /** The same, for what is counted already, or is asked again of whoever was good before. */
  readonly fetchAgain?: GuardedFetch;
  readonly clock: Clock;
  /** Whether an SP at `http://localhost:PORT` is let in: only beside an issuer of that kind. */
  readonly allowLoopback: boolean;
}
