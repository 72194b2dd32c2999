// Records a successful authentication in the interaction, and starts a session.

import type { HttpResponse } from "../http/message.ts";
import type { Flow } from "../interaction/flow.ts";
import type { InteractionContext } from "../interaction/interaction.ts";
import { PageError } from "../interaction/pending-request.ts";
import type { Clock } from "../lib/clock.ts";
import { type Random, randomText } from "../lib/random.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import type { Account } from "../store/accounts.ts";
import type { Proving } from "../store/interaction-row.ts";
import type { InteractionStore } from "../store/interactions.ts";
import type { SessionStore } from "../store/sessions.ts";
import type { Events } from "../telemetry/events.ts";

export interface Deps {
  readonly flow: Flow;
  readonly interactions: InteractionStore;
  readonly sessions: SessionStore;
  readonly browserSessions: BrowserSessions;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}

/** What the owner has proved. */
export interface Proof {
  readonly account: Account;
  readonly amr: string;
  readonly cookies?: readonly string[];
  /** Epoch seconds of the authentication and of the DNS lookup; now by default. */
  readonly authTime?: number;
  readonly controlCheckedAt?: number;
  /** JSON of the proofs for this request. */
  readonly proofs?: string | null;
  /** The proof counts only in a browser that the account knows. */
  readonly inKnownBrowser?: boolean;
  /** The set of recovery codes that the next step offers to replace. */
  readonly codesOfferedFrom?: string | null;
  /** The hash of the recovery code that this authentication uses up. It counts only if nothing else has used it. */
  readonly usedCode?: string | null;
  /** `asked` if the account has passkeys, and none of them was used. */
  readonly recovery?: "asked" | null;
}

export type FinishAuthentication = ReturnType<typeof createFinishAuthentication>;

export function createFinishAuthentication(deps: Deps) {
  const { flow, interactions, sessions, browserSessions, clock, random, events } = deps;

  /** Only the first call for an interaction counts; a second one just continues with the next step. */
  return async (
    { http, interaction, request }: InteractionContext<Proving>,
    { account, cookies = [], inKnownBrowser = false, ...proof }: Proof,
  ): Promise<HttpResponse> => {
    const now = clock.seconds();
    const { id: accountId, domain } = account;
    const { amr, authTime = now, controlCheckedAt = now, usedCode = null } = proof;
    const authentication = { accountId, authTime, amr, controlCheckedAt };
    const formerHash = browserSessions.formerHash(http, accountId);
    const result = { ...proof, ...authentication, sid: randomText(random, 16), formerHash };
    // Before the session, so that calls that are too late leave none behind: nobody would have its secret.
    const updated = await interactions.authenticate(interaction, result, now);
    if (updated === null) {
      const current = (await interactions.readInteraction(interaction.id)) ?? interaction;
      return flow.next({ interaction: current, request }, cookies);
    }
    if (usedCode !== null) events.recoveryCodeUsed({ accountId, domain });
    const started = { ...authentication, sid: updated.progress.sid };
    const { sid, isNewBrowser, setCookies } = await browserSessions.start(http, started);
    // After the session is stored: a sign-out everywhere in the meantime either ends it, or is seen here.
    if (inKnownBrowser && !(await browserSessions.isKnown(http, account))) {
      await sessions.endSession({ sid, accountId }, "elsewhere", now);
      throw new PageError(400, "signedOut", request);
    }
    if (isNewBrowser) {
      await sessions.noticeOthers({ accountId, sid, at: now });
      if (updated.progress.method !== "dns-setup") events.browserAdded({ accountId, domain });
    }
    events.signedIn({ accountId, domain, clientId: request.clientId, amr });
    return flow.next({ interaction: updated, request }, [...setCookies, ...cookies]);
  };
}
