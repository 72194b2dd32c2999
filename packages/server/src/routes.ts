// The route table: each path with its method, error format, rate limit, checks and handler.

import type { Handlers, Requirements } from "./assemble.ts";
import type { Cookies } from "./http/cookies.ts";
import type { Handler, HttpRequest } from "./http/message.ts";
import type { PageGate } from "./http/page-gate.ts";
import {
  type ErrorResponse,
  isOfOrigins,
  isSameOrigin,
  type Prepared,
  pipeline,
} from "./http/pipeline.ts";
import type { FloodLimit } from "./http/rate-limit.ts";
import { withHeaders, withOrigins } from "./http/responses.ts";
import type { Answer, HttpMethod } from "./http/router.ts";
import { askAgain } from "./oauth/logout.ts";
import { redirectPosted } from "./oauth/protocol-errors.ts";
import { returnToRequest } from "./sign-in/domain.ts";
import type { Events } from "./telemetry/events.ts";

type Contexts = {
  [required in keyof Requirements]: ContextIn<Awaited<ReturnType<Requirements[required]>>>;
};
type ContextIn<Result> = Result extends { readonly context: infer Context } ? Context : never;

export type RouteRequirement = keyof Contexts;

export interface Row {
  readonly method: HttpMethod;
  readonly path: string;
  /** The format of error responses: JSON, or a page or redirect to the client. */
  readonly channel: "json" | "page";
  /** Whether requests take turns, as those for pages do; what counts of an address: refused requests, or none; or both. */
  readonly limit: "turns" | "refusals" | "both" | "none";
  /**
   * `same-origin` requires that a state-changing request comes from one of our own pages; `listed`, that it comes from
   * one of ours or of `registration_origins`, or from no page.
   */
  readonly origin: "same-origin" | "listed" | "any";
  readonly required: RouteRequirement;
  readonly answer: (deps: RouteDeps) => Answer;
}

