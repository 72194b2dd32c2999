// The store's verbs on evidence: what was seen in DNS when a grant was issued, kept beside the grant.

/** `body` is JSON that `oauth/evidence` writes and reads. */
export interface Evidence {
  readonly grantId: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly body: string;
}

export interface EvidenceStore {
  /** Keeps the evidence for a grant; of several calls with one id the first counts. */
  keepEvidence(evidence: Evidence): Promise<void>;
  /** Null once it has expired, whether or not it was removed. */
  readEvidence(grantId: string, now: number): Promise<Evidence | null>;
}
