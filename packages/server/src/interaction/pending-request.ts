// The part of an authorization request that the steps of an interaction need.

import type { StatementWanted } from "../federation/authorization-request.ts";
import type { ShownClient } from "../pages/layout.ts";

export interface PendingRequest extends ShownClient {
  /** The original query. Parsing it again gives the same request. */
  readonly query: string;
  readonly clientId: string;
  /** False if the client found us in the domain's record, which then must not name another SP. */
  readonly mayFederate: boolean;
  readonly consent: "never" | "first" | "always";
  readonly scopes: readonly string[];
  readonly prompt: ReadonlySet<string>;
  /** In seconds (OIDC Core §3.1.2.1). */
  readonly maxAge: number | undefined;
  /** The owner statement that an external SP is asked for; null if the client wants no proof. */
  readonly statementWanted: StatementWanted | null;
}
