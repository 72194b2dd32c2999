// Signing out at the request of an app (OpenID Connect RP-Initiated Logout 1.0).

import { type Client, type Clients, subjectOf } from "../clients/client.ts";
import {
  hostOf,
  isSelfRegistered,
  type LogoutTarget,
  logoutUri,
  proveLogoutTarget,
} from "../clients/redirect-target.ts";
import type { Parameters } from "../http/form.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { requesterAt } from "../http/requester.ts";
import { page, seeOther } from "../http/responses.ts";
import { formField, PageError, pagesWithout } from "../interaction/pending-request.ts";
import { logoutPage, nothingToEndPage } from "../pages/logout.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import { parseQuery, UntrustedRequestError } from "./protocol-errors.ts";
import { audienceOf, type IdTokenHint, type Statements } from "./statements.ts";

/** The same limit as in an authorization request. */
const MAX_STATE_BYTES = 2048;

interface Deps {
  readonly clients: Clients;
  readonly statements: Statements;
  readonly browserSessions: BrowserSessions;
}

/** The client, hint and return address are valid if they are present. */
interface LogoutRequest {
  readonly client: Client | null;
  readonly hint: IdTokenHint | null;
  readonly target: LogoutTarget | null;
}

export function createLogout({ clients, statements, browserSessions }: Deps) {
  return { logout, decideLogout };

  /** GET /oauth/logout: ends the session of this browser that the hint names, or else asks: any site can link here. */
  async function logout(http: HttpRequest): Promise<HttpResponse> {
    const request = await readRequest(http);
    const { client, hint, target } = request;
    const { sessions, others } = await sessionsOf(http, request);
    const named = sessions.filter(({ session }) => session.sid === hint?.sid);
    if (named.length > 0) return leave(request, await browserSessions.end(named));
    const shown = {
      domains: sessions.map(({ account }) => account.domain),
      action: `/oauth/logout/decision?${http.query}`,
      client: client && { name: client.name, host: target && hostOf(target.uri) },
    };
    const pages = pagesWithout(http);
    if (sessions.length > 0) return page(200, logoutPage(pages, shown));
    // A redirect that nobody decided on would make us an open redirector (RFC 9700 §4.11.2).
    if (hint !== null && !(client && isSelfRegistered(client))) return leave(request, []);
    const backToApp = target === null ? null : logoutUri(target);
    return page(200, nothingToEndPage(pages, { ...shown, backToApp, others }));
  }

  /** POST /oauth/logout/decision, with the query of the request and `decision`: `sign-out` or `stay`. */
  async function decideLogout(http: HttpRequest): Promise<HttpResponse> {
    const request = await readRequest(http);
    switch (await formField(http, "decision")) {
      case "sign-out": {
        const { sessions } = await sessionsOf(http, request);
        return leave(request, await browserSessions.end(sessions));
      }
      case "stay":
        return seeOther("/account");
      default:
        throw new PageError(400, "malformedRequest");
    }
  }

  /** The sessions of the hinted account, or else all. `others`: whether there are more, told only to people. */
  async function sessionsOf(http: HttpRequest, { client, hint }: LogoutRequest) {
    const { live, resting, uncertain } = await browserSessions.read(http);
    const all = [...live, ...resting, ...uncertain];
    if (client === null || hint === null) return { sessions: all, others: false };
    const sessions = all.filter(({ account }) => subjectOf(client, account) === hint.sub);
    return { sessions, others: sessions.length < all.length };
  }

  /** Throws `UntrustedRequestError`: there is no return address that a mistake could be sent to. */
  async function readRequest({ query, clientAddress }: HttpRequest): Promise<LogoutRequest> {
    const { values, repeated } = parseQuery(query);
    const [duplicate] = repeated;
    if (duplicate !== undefined) {
      throw new UntrustedRequestError("repeatedParameter", { parameter: duplicate });
    }
    const token = values.get("id_token_hint");
    const audience = token === undefined ? undefined : audienceOf(token);
    const clientId = values.get("client_id") ?? audience;
    if (clientId === undefined) return { client: null, hint: null, target: targetOf(values, null) };
    const client = await clients.find(clientId, { from: requesterAt(clientAddress) });
    if (client === null) throw new UntrustedRequestError("unknownClient", { clientId });
    if (audience !== undefined && audience !== client.client_id) {
      throw new UntrustedRequestError("hintOfAnotherClient", { clientId: client.client_id });
    }
    const hint = token === undefined ? null : await statements.readIdTokenHint(token, client);
    return { client, hint, target: targetOf(values, client) };
  }
}

/** GET /oauth/logout/decision, such as a reload: asks again. */
export function askAgain({ query }: HttpRequest): HttpResponse {
  return seeOther(`/oauth/logout?${query}`);
}

/** Back to the app, or else to a page of ours that says that nobody is signed in. */
function leave({ target }: LogoutRequest, setCookies: readonly string[]): HttpResponse {
  return seeOther(target === null ? "/account?signed_out=1" : logoutUri(target), setCookies);
}

function targetOf(values: Parameters["values"], client: Client | null): LogoutTarget | null {
  const uri = values.get("post_logout_redirect_uri");
  if (uri === undefined) return null;
  const state = values.get("state");
  if (state !== undefined && Buffer.byteLength(state) > MAX_STATE_BYTES) {
    throw new UntrustedRequestError("malformedRequest");
  }
  const target = client && proveLogoutTarget(client, { uri, state });
  if (target !== null) return target;
  const reason = client?.refused_uris?.get(uri);
  const details = { found: uri, reason, clientId: client?.client_id };
  throw new UntrustedRequestError("postLogoutRedirectUriNotRegistered", details);
}
