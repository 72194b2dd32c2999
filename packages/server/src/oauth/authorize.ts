// The authorization endpoint: proves the request and shows the first page. A GET writes nothing.

import type { Exchange } from "../http/channels.ts";
import { FormError, readForm } from "../http/form.ts";
import { page, seeOther } from "../http/headers.ts";
import { consentNeeded } from "../interaction/consent-needed.ts";
import { readDomain } from "../interaction/domain-name.ts";
import { browserCookie } from "../interaction/interaction.ts";
import { UntrustedRequestError } from "../interaction/page-error.ts";
import { pagesFor } from "../interaction/pages-for.ts";
import { findSession, keepSession, type LiveSession } from "../interaction/session.ts";
import { UnavailableError } from "../lib/errors.ts";
import { newGrantId } from "../lib/grant-id.ts";
import { continuePage } from "../pages/continue.ts";
import { domainPage } from "../pages/domain.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { issueCode } from "./authorization-response.ts";
import { AuthorizationError } from "./errors.ts";
import type { OAuthParts } from "./parts.ts";

/** GET /oauth/authorize */
export function authorizationEndpoint(parts: OAuthParts) {
  return async (exchange: Exchange): Promise<Response> => {
    const request = await parts.readRequest(exchange.query, exchange.clientAddress);
    if (request.prompt.has("none")) {
      return answerSilently(exchange, request, parts).catch((error) => {
        throw toldToClient(error, request, exchange, parts);
      });
    }
    const { query, clientName, clientHost, finalHost, backToApp } = request;
    const live = request.prompt.has("select_account")
      ? null
      : await sessionFor(exchange, request, parts);
    if (live === null) {
      return page(
        200,
        domainPage(await pagesFor(exchange), {
          clientName,
          clientHost,
          finalHost,
          backToApp,
          action: `/sign-in?${query}`,
          value: request.loginHint?.slice(0, 300),
        }),
        // From the first page on, so that two tabs do not begin as two browsers.
        { "set-cookie": browserCookie(exchange, parts).cookie },
      );
    }
    return page(
      200,
      continuePage(await pagesFor(exchange), {
        domain: live.account.domain,
        clientName,
        clientHost,
        finalHost,
        backToApp,
        continueAction: `/sign-in/continue?${query}`,
        otherAction: `/sign-in/other?${query}`,
      }),
    );
  };
}

/** The session that counts for the request: of no other domain than its `login_hint` names, if of any. */
async function sessionFor(
  exchange: Exchange,
  request: AuthorizationRequest,
  parts: OAuthParts,
): Promise<LiveSession | null> {
  const live = await findSession(exchange, request, parts);
  if (live === null || request.loginHint === undefined) return live;
  const hint = readDomain(request.loginHint, parts.domainNames);
  return hint.ok && hint.domain !== live.account.domain ? null : live;
}

/**
 * POST /oauth/authorize (OIDC Core §3.1.2.1): the same request as a GET. A post from another site
 * carries no Lax cookie, so it is not answered itself.
 */
export async function postedAuthorizationRequest({ request }: Exchange): Promise<Response> {
  try {
    const { values, repeated } = await readForm(request);
    const query = new URLSearchParams([...values]);
    // What was repeated stays so, and gets the answer that it gets in a GET.
    for (const name of [...repeated, ...repeated]) query.append(name, "");
    return seeOther(`/oauth/authorize?${query}`);
  } catch (error) {
    if (error instanceof FormError) throw new UntrustedRequestError("malformedRequest");
    throw error;
  }
}

/** Nobody is in front of a silent request: the client has to hear of a failure of ours, too. */
function toldToClient(
  error: unknown,
  { target }: AuthorizationRequest,
  { path }: Exchange,
  { events }: OAuthParts,
): AuthorizationError {
  if (error instanceof AuthorizationError) return error;
  events.failed({ path, cause: error });
  return error instanceof UnavailableError
    ? new AuthorizationError(target, "temporarily_unavailable", "try again in a moment")
    : new AuthorizationError(target, "server_error", "something went wrong on our side");
}

/** `prompt=none`: a code from the session alone, or an error that says what a page would ask for. */
async function answerSilently(
  exchange: Exchange,
  request: AuthorizationRequest,
  parts: OAuthParts,
): Promise<Response> {
  const { target } = request;
  const live = await sessionFor(exchange, request, parts);
  if (live === null) throw new AuthorizationError(target, "login_required", "nobody is signed in");
  const { session, account } = live;
  const { control, checkedAt } = await parts.control.look(account);
  if (control === "unknown") {
    throw new AuthorizationError(
      target,
      "temporarily_unavailable",
      "the domain's DNS does not answer",
    );
  }
  if (control === "lost") {
    throw new AuthorizationError(target, "login_required", "the zone no longer names the account");
  }
  if (await consentNeeded(parts.store, account.id, request)) {
    throw new AuthorizationError(target, "consent_required", "the person has not allowed this yet");
  }
  await keepSession(session, parts);
  return issueCode(
    {
      grantId: newGrantId(parts.clock, parts.random),
      accountId: account.id,
      authTime: session.authTime,
      amr: session.amr,
      controlCheckedAt: checkedAt,
    },
    request,
    parts,
  );
}
