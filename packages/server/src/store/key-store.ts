// The store's verbs on keys and on facts about the installation.

export interface KeyRow {
  readonly purpose: string;
  readonly id: number;
  readonly sealed: string;
  /** Epoch seconds from which on it is the current one. */
  readonly currentFrom: number;
  /** In epoch seconds; null for a key of a version that did not note it. */
  readonly madeAt: number | null;
}

export interface KeyStore {
  /** All keys, by purpose and then by id. */
  readKeys(): Promise<readonly KeyRow[]>;
  /**
   * Adds the key unless its purpose and id are taken: of racing first starts, and of racing
   * rotations, one wins. True for the one call that added it.
   */
  addKey(key: KeyRow): Promise<boolean>;
  /**
   * Replaces what is sealed if it still is what was read: of nodes that seal one key anew one gets
   * true. The key itself stays the same.
   */
  resealKey(key: { purpose: string; id: number; from: string; to: string }): Promise<boolean>;
  /**
   * Removes the keys of a purpose that have a successor which was current by then: never the current
   * one. Each is counted by one caller.
   */
  removeRetiredKeys(purpose: string, successorCurrentBy: number): Promise<number>;
  /** Sets a fact about the installation if it is not set; gives back what stands. */
  claimFact(name: string, value: string): Promise<string>;
}
