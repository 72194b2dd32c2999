// The statement about an authorization request that an owner's passkey signs, and until when the signature counts.

import type { PendingRequest } from "../interaction/pending-request.ts";
import type { Clock } from "../lib/clock.ts";
import { type Random, randomText } from "../lib/random.ts";
import { CEREMONY_LIFETIME_S } from "../passkeys/challenge.ts";
import type { Ceremony } from "../store/interaction-row.ts";

export interface Deps {
  readonly issuer: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** Leaves time for consent and for a code of ten minutes; `cch` and `nonce` prevent replays. */
const STATEMENT_LIFETIME_S = 3600;

export type NewCeremony = ReturnType<typeof createNewCeremony>;

/** Returns a function that makes a new statement, as JSON; see `expectations` in the verifier. */
export function createNewCeremony({ issuer, clock, random }: Deps) {
  return (
    { ownerStatement }: PendingRequest,
    { domain, acct }: { readonly domain: string; readonly acct: string },
  ): Ceremony => {
    const now = clock.seconds();
    const { aud, redirect_uri, cch, nonce, svc } = ownerStatement ?? {};
    const bound = { aud, redirect_uri, ...(cch && { cch }), ...(nonce && { nonce }) };
    const statement = JSON.stringify({
      typ: "domain-owner-statement",
      v: 1,
      domain,
      acct,
      ...bound,
      svc: svc ?? issuer,
      sp: issuer,
      iat: now,
      exp: now + STATEMENT_LIFETIME_S,
      jti: randomText(random, 16),
    });
    return { statement, expiresAt: now + CEREMONY_LIFETIME_S };
  };
}