// biome-ignore format: a table is read by its columns
export const routeTable = (to: Handlers): readonly Row[] => [
  //  method  path                                       fails   limited     from           requires           handler
  row("GET",  "/",                                       "page", "turns",    "any",         "none",            to.showHome),
  row("GET",  "/check",                                  "page", "turns",    "any",         "none",            to.showCheck),
  row("GET",  "/oauth/authorize",                        "page", "turns",    "any",         "request",         to.authorize),
  // Posted by other sites (OIDC Core §3.1.2.1), so it only redirects to the GET.
  row("POST", "/oauth/authorize",                        "page", "turns",    "any",         "none",            redirectPosted("/oauth/authorize")),
  row("POST", "/sign-in",                                "page", "turns",    "same-origin", "request",         to.enterDomain),
  row("GET",  "/sign-in",                                "page", "turns",    "any",         "none",            returnToRequest),
  row("POST", "/sign-in/passkey",                        "page", "turns",    "same-origin", "request",         to.signInWithPasskey),
  row("GET",  "/sign-in/passkey",                        "page", "turns",    "any",         "none",            returnToRequest),
  row("POST", "/sign-in/continue",                       "page", "turns",    "same-origin", "request",         to.continueSession),
  row("GET",  "/sign-in/continue",                       "page", "turns",    "any",         "none",            returnToRequest),
  row("POST", "/sign-in/other",                          "page", "turns",    "same-origin", "request",         to.chooseOtherDomain),
  row("GET",  "/sign-in/other",                          "page", "turns",    "any",         "request",         to.askForOtherDomain),
  row("POST", "/sign-in/sign-out",                       "page", "turns",    "same-origin", "request",         to.signOut),
  row("GET",  "/sign-in/sign-out",                       "page", "turns",    "any",         "none",            returnToRequest),
  ...interactionRows(to),
  row("GET",  "/set-up/:link",                           "page", "turns",    "any",         "none",            to.showHandedOn),
  ...accountRows(to),
  row("GET",  "/oauth/logout",                           "page", "turns",    "any",         "none",            to.logout),
  // Posted by other sites, so it only redirects to the GET.
  row("POST", "/oauth/logout",                           "page", "turns",    "any",         "none",            redirectPosted("/oauth/logout")),
  row("POST", "/oauth/logout/decision",                  "page", "turns",    "same-origin", "none",            to.decideLogout),
  row("GET",  "/oauth/logout/decision",                  "page", "turns",    "any",         "none",            askAgain),
  row("POST", "/oauth/token",                            "json", "refusals", "any",         "none",            to.tokenEndpoint),
  row("GET",  "/oauth/userinfo",                         "json", "none",     "any",         "none",            to.userinfoEndpoint),
  row("POST", "/oauth/userinfo",                         "json", "none",     "any",         "none",            to.userinfoEndpoint),
  row("GET",  "/oauth/validation_data",                  "json", "none",     "any",         "none",            to.validationDataEndpoint),
  row("POST", "/oauth/revoke",                           "json", "refusals", "any",         "none",            to.revocationEndpoint),
  row("POST", "/oauth/introspect",                       "json", "refusals", "any",         "none",            to.introspectionEndpoint),
  row("POST", "/oauth/register",                         "json", "both",     "listed",      "none",            to.registerClient),
  row("GET",  "/oauth/register/:id",                     "json", "refusals", "listed",      "none",            to.readRegistered),
  row("PUT",  "/oauth/register/:id",                     "json", "refusals", "listed",      "none",            to.replaceRegistered),
  row("DELETE", "/oauth/register/:id",                   "json", "refusals", "listed",      "none",            to.removeRegistered),
  row("GET",  "/.well-known/oauth-authorization-server", "json", "none",     "any",         "none",            to.metadataEndpoint),
  row("GET",  "/.well-known/openid-configuration",       "json", "none",     "any",         "none",            to.metadataEndpoint),
  row("GET",  "/.well-known/jwks.json",                  "json", "none",     "any",         "none",            to.jwksEndpoint),
  row("GET",  "/.well-known/security.txt",               "json", "none",     "any",         "none",            to.securityTxt),
  row("GET",  "/federation/client/:h",                   "json", "none",     "any",         "none",            to.clientDocument),
  row("GET",  "/federation/public-client/:h",            "json", "none",     "any",         "none",            to.publicClientDocument),
  row("GET",  "/federation/jwks.json",                   "json", "none",     "any",         "none",            to.clientAssertionKeys),
  row("GET",  "/livez",                                  "json", "none",     "any",         "none",            to.liveness),
  row("GET",  "/readyz",                                 "json", "none",     "any",         "none",            to.readiness),
];

