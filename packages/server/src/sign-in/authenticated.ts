// The owner is authenticated: notes it in the interaction and remembers the browser.

import type { HttpResponse } from "../http/message.ts";
import { advance, type OpenInteraction } from "../interaction/interaction.ts";
import type { SignInParts } from "../interaction/parts.ts";
import { startSession } from "../interaction/session.ts";
import type { Account } from "../store/accounts.ts";

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
  parts: SignInParts,
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
