// The request for a passkey: what pages pass to the browser, and the challenge of the page that asks for a domain.

import type { CookieSeal } from "../keys/cookie-seal.ts";
import type { Clock } from "../lib/clock.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import { memoize } from "../lib/memoize.ts";
import { type Random, randomText, sha256 } from "../lib/random.ts";

/** How long a person has for a ceremony. Its challenge is valid for as long. */
export const CEREMONY_LIFETIME_S = 300;

/**
 * The options of `navigator.credentials.get()` in their JSON form (`PublicKeyCredentialRequestOptionsJSON`).
 * The list of credentials is empty, so that a page does not disclose whether a domain has passkeys, and which.
 */
export function assertionOptions({ issuer, challenge }: { issuer: string; challenge: string }) {
  return {
    challenge,
    rpId: hostnameOf(issuer),
    timeout: CEREMONY_LIFETIME_S * 1000,
    userVerification: "required",
    allowCredentials: [],
  };
}

/** A process has one issuer. */
const hostnameOf = memoize((issuer) => new URL(issuer).hostname);

/** What a challenge is made for: the query of a request, and the value of the browser's cookie. */
interface About {
  readonly query: string;
  readonly browser: string;
}

type ChallengeDeps = {
  readonly challengeSeal: CookieSeal;
  readonly clock: Clock;
};

/**
 * A challenge for the page that asks for a domain, in base64url: the time and 96 random bits, with a MAC. It is not
 * stored, so the caller must record its use.
 */
export function newChallenge(
  about: About,
  { challengeSeal, clock, random }: ChallengeDeps & { readonly random: Random },
): string {
  const content = `${clock.seconds()}.${randomText(random, 12)}`;
  return challengeSeal.sign(labelOf(about), Buffer.from(content));
}

/** Whether the challenge was made here, for this request and browser, in the last five minutes. */
export async function isFreshChallenge(
  challenge: string,
  about: About,
  { challengeSeal, clock }: ChallengeDeps,
): Promise<boolean> {
  const made = await challengeSeal.verified(labelOf(about), challenge);
  if (made === null) return false;
  const age = clock.seconds() - Number.parseInt(made.toString(), 10);
  return age < CEREMONY_LIFETIME_S && age >= -CLOCK_TOLERANCE_S;
}

function labelOf({ query, browser }: About): string {
  return `${sha256(query)} ${browser}`;
}