// biome-ignore format: a table is read by its columns
const interactionRows = (to: Handlers): readonly Row[] => [
  row("GET",  "/interaction/:id/dns-setup",              "page", "turns",    "any",         "dns-setup",       to.showDnsSetup),
  row("POST", "/interaction/:id/dns-setup",              "page", "turns",    "same-origin", "dns-setup",       to.checkDnsSetup),
  row("GET",  "/interaction/:id/set-up-passkey",         "page", "turns",    "any",         "dns-setup",       to.showSetUpPasskey),
  row("POST", "/interaction/:id/set-up-passkey",         "page", "turns",    "same-origin", "dns-setup",       to.answerSetUpPasskey),
  row("GET",  "/interaction/:id/hand-on",                "page", "turns",    "any",         "dns-setup",       to.showHandOn),
  row("GET",  "/interaction/:id/former-record",          "page", "turns",    "any",         "dns-setup",       to.showFormerRecord),
  row("POST", "/interaction/:id/former-record",          "page", "turns",    "same-origin", "dns-setup",       to.proveFormerAccount),
  row("POST", "/interaction/:id/start-over",             "page", "turns",    "same-origin", "interaction",     to.startOver),
  row("POST", "/interaction/:id/resume",                 "page", "turns",    "same-origin", "dns-setup",       to.resumeEarlier),
  row("GET",  "/interaction/:id/recovery-codes",         "page", "turns",    "any",         "recovery-codes",  to.showRecoveryCodes),
  row("POST", "/interaction/:id/recovery-codes",         "page", "turns",    "same-origin", "recovery-codes",  to.saveRecoveryCodes),
  row("GET",  "/interaction/:id/passkey",                "page", "turns",    "any",         "passkey",         to.showPasskey),
  row("POST", "/interaction/:id/passkey",                "page", "turns",    "same-origin", "passkey",         to.checkPasskey),
  row("POST", "/interaction/:id/without-passkey",        "page", "turns",    "same-origin", "passkey",         to.continueWithoutPasskey),
  row("GET",  "/interaction/:id/dns-challenge",          "page", "turns",    "any",         "dns-challenge",   to.showDnsChallenge),
  row("POST", "/interaction/:id/dns-challenge",          "page", "turns",    "same-origin", "dns-challenge",   to.checkDnsChallenge),
  row("GET",  "/interaction/:id/external",               "page", "turns",    "any",         "external",        to.showExternal),
  row("GET",  "/federation/callback/:h",                 "page", "turns",    "any",         "external answer", to.externalCallback),
  row("GET",  "/interaction/:id/new-passkey",            "page", "turns",    "any",         "interaction",     to.showNewPasskey),
  row("POST", "/interaction/:id/new-passkey",            "page", "turns",    "same-origin", "interaction",     to.addNewPasskey),
  row("GET",  "/interaction/:id/remove-passkey",         "page", "turns",    "any",         "interaction",     to.showRemovePasskey),
  row("POST", "/interaction/:id/remove-passkey",         "page", "turns",    "same-origin", "interaction",     to.removePasskey),
  row("GET",  "/interaction/:id/new-codes",              "page", "turns",    "any",         "interaction",     to.showNewCodes),
  row("POST", "/interaction/:id/new-codes",              "page", "turns",    "same-origin", "interaction",     to.saveNewCodes),
  row("GET",  "/interaction/:id/delete-account",         "page", "turns",    "any",         "interaction",     to.showDeleteAccount),
  row("POST", "/interaction/:id/delete-account",         "page", "turns",    "same-origin", "interaction",     to.deleteAccount),
  row("GET",  "/interaction/:id/news",                   "page", "turns",    "any",         "news",            to.showNews),
  row("POST", "/interaction/:id/news",                   "page", "turns",    "same-origin", "interaction",     to.passNews),
  row("GET",  "/interaction/:id/consent",                "page", "turns",    "any",         "consent",         to.showConsent),
  row("POST", "/interaction/:id/consent",                "page", "turns",    "same-origin", "interaction",     to.decideConsent),
  row("GET",  "/interaction/:id/complete",               "page", "turns",    "any",         "complete",        to.completeInteraction),
];

// biome-ignore format: a table is read by its columns
const accountRows = (to: Handlers): readonly Row[] => [
  row("GET",  "/account",                                "page", "turns",    "any",         "none",            to.showAccount),
  row("GET",  "/account/new-passkey",                    "page", "turns",    "any",         "none",            to.redirectToAccount),
  row("GET",  "/account/remove-passkey",                 "page", "turns",    "any",         "none",            to.redirectToAccount),
  row("GET",  "/account/new-codes",                      "page", "turns",    "any",         "none",            to.redirectToAccount),
  row("GET",  "/account/delete-account",                 "page", "turns",    "any",         "none",            to.redirectToAccount),
  row("POST", "/account/rename-passkey",                 "page", "turns",    "same-origin", "account",         to.renamePasskey),
  row("GET",  "/account/rename-passkey",                 "page", "turns",    "any",         "none",            to.redirectToAccount),
  row("POST", "/account/revoke",                         "page", "turns",    "same-origin", "account",         to.revokeApp),
  row("GET",  "/account/revoke",                         "page", "turns",    "any",         "none",            to.redirectToAccount),
  row("POST", "/account/sign-out",                       "page", "turns",    "same-origin", "account",         to.signOutOfAccount),
  row("GET",  "/account/sign-out",                       "page", "turns",    "any",         "none",            to.redirectToAccount),
  row("POST", "/account/sign-out-everywhere",            "page", "turns",    "same-origin", "account",         to.signOutEverywhere),
  row("GET",  "/account/sign-out-everywhere",            "page", "turns",    "any",         "none",            to.redirectToAccount),
];

