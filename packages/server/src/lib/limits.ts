// How much of each kind strangers can use together, and the settings for it.

/** Each is shared so that the largest user gives way; docs/storage.md has the arithmetic. */
export interface Limits {
  /** Octets of pending sign-ins that nobody has proved. */
  readonly unprovedRows: number;
  /** Requests for pages that wait. */
  readonly pagesWaiting: number;
  /** Questions to the zones' own name servers, in a minute. */
  readonly nameServerQuestions: number;
  /** Look-ups in DNS at once. */
  readonly lookUps: number;
  /** Requests to other hosts at once. */
  readonly outgoing: number;
  /** Clients that registered themselves, and that nobody has signed in to. */
  readonly unusedClients: number;
}

export const LIMITS: Limits = {
  unprovedRows: 200_000_000,
  pagesWaiting: 4096,
  nameServerQuestions: 6000,
  lookUps: 128,
  outgoing: 128,
  unusedClients: 5000,
};
