// What the pages of a sign-in are given to work with.

import type { Diagnoses } from "../dns/diagnosis.ts";
import type { SpRecords } from "../dns/sp-record.ts";
import type { StatementWanted } from "../federation/authorization-url.ts";
import type { Federation } from "../federation/federation.ts";
import type { Cookies } from "../http/cookies.ts";
import type { Clock } from "../lib/clock.ts";
import type { Events } from "../lib/events.ts";
import type { Random } from "../lib/random.ts";
import type { Store } from "../store/store.ts";
import type { Control } from "./control.ts";
import type { DomainNameOptions } from "./domain-name.ts";

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

export interface SignInParts<R extends PendingRequest = PendingRequest> {
  readonly issuer: string;
  readonly store: Store;
  readonly spRecords: SpRecords;
  readonly diagnoses: Diagnoses;
  readonly control: Control;
  /**
   * Validates an authorization request, and throws what its endpoint would throw. `askedBy` is the
   * address of one that no open sign-in is for.
   */
  readonly readRequest: (query: string, askedBy?: string) => Promise<R>;
  readonly cookies: Cookies;
  readonly federation: Federation;
  /** Thumbprint of the key for owners' statements that new records list. */
  readonly statementJkt: () => string;
  readonly domainNames: DomainNameOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}
