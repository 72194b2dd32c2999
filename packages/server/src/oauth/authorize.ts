// The authorization endpoint: shows the first page of a sign-in, or answers `prompt=none`.

import { readDomain } from "../account/domain-name.ts";
import { subjectOf } from "../clients/client.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import type { ShowDomainForm } from "../interaction/domain-form.ts";
import type { RequestContext } from "../interaction/interaction.ts";
import { consentNeeded } from "../interaction/next-step.ts";
import { pagesFor } from "../interaction/pending-request.ts";
import { UnavailableError } from "../lib/errors.ts";
import { timeOrderedId } from "../lib/random.ts";
import type { AccountNews } from "../pages/account-events.ts";
import { continuePage } from "../pages/continue.ts";
import type { LiveSession } from "../sessions/browser-sessions.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { issueCode, type ResponseDeps } from "./authorization-response.ts";
import type { Deps } from "./deps.ts";
import {
  AuthorizationError,
  type AuthorizationErrorCode,
  readPostedQuery,
} from "./protocol-errors.ts";
import type { Statements } from "./statements.ts";

type Context = RequestContext<AuthorizationRequest>;
type AuthorizeDeps = ResponseDeps & {
  readonly statements: Statements;
  readonly showDomainForm: ShowDomainForm;
} & Pick<
    Deps,
    | "browserSessions"
    | "unseenNews"
    | "consents"
    | "control"
    | "domainNames"
    | "cookies"
    | "random"
    | "events"
  >;

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
    return showFirstPage(context, deps);
  }
}

/** Lists the domains that are signed in and that the request allows, or asks for one. */
async function showFirstPage(context: Context, deps: AuthorizeDeps): Promise<HttpResponse> {
  const { http, request } = context;
  const { query } = request;
  const browser = await deps.browserSessions.read(http);
  const hint = hintedDomain(request, deps);
  const listed = deps.browserSessions
    .usable(browser.live, request)
    .filter(({ account }) => hint === null || account.domain === hint);
  const { cleared } = browser;
  if (listed.length === 0) {
    const value = request.loginHint?.slice(0, 300);
    return deps.showDomainForm(context, { value, ended: browser.ended, cookies: cleared });
  }
  const domains = listed.map(({ account }) => account.domain);
  const headers = cleared.length === 0 ? {} : { "set-cookie": cleared };
  const shown = { domains, query, ended: browser.ended, news: await newsOfAll(listed, deps) };
  return page(200, continuePage(pagesFor(http, request), shown), headers);
}

/** What this browser has not shown yet. */
async function newsOfAll(
  listed: readonly LiveSession[],
  { unseenNews }: Pick<Deps, "unseenNews">,
): Promise<readonly AccountNews[]> {
  const each = listed.map(async ({ session: { noticesFrom: since }, account }) => {
    const { id: accountId, domain } = account;
    return since === null ? null : unseenNews.read({ accountId, domain }, since);
  });
  return (await Promise.all(each)).filter((news) => news !== null);
}

/** The domain in `login_hint`; null if it names none. */
function hintedDomain(
  { loginHint }: AuthorizationRequest,
  { domainNames }: Pick<Deps, "domainNames">,
): string | null {
  const hint = loginHint === undefined ? null : readDomain(loginHint, domainNames);
  return hint?.ok ? hint.domain : null;
}

/**
 * POST /oauth/authorize (OIDC Core §3.1.2.1) redirects to the same request as a GET, because a post
 * from another site does not carry our SameSite=Lax cookies.
 */
export async function redirectPostedRequest(http: HttpRequest): Promise<HttpResponse> {
  return seeOther(`/oauth/authorize?${await readPostedQuery(http)}`);
}

function refusal({ target }: AuthorizationRequest) {
  return (code: AuthorizationErrorCode, description: string) =>
    new AuthorizationError(target, code, description);
}

/** The session of the account that `id_token_hint`, `claims` or `login_hint` names, or of the only one. */
async function silentSession(context: Context, deps: AuthorizeDeps): Promise<LiveSession> {
  const { http, request } = context;
  const refuse = refusal(request);
  const browser = await deps.browserSessions.read(http);
  const live = browser.live.filter(await isHinted(request, deps));
  if (live.length > 1) {
    throw refuse("account_selection_required", "several domains are signed in: send login_hint");
  }
  const [session] = deps.browserSessions.usable(live, request);
  if (session === undefined && browser.uncertain.length > 0) {
    throw refuse("temporarily_unavailable", "the clock has jumped ahead");
  }
  if (session === undefined) throw refuse("login_required", "no user is signed in");
  return session;
}

async function isHinted(
  request: AuthorizationRequest,
  deps: AuthorizeDeps,
): Promise<(session: LiveSession) => boolean> {
  const { client, idTokenHint } = request;
  if (idTokenHint !== undefined) {
    const hint = await deps.statements.readIdTokenHint(idTokenHint, client);
    return ({ account }) => subjectOf(client, account) === hint?.sub;
  }
  const { requiredSub } = request.claims;
  if (requiredSub !== null) return ({ account }) => subjectOf(client, account) === requiredSub;
  const domain = hintedDomain(request, deps);
  return ({ account }) => domain === null || account.domain === domain;
}

/** `prompt=none`: issues a code from the session, or throws `AuthorizationError`. */
async function answerSilently(context: Context, deps: AuthorizeDeps): Promise<HttpResponse> {
  const { request } = context;
  const refuse = refusal(request);
  if (request.hasUnreadResource) {
    // Nothing is fetched before the person has acted.
    throw refuse("interaction_required", "the metadata of a resource has to be read first");
  }
  const { session, account } = await silentSession(context, deps);
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
  await deps.browserSessions.touch(session);
  const { authTime, amr, sid } = session;
  const proof = {
    interaction: null,
    sid,
    grantId: timeOrderedId(deps.clock, deps.random),
    accountId: account.id,
    authTime,
    amr,
    controlCheckedAt: result.checkedAt,
  };
  return issueCode(proof, context, deps);
}
