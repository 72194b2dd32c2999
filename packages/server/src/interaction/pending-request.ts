// The authorization request, as far as the steps between the person and us need it.

import type { StatementWanted } from "../federation/authorization-request.ts";

/** As much of an authorization request as the steps between the person and us need to know. */
export interface PendingRequest {
  /** The query that it came with; reading it again gives the same request. */
  readonly query: string;
  readonly clientId: string;
  readonly clientName: string;
  /** The host of the proven redirect_uri. */
  readonly clientHost: string;
  /** The host of the app that this is for: the word of a client that is a service itself. */
  readonly finalHost?: string | undefined;
  /** False if the client found us in the domain's record: then nobody else can be meant. */
  readonly mayFederate: boolean;
  readonly consent: "never" | "first" | "always";
  readonly scopes: readonly string[];
  readonly prompt: ReadonlySet<string>;
  /** Seconds that an authentication may be old. */
  readonly maxAge: number | undefined;
  /** What an SP of this kind is asked to have the owner sign; null for a client that wants no proof. */
  readonly statementWanted: StatementWanted | null;
  /** The way back to the client without signing in: its redirect_uri with `access_denied`. */
  readonly backToApp: string;
}
