// The authorization request, as far as the steps between the person and us need it.

import type { StatementWanted } from "../federation/authorization-request.ts";
import type { ShownClient } from "../pages/layout.ts";

/** As much of an authorization request as the steps between the person and us need to know. */
export interface PendingRequest extends ShownClient {
  /** The query that it came with; reading it again gives the same request. */
  readonly query: string;
  readonly clientId: string;
  /** False if the client found us in the domain's record: then nobody else can be meant. */
  readonly mayFederate: boolean;
  readonly consent: "never" | "first" | "always";
  readonly scopes: readonly string[];
  readonly prompt: ReadonlySet<string>;
  /** Seconds that an authentication may be old. */
  readonly maxAge: number | undefined;
  /** What an SP of this kind is asked to have the owner sign; null for a client that wants no proof. */
  readonly statementWanted: StatementWanted | null;
}
