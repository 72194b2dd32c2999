// The components that the account page uses. Each function picks those that it needs.

import type { Deps as InteractionDeps } from "../interaction/deps.ts";
import type { Clients } from "../oauth/client.ts";

export interface Deps extends InteractionDeps {
  readonly issuer: string;
  readonly clients: Clients;
  /** For how many days the history is kept. */
  readonly historyDays: number;
}
