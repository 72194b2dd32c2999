// "Continue as": the browser's session answers, if the zone still names its account.

import type { Exchange } from "../http/channels.ts";
import { seeOther } from "../http/headers.ts";
import { beginInteraction, requireSameOrigin } from "../interaction/interaction.ts";
import type { SignInParts } from "../interaction/parts.ts";
import { findSession, keepSession } from "../interaction/session.ts";
import { dnsFailed } from "./dns-failed.ts";

/** POST /sign-in/continue with the authorization request's query. */
export function continueSession(parts: SignInParts) {
  return async (exchange: Exchange): Promise<Response> => {
    requireSameOrigin(exchange, parts);
    const request = await parts.readRequest(exchange.query, exchange.clientAddress);
    const live = await findSession(exchange, request, parts);
    const firstPage = `/oauth/authorize?${exchange.query}`;
    if (live === null) return seeOther(firstPage);
    const { session, account } = live;
    const looked = await parts.control.look(account);
    switch (looked.control) {
      case "unknown":
        return dnsFailed(exchange, request, { domain: account.domain, failure: looked.failure });
      case "lost":
        // The account sleeps now, so the first page asks for a domain.
        return seeOther(firstPage);
      case "held": {
        await keepSession(session, parts);
        const { authTime, amr } = session;
        const proof = { accountId: account.id, authTime, amr, controlCheckedAt: looked.checkedAt };
        return beginInteraction(
          exchange,
          request,
          { domain: account.domain, method: "session", acct: account.acct, proof },
          parts,
        );
      }
    }
  };
}
