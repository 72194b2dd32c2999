// The authorization endpoint: shows the first page of a sign-in, or answers `prompt=none`.

import { readForm } from "../http/form.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import { readDomain } from "../interaction/domain-name.ts";
import { browserCookie, newGrantId, type RequestContext } from "../interaction/interaction.ts";
import { consentNeeded } from "../interaction/next-step.ts";
import { pagesFor } from "../interaction/pending-request.ts";
import { findSession, touchSession } from "../interaction/session.ts";
import { UnavailableError } from "../lib/errors.ts";
import { continuePage } from "../pages/continue.ts";
import { domainPage } from "../pages/domain.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { issueCode, type ResponseDeps } from "./authorization-response.ts";
import type { Deps } from "./deps.ts";
import { AuthorizationError, type AuthorizationErrorCode, refuseMalformed } from "./errors.ts";

type Context = RequestContext<AuthorizationRequest>;
type AuthorizeDeps = ResponseDeps &
  Pick<Deps, "sessions" | "consents" | "control" | "domainNames" | "cookies" | "random" | "events">;

export function createAuthorize(deps: AuthorizeDeps) {
  return { authorize };

  /** GET /oauth/authorize */
  async function authorize(context: Context): Promise<HttpResponse> {
    const { http, request } = context;
    if (request.prompt.has("none")) {
      return answerSilently(context, deps).catch((error) => {
        // There is no user to show a page to, so the client gets internal errors as well.
        if (error instanceof AuthorizationError) throw error;
        deps.events.failed({ path: http.path, cause: error });
        throw error instanceof UnavailableError
          ? new AuthorizationError(request.target, "temporarily_unavailable", "try again later")
          : new AuthorizationError(request.target, "server_error", "internal server error");
      });
    }
    const { query } = request;
    const pages = pagesFor(http, request);
    const mayContinue = !request.prompt.has("select_account");
    const live = mayContinue ? await sessionFor(context, deps) : null;
    if (live === null) {
      const form = { action: `/sign-in?${query}`, value: request.loginHint?.slice(0, 300) };
      // Set on the first page, so that two tabs share one browser cookie.
      const headers = { "set-cookie": browserCookie(http, deps).cookie };
      return page(200, domainPage(pages, form), headers);
    }
    const { domain } = live.account;
    const actions = {
      continueAction: `/sign-in/continue?${query}`,
      otherAction: `/sign-in/other?${query}`,
    };
    return page(200, continuePage(pages, { domain, ...actions }));
  }
}

/** The session for the request; null if `login_hint` names another domain. */
async function sessionFor({ http, request }: Context, deps: AuthorizeDeps) {
  const live = await findSession(http, request, deps);
  if (live === null || request.loginHint === undefined) return live;
  const hint = readDomain(request.loginHint, deps.domainNames);
  return hint.ok && hint.domain !== live.account.domain ? null : live;
}

/**
 * POST /oauth/authorize (OIDC Core §3.1.2.1) redirects to the same request as a GET, because a post
 * from another site does not carry our SameSite=Lax cookies.
 */
export async function redirectPostedRequest(http: HttpRequest): Promise<HttpResponse> {
  const { values, repeated } = await readForm(http).catch(refuseMalformed);
  const query = new URLSearchParams([...values]);
  // Keeps duplicate parameters duplicate, so that the GET refuses them.
  for (const name of [...repeated, ...repeated]) query.append(name, "");
  return seeOther(`/oauth/authorize?${query}`);
}

/** `prompt=none`: issues a code from the session, or throws `AuthorizationError`. */
async function answerSilently(context: Context, deps: AuthorizeDeps): Promise<HttpResponse> {
  const { request } = context;
  const refuse = (code: AuthorizationErrorCode, description: string) =>
    new AuthorizationError(request.target, code, description);
  const live = await sessionFor(context, deps);
  if (live === null) throw refuse("login_required", "no user is signed in");
  const { session, account } = live;
  const result = await deps.control.check(account);
  if (result.control === "unknown") {
    throw refuse("temporarily_unavailable", "the DNS lookup for the domain failed");
  }
  if (result.control === "lost") {
    throw refuse("login_required", "the DNS record of the domain no longer names the account");
  }
  if (await consentNeeded(deps.consents, account.id, request)) {
    throw refuse("consent_required", "the user has not consented to this request");
  }
  await touchSession(session, deps);
  const { authTime, amr } = session;
  const proof = {
    grantId: newGrantId(deps.clock, deps.random),
    accountId: account.id,
    authTime,
    amr,
    controlCheckedAt: result.checkedAt,
  };
  return issueCode(proof, context, deps);
}
