// The store's verbs on domains whose records were seen with a chain of signatures from the root.

/** Times are epoch seconds. */
export interface SecureDomain {
  readonly domain: string;
  /** When a chain was last verified. */
  readonly secureAt: number;
  /** Since when everybody who could know says that it is no longer signed; null: nobody does. */
  readonly unsignedAt: number | null;
}

export interface SecureDomainStore {
  /** Notes that a chain was verified; never moves the time back, and ends a release under way. */
  noteSecure(domain: string, now: number): Promise<void>;
  findSecureDomain(domain: string): Promise<SecureDomain | null>;
  /** Notes that everybody said so when asked at `now`. The first such time since the last chain stands. */
  noteUnsigned(domain: string, now: number): Promise<void>;
  /**
   * Forgets that the domain was secure, if nobody has seen a chain since and it has been told unsigned
   * since `unsignedBefore` or longer. True for the one call that did.
   */
  releaseSecureDomain(domain: string, unsignedBefore: number): Promise<boolean>;
}
