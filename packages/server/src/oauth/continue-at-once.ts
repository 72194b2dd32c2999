// `Continue` with a session: the code at once, if no step is left. Otherwise, the sign-in gets a row.

import { isAccountClient } from "../clients/account-client.ts";
import type { HttpResponse } from "../http/message.ts";
import type { RequestContext } from "../interaction/interaction.ts";
import { isConsentNeeded } from "../interaction/next-step.ts";
import { PageError } from "../interaction/pending-request.ts";
import type { BrowserSessions, LiveSession } from "../sessions/browser-sessions.ts";
import type { ConsentStore } from "../store/consents.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import type { IssueCode } from "./authorization-response.ts";

interface Deps {
  readonly issuer: string;
  readonly issueCode: IssueCode;
  readonly browserSessions: BrowserSessions;
  readonly consents: ConsentStore;
}

/** A session that the person continues, whose record was seen at `controlCheckedAt` (epoch seconds). */
export interface ContinuedSession {
  readonly live: LiveSession;
  readonly grantId: string;
  readonly controlCheckedAt: number;
}

export type ContinueAtOnce = ReturnType<typeof createContinueAtOnce>["continueAtOnce"];

export function createContinueAtOnce({ issuer, issueCode, browserSessions, consents }: Deps) {
  return {
    /**
     * Issues a code in one commit, which requires what was read here: the session, its account, and the consent. Null if
     * a step is left or the code cannot be issued: the sign-in then gets a row, whose pages say why.
     */
    async continueAtOnce(
      { http, request }: RequestContext<AuthorizationRequest>,
      { live, grantId, controlCheckedAt }: ContinuedSession,
    ): Promise<HttpResponse | null> {
      const { session, account, consented } = live;
      const hasStep = session.noticesFrom !== null || isConsentNeeded(request, consented);
      const { client } = request;
      // A change of the account goes on within the row.
      if (hasStep || isAccountClient(client, issuer)) return null;
      // Another app on the device can claim the address of a native app.
      if (client.application_type === "native") return null;
      const { id: accountId } = account;
      const { authTime, amr, sid } = session;
      const { clientId, permissions: scopes, consent } = request;
      const others =
        consent === "never"
          ? browserSessions.useOf(session)
          : [
              ...browserSessions.useOf(session),
              consents.requireConsent({ accountId, clientId, scopes }),
            ];
      const proof = { accountId, authTime, amr, sid, grantId, controlCheckedAt, others };
      const interaction = { id: null, decision: null };
      try {
        const response = await issueCode({ ...proof, interaction }, { http, request, account });
        return response.status === 303 ? response : null;
      } catch (error) {
        // What was read no longer holds, or the code of this page was used.
        if (error instanceof PageError) return null;
        throw error;
      }
    },
  };
}
