// The owner is authenticated: notes it in the interaction and remembers the browser.

import type { Cookies } from "../http/cookies.ts";
import type { HttpResponse } from "../http/message.ts";
import { advance, type OpenInteraction } from "../interaction/interaction.ts";
import { startSession } from "../interaction/session.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { Account } from "../store/accounts.ts";
import type { ConsentStore } from "../store/consents.ts";
import type { InteractionStore } from "../store/interactions.ts";
import type { SessionStore } from "../store/sessions.ts";
import type { Events } from "../telemetry/events.ts";

interface Deps {
  readonly store: InteractionStore & ConsentStore & SessionStore;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}

/** Of a double click the first counts; the second only goes on to the next step. */
export async function authenticated(
  { interaction, request }: OpenInteraction,
  by: {
    account: Account;
    amr: string;
    cookies: readonly string[];
    /** When that was, and when DNS was asked: now, unless it is said. */
    authTime?: number;
    controlCheckedAt?: number;
    /** JSON of the owner's signature over this request. */
    ownerProof?: string | null;
  },
  parts: Deps,
): Promise<HttpResponse> {
  const { store, clock, events } = parts;
  const now = clock.seconds();
  const { account, amr, authTime = now, controlCheckedAt = now, ownerProof = null } = by;
  const proof = { accountId: account.id, authTime, amr, controlCheckedAt, ownerProof };
  const noted = await store.authenticate(interaction.id, proof, now);
  if (noted === null) {
    const standing = (await store.readInteraction(interaction.id)) ?? interaction;
    return advance({ interaction: standing, request }, parts, by.cookies);
  }
  events.signedIn({
    accountId: account.id,
    domain: account.domain,
    clientId: request.clientId,
    amr,
  });
  const session = await startSession(proof, parts);
  return advance({ interaction: noted, request }, parts, [session, ...by.cookies]);
}
