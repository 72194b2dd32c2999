// The store's verbs on keys and on facts about the installation.

export interface KeyRow {
  readonly purpose: string;
  readonly id: number;
  readonly sealed: string;
  readonly currentFrom: number;
}

export interface KeyStore {
  readKeys(): Promise<readonly KeyRow[]>;
  /** Adds the key unless its purpose and id are taken: of racing first starts one wins. */
  addKey(key: KeyRow): Promise<void>;
  /** Sets a fact about the installation if it is not set; gives back what stands. */
  claimFact(name: string, value: string): Promise<string>;
}