/** Paths that are answered even if the time cannot be used. */
const TIMELESS = new Set([
  ...["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"],
  ...["/.well-known/jwks.json", "/federation/jwks.json", "/livez", "/readyz"],
]);

/** Where an app can send a popup, which keeps its opener only if no response on its way has such a policy. */
const SIGN_IN_PATHS = /^\/(?:oauth|sign-in|interaction|federation)(?:\/|$)/;
const WITHOUT_OPENER = { "cross-origin-opener-policy": "same-origin" };

/** The implementations of the values in the route table. */
export interface RouteDeps {
  readonly issuer: string;
  /** Our own and those of `registration_origins`. */
  readonly listedOrigins: readonly string[];
  readonly events: Events;
  readonly cookies: Cookies;
  /** Rejects while the time cannot be used; null if it can. */
  readonly settle: () => Promise<void> | null;
  readonly limits: { readonly [limit in Row["limit"]]: FloodLimit };
  readonly gate: PageGate;
  readonly errorResponses: { readonly [channel in Row["channel"]]: ErrorResponse };
  readonly prepare: {
    readonly [required in RouteRequirement]: (
      http: HttpRequest,
    ) => Promise<Prepared<Contexts[required]>> | Prepared<Contexts[required]>;
  };
}

/** What `Row.origin` requires. */
export function originCheck(
  origin: Row["origin"],
  { issuer, listedOrigins }: RouteDeps,
): ((http: HttpRequest) => boolean) | null {
  if (origin === "same-origin") return (http) => isSameOrigin(http, issuer);
  return origin === "listed" ? (http) => isOfOrigins(http, listedOrigins) : null;
}

/** Clears the cookies that have no room beside those that the response sets. */
function withRoom(answer: Answer, cookies: Cookies): Answer {
  return async (http) => {
    const response = await answer(http);
    const set = [response.headers["set-cookie"] ?? []].flat();
    if (set.length === 0) return response;
    const fitting = cookies.fit(http, set);
    if (fitting.length === set.length) return response;
    return { ...response, headers: { ...response.headers, "set-cookie": fitting } };
  };
}

export function row<R extends RouteRequirement>(
  method: Row["method"],
  path: string,
  channel: Row["channel"],
  limit: Row["limit"],
  origin: Row["origin"],
  required: R,
  handler: Handler<Contexts[R]>,
): Row {
  const answer = (deps: RouteDeps) => {
    const { settle, limits, listedOrigins, prepare, errorResponses, gate } = deps;
    const isBeside = channel === "json" && limit !== "both";
    const answered = pipeline({
      settle: TIMELESS.has(path) ? () => null : settle,
      limit: limits[limit],
      mayComeFrom: originCheck(origin, deps),
      prepare: prepare[required],
      handler,
      errorResponse: errorResponses[channel],
      onResponse(http, status, milliseconds) {
        if (isBeside) gate.endOther();
        deps.events.answered({ method: http.method, route: path, status, milliseconds });
      },
    });
    if (isBeside) {
      const beside = (http: HttpRequest) => {
        gate.beginOther();
        return answered(http);
      };
      return origin === "listed" ? withOrigins(beside, listedOrigins) : beside;
    }
    if (channel === "json") return withOrigins(answered, listedOrigins);
    const kept = withRoom(answered, deps.cookies);
    return SIGN_IN_PATHS.test(path) ? kept : withHeaders(kept, WITHOUT_OPENER);
  };
  return { method, path, channel, limit, origin, required, answer };
}
