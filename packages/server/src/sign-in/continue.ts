// "Continue as": signs in with the session of the browser, if the record still names its account.

import type { Cookies } from "../http/cookies.ts";
import type { HttpResponse } from "../http/message.ts";
import { seeOther } from "../http/responses.ts";
import type { Control } from "../interaction/control.ts";
import { beginInteraction, type RequestContext } from "../interaction/interaction.ts";
import { findSession, touchSession } from "../interaction/session.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { Aggregates, Store } from "../store/store.ts";
import { dnsFailed } from "./dns-failed.ts";

interface Deps extends Aggregates {
  readonly store: Store;
  readonly cookies: Cookies;
  readonly control: Control;
  readonly clock: Clock;
  readonly random: Random;
}

export function createContinue(deps: Deps) {
  return {
    continueSession: (context: RequestContext) => continueSession(context, deps),
  };
}

/** POST /sign-in/continue with the authorization request's query. */
async function continueSession(context: RequestContext, deps: Deps): Promise<HttpResponse> {
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
        { domain: account.domain, method: "session", acct: account.acct, ...proof },
        deps,
      );
    }
  }
}
