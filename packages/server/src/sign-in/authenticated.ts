// Records a successful authentication in the interaction, and starts a session.

import type { Cookies } from "../http/cookies.ts";
import type { HttpResponse } from "../http/message.ts";
import { advance, type OpenInteraction } from "../interaction/interaction.ts";
import { startSession } from "../interaction/session.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { Account } from "../store/accounts.ts";
import type { Aggregates, Store } from "../store/store.ts";
import type { Events } from "../telemetry/events.ts";

interface Deps extends Aggregates {
  readonly store: Store;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}

/** Only the first call for an interaction counts; a second one just continues with the next step. */
export async function authenticated(
  { interaction, request }: OpenInteraction,
  by: {
    account: Account;
    amr: string;
    cookies: readonly string[];
    /** Epoch seconds of the authentication and of the DNS lookup; now by default. */
    authTime?: number;
    controlCheckedAt?: number;
    /** JSON of the owner proof for this request. */
    ownerProof?: string | null;
  },
  deps: Deps,
): Promise<HttpResponse> {
  const { store, clock, events } = deps;
  const now = clock.seconds();
  const { account, amr, authTime = now, controlCheckedAt = now, ownerProof = null } = by;
  const proof = { accountId: account.id, authTime, amr, controlCheckedAt, ownerProof };
  const updated = await store.authenticate(interaction.id, proof, now);
  if (updated === null) {
    const current = (await store.readInteraction(interaction.id)) ?? interaction;
    return advance({ interaction: current, request }, deps, by.cookies);
  }
  events.signedIn({
    accountId: account.id,
    domain: account.domain,
    clientId: request.clientId,
    amr,
  });
  const session = await startSession(proof, deps);
  return advance({ interaction: updated, request }, deps, [session, ...by.cookies]);
}
