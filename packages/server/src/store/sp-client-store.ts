// The store's verbs on how this service is registered as a client of external service providers.

/** One registration. Its `settings` are the JSON of `federation/sp-client`, and hold no secret. */
export interface SpClientRow {
  readonly issuer: string;
  /** Who made it: the operator by hand, or the service itself (RFC 7591). */
  readonly source: "operator" | "registered";
  readonly clientId: string;
  readonly settings: string;
  readonly sealedSecret: string | null;
  readonly madeAt: number;
}

export interface SpClientStore {
  /** At most one of each source. */
  findSpClients(issuer: string): Promise<readonly SpClientRow[]>;
  /** All of them, by issuer and then by source. */
  listSpClients(): Promise<readonly SpClientRow[]>;
  /** Sets the registration of its source, whatever stood there. */
  putSpClient(row: SpClientRow): Promise<void>;
  /** Adds it unless there is one. Of nodes that registered at once all get the one that stands. */
  addSpClient(row: SpClientRow): Promise<SpClientRow>;
  /** Replaces the registration if its `client_id` still is `formerClientId`: one caller gets true. */
  replaceSpClient(row: SpClientRow, formerClientId: string): Promise<boolean>;
  /** True for the one call that removed it. */
  removeSpClient(issuer: string, source: SpClientRow["source"]): Promise<boolean>;
}
