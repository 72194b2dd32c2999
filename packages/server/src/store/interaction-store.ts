// The store's verbs on interactions: each of their answers is recorded once.

/** One pending authorization in one browser tab. */
export interface Interaction {
  readonly id: string;
  /** Hash of the cookie of the browser that it belongs to. */
  readonly browserHash: string;
  readonly clientId: string;
  /** The authorization request's query, as it came. */
  readonly query: string;
  readonly domain: string;
  /** How the owner is to be authenticated. */
  readonly method: "session" | "dns-setup" | "dns-challenge" | "external";
  /** The `acct` that the zone must name; null while a set-up may still choose it. */
  readonly acct: string | null;
  /** The value awaited in the challenge record (`dns-challenge` only). */
  readonly challenge: string | null;
  /** How far a sign-in at an external SP is (`external` only): the JSON of `federation`. */
  readonly external: string | null;
  readonly grantId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Set once, together, when the owner is authenticated. */
  readonly accountId: string | null;
  readonly authTime: number | null;
  readonly amr: string | null;
  readonly controlCheckedAt: number | null;
  /** JSON of the owner's own signature over this very request, where the sign-in had one. */
  readonly ownerProof: string | null;
  /** Set once, when the person answers. */
  readonly decision: "allow" | "deny" | null;
}

/** What the person proved in a step. */
export interface Authentication {
  readonly accountId: string;
  readonly authTime: number;
  readonly amr: string;
  readonly controlCheckedAt: number;
}

export interface InteractionStore {
  beginInteraction(interaction: Interaction): Promise<void>;
  readInteraction(id: string): Promise<Interaction | null>;
  /** Records who was authenticated. Only the first call counts; null if there was one before. */
  authenticate(
    id: string,
    proof: Authentication & Partial<Pick<Interaction, "ownerProof">>,
    now: number,
  ): Promise<Interaction | null>;
  /**
   * Moves a sign-in at an external SP on, if it still is where it was read to be: of racing callers one
   * gets the row. Null if nothing changed, or once somebody was authenticated.
   */
  changeExternal(
    id: string,
    change: { from: string | null; to: string },
    now: number,
  ): Promise<Interaction | null>;
  /** Gives up proving an account and sets up a new one. Null once somebody was authenticated. */
  switchToSetUp(id: string, now: number): Promise<Interaction | null>;
  /** Records the person's answer. Only the first call counts; null if there was one before. */
  decide(id: string, decision: "allow" | "deny", now: number): Promise<Interaction | null>;
}
