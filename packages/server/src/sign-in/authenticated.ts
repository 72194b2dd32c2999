// Records a successful authentication in the interaction, and starts a session.

import type { HttpResponse } from "../http/message.ts";
import { advance, type InteractionContext } from "../interaction/interaction.ts";
import { PageError } from "../interaction/pending-request.ts";
import { randomText } from "../lib/random.ts";
import type { Account } from "../store/accounts.ts";
import type { Deps, StepDeps } from "./deps.ts";

/** Only the first call for an interaction counts; a second one just continues with the next step. */
export async function authenticated(
  { http, interaction, request }: InteractionContext,
  by: {
    account: Account;
    amr: string;
    cookies?: readonly string[];
    /** Epoch seconds of the authentication and of the DNS lookup; now by default. */
    authTime?: number;
    controlCheckedAt?: number;
    /** JSON of the proofs for this request. */
    proofs?: string | null;
    /** The statement that the passkey signed: it must still be the one that is asked for. */
    statement?: string | null;
    /** The proof counts only in a browser that the account knows. */
    inKnownBrowser?: boolean;
    /** The set of recovery codes that the next step offers to replace. */
    codesOfferedFrom?: string | null;
    /** The hash of the recovery code that this authentication uses up. It counts only if nothing else has used it. */
    usedCode?: string | null;
    /** `asked` if the account has passkeys, and none of them was used. */
    recovery?: "asked" | null;
  },
  deps: StepDeps & Pick<Deps, "events">,
): Promise<HttpResponse> {
  const { interactions, browserSessions, clock, random, events } = deps;
  const now = clock.seconds();
  const { amr, cookies = [], authTime = now, controlCheckedAt = now, proofs = null } = by;
  const { id: accountId, domain } = by.account;
  const proof = { accountId, authTime, amr, controlCheckedAt };
  const { codesOfferedFrom = null, statement = null, usedCode = null, recovery = null } = by;
  const former = {
    sid: randomText(random, 16),
    formerHash: browserSessions.formerHash(http, accountId),
  };
  const about = { proofs, codesOfferedFrom, statement, usedCode, recovery };
  const result = { ...proof, ...former, ...about };
  // Before the session, so that calls that are too late leave none behind: nobody would have its secret.
  const updated = await interactions.authenticate(interaction, result, now);
  if (updated === null) {
    const current = (await interactions.readInteraction(interaction.id)) ?? interaction;
    return advance({ interaction: current, request }, deps, cookies);
  }
  if (usedCode !== null) events.recoveryCodeUsed({ accountId, domain });
  const ofInteraction = { ...proof, sid: updated.sid };
  const { sid, isNewBrowser, setCookies } = await browserSessions.start(http, ofInteraction);
  // After the session is stored: a sign-out everywhere in the meantime either ends it, or is seen here.
  if (by.inKnownBrowser && !(await browserSessions.isKnown(http, by.account))) {
    await deps.sessions.endSession({ sid, accountId }, "elsewhere", now);
    throw new PageError(400, "signedOut", request);
  }
  if (isNewBrowser) await deps.sessions.noticeOthers({ accountId, sid, at: now });
  if (isNewBrowser && interaction.method !== "dns-setup") {
    events.browserAdded({ accountId, domain });
  }
  events.signedIn({ accountId, domain, clientId: request.clientId, amr });
  return advance({ interaction: updated, request }, deps, [...setCookies, ...cookies]);
}
