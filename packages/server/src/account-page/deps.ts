// The components that the account page uses. Each function picks those that it needs.

import type { Clients } from "../clients/client.ts";
import type { Deps as InteractionDeps } from "../interaction/deps.ts";

export interface Deps extends InteractionDeps {
  readonly issuer: string;
  readonly clients: Clients;
  /** For how many days the history is kept. */
  readonly historyDays: number;
}
