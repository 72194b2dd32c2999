// "Continue as": signs in with the session of the browser, if the record still names its account.

import type { HttpResponse } from "../http/message.ts";
import { seeOther } from "../http/responses.ts";
import { beginInteraction, type RequestContext } from "../interaction/interaction.ts";
import { findSession, touchSession } from "../interaction/session.ts";
import type { Deps, InteractionUse } from "./deps.ts";
import { dnsFailed } from "./dns-failed.ts";

type ContinueDeps = InteractionUse & Pick<Deps, "control">;

export function createContinue(deps: ContinueDeps) {
  return {
    continueSession: (context: RequestContext) => continueSession(context, deps),
  };
}

/** POST /sign-in/continue with the authorization request's query. */
async function continueSession(context: RequestContext, deps: ContinueDeps): Promise<HttpResponse> {
  const { http, request } = context;
  const live = await findSession(http, request, deps);
  const firstPage = `/oauth/authorize?${http.query}`;
  if (live === null) return seeOther(firstPage);
  const { session, account } = live;
  const result = await deps.control.check(account);
  switch (result.control) {
    case "unknown":
      return dnsFailed(context, { domain: account.domain, failure: result.failure });
    case "lost":
      // The account is asleep now, so the first page asks for a domain.
      return seeOther(firstPage);
    case "held": {
      await touchSession(session, deps);
      const { authTime, amr } = session;
      const proof = { accountId: account.id, authTime, amr, controlCheckedAt: result.checkedAt };
      return beginInteraction(
        context,
        { domain: account.domain, method: "session", acct: account.acct, proof },
        deps,
      );
    }
  }
}
