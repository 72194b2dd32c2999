// The route table: each path with its method, error format, rate limit, checks and handler.

import type { createAccountPage } from "./account-page/account.ts";
import type { createDeleteAccount } from "./account-page/delete-account.ts";
import type { createNewCodes } from "./account-page/new-codes.ts";
import type { createRemovePasskey } from "./account-page/remove-passkey.ts";
import type { createRenaming } from "./account-page/rename-passkey.ts";
import type { AccountContext, createEndings } from "./account-page/sign-outs.ts";
import type { createClientDocuments } from "./federation/own-documents.ts";
import type { FairShare } from "./http/fair-share.ts";
import type { createHealth } from "./http/health.ts";
import type { Handler, HttpRequest } from "./http/message.ts";
import { type ErrorResponse, type Prepared, pipeline } from "./http/pipeline.ts";
import {
  type FloodLimit,
  limitRefusals,
  limitRequests,
  type ReadReturning,
  unlimited,
} from "./http/rate-limit.ts";
import type { RequestCost } from "./http/request-cost.ts";
import { preflight, staticFile, withHeaders } from "./http/responses.ts";
import {
  type Answer,
  createRouter,
  type Method,
  MethodError,
  type OtherMethod,
} from "./http/router.ts";
import type {
  InteractionContext,
  PasskeyAnswerContext,
  RequestContext,
} from "./interaction/interaction.ts";
import type { Step } from "./interaction/next-step.ts";
import { PageError } from "./interaction/pending-request.ts";
import type { Clock } from "./lib/clock.ts";
import type { AuthorizationRequest } from "./oauth/authorization-request.ts";
import type { createAuthorizationResponse } from "./oauth/authorization-response.ts";
import { type createAuthorize, redirectPostedRequest } from "./oauth/authorize.ts";
import type { createResourceEndpoints } from "./oauth/bearer.ts";
import type { createConsent } from "./oauth/consent.ts";
import { isRefusal } from "./oauth/error-channels.ts";
import type { createIntrospection } from "./oauth/introspection.ts";
import { askAgain, type createLogout, redirectPostedLogout } from "./oauth/logout.ts";
import type { createMetadataEndpoints } from "./oauth/metadata.ts";
import type { createRegistration } from "./oauth/registration-endpoint.ts";
import type { createTokenEndpoints } from "./oauth/token.ts";
import { assets } from "./pages/assets.ts";
import type { createDnsChallenge } from "./sign-in/dns-challenge.ts";
import { type createDomainStep, returnToRequest } from "./sign-in/domain.ts";
import type { createDomainPasskey } from "./sign-in/domain-passkey.ts";
import type { createExternal } from "./sign-in/external.ts";
import type { createNewPasskey } from "./sign-in/new-passkey.ts";
import type { createNews } from "./sign-in/news.ts";
import type { createPasskeyStep } from "./sign-in/passkey.ts";
import type { createSaveCodes } from "./sign-in/save-codes.ts";
import type { createDnsSetup } from "./sign-in/set-up/dns-setup.ts";
import type { createFormerRecord } from "./sign-in/set-up/former-record.ts";
import type { createHandOn } from "./sign-in/set-up/hand-on.ts";
import type { createSetUpPasskey } from "./sign-in/set-up/set-up-passkey.ts";
import type { Events } from "./telemetry/events.ts";

/** Each file of handlers exports a factory that takes their dependencies; see `assemble.ts`. */
export type Handlers = ReturnType<typeof createAuthorize> &
  ReturnType<typeof createDomainStep> &
  ReturnType<typeof createDomainPasskey> &
  ReturnType<typeof createDnsSetup> &
  ReturnType<typeof createFormerRecord> &
  ReturnType<typeof createHandOn> &
  ReturnType<typeof createSaveCodes> &
  ReturnType<typeof createSetUpPasskey> &
  ReturnType<typeof createPasskeyStep> &
  ReturnType<typeof createNewPasskey> &
  ReturnType<typeof createRemovePasskey> &
  ReturnType<typeof createNewCodes> &
  ReturnType<typeof createDeleteAccount> &
  ReturnType<typeof createDnsChallenge> &
  ReturnType<typeof createExternal> &
  ReturnType<typeof createNews> &
  ReturnType<typeof createConsent> &
  ReturnType<typeof createAccountPage> &
  ReturnType<typeof createEndings> &
  ReturnType<typeof createRenaming> &
  ReturnType<typeof createAuthorizationResponse> &
  ReturnType<typeof createLogout> &
  ReturnType<typeof createTokenEndpoints> &
  ReturnType<typeof createIntrospection> &
  ReturnType<typeof createResourceEndpoints> &
  ReturnType<typeof createRegistration> &
  ReturnType<typeof createMetadataEndpoints> &
  ReturnType<typeof createClientDocuments> &
  ReturnType<typeof createHealth>;

/**
 * The context of a handler by the requirement of its route: the HTTP request alone; a valid
 * authorization request in the query; a session of the account in the form; an open interaction of this browser; one at the given step
 * (otherwise the response redirects to its step; the page of `new-passkey` is also that of a change of an account, so its handler checks); or one that `state` in an SP's response identifies.
 */
type Contexts = Record<
  Exclude<Step, "new-passkey"> | "interaction" | "external answer",
  InteractionContext<AuthorizationRequest>
> & {
  readonly none: HttpRequest;
  readonly request: RequestContext<AuthorizationRequest>;
  readonly "passkey answer": PasskeyAnswerContext<AuthorizationRequest>;
  readonly account: AccountContext;
};

export type Requirement = keyof Contexts;

export interface Row {
  readonly method: Method;
  readonly path: string;
  /** The format of error responses: JSON, or a page or redirect to the client. */
  readonly channel: "json" | "page";
  /** What a rate limit counts: all requests, of an address or a returning browser; refused ones of an address; or none. */
  readonly limit: "requests" | "refusals" | "none";
  /** `same-origin` requires that a state-changing request comes from one of our own pages. */
  readonly origin: "same-origin" | "any";
  readonly required: Requirement;
  readonly answer: (deps: RouteDeps) => Answer;
}

// biome-ignore format: a table is read by its columns
export const routeTable = (to: Handlers): readonly Row[] => [
  //  method  path                                       fails   counted     from           requires           handler
  row("GET",  "/oauth/authorize",                        "page", "requests", "any",         "request",         to.authorize),
  // Posted by other sites (OIDC Core §3.1.2.1), so it only redirects to the GET.
  row("POST", "/oauth/authorize",                        "page", "requests", "any",         "none",            redirectPostedRequest),
  row("POST", "/sign-in",                                "page", "requests", "same-origin", "request",         to.enterDomain),
  row("GET",  "/sign-in",                                "page", "requests", "any",         "none",            returnToRequest),
  row("POST", "/sign-in/passkey",                        "page", "requests", "same-origin", "request",         to.signInWithPasskey),
  row("GET",  "/sign-in/passkey",                        "page", "requests", "any",         "none",            returnToRequest),
  row("POST", "/sign-in/continue",                       "page", "requests", "same-origin", "request",         to.continueSession),
  row("GET",  "/sign-in/continue",                       "page", "requests", "any",         "none",            returnToRequest),
  row("POST", "/sign-in/other",                          "page", "requests", "same-origin", "request",         to.chooseOtherDomain),
  row("GET",  "/sign-in/other",                          "page", "requests", "any",         "request",         to.askForOtherDomain),
  row("POST", "/sign-in/sign-out",                       "page", "requests", "same-origin", "request",         to.signOut),
  row("GET",  "/sign-in/sign-out",                       "page", "requests", "any",         "none",            returnToRequest),
  ...interactionRows(to),
  row("GET",  "/set-up/:link",                           "page", "requests", "any",         "none",            to.showHandedOn),
  ...accountRows(to),
  row("GET",  "/oauth/logout",                           "page", "requests", "any",         "none",            to.logout),
  // Posted by other sites, so it only redirects to the GET.
  row("POST", "/oauth/logout",                           "page", "requests", "any",         "none",            redirectPostedLogout),
  row("POST", "/oauth/logout/decision",                  "page", "requests", "same-origin", "none",            to.decideLogout),
  row("GET",  "/oauth/logout/decision",                  "page", "requests", "any",         "none",            askAgain),
  row("POST", "/oauth/token",                            "json", "refusals", "any",         "none",            to.tokenEndpoint),
  row("GET",  "/oauth/userinfo",                         "json", "none",     "any",         "none",            to.userinfoEndpoint),
  row("POST", "/oauth/userinfo",                         "json", "none",     "any",         "none",            to.userinfoEndpoint),
  row("GET",  "/oauth/validation_data",                  "json", "none",     "any",         "none",            to.validationDataEndpoint),
  row("POST", "/oauth/revoke",                           "json", "refusals", "any",         "none",            to.revocationEndpoint),
  row("POST", "/oauth/introspect",                       "json", "refusals", "any",         "none",            to.introspectionEndpoint),
  row("POST", "/oauth/register",                         "json", "refusals", "any",         "none",            to.registerClient),
  row("GET",  "/oauth/register/:id",                     "json", "refusals", "any",         "none",            to.readRegistered),
  row("PUT",  "/oauth/register/:id",                     "json", "refusals", "any",         "none",            to.replaceRegistered),
  row("DELETE", "/oauth/register/:id",                   "json", "refusals", "any",         "none",            to.removeRegistered),
  row("GET",  "/.well-known/oauth-authorization-server", "json", "none",     "any",         "none",            to.metadataEndpoint),
  row("GET",  "/.well-known/openid-configuration",       "json", "none",     "any",         "none",            to.metadataEndpoint),
  row("GET",  "/.well-known/jwks.json",                  "json", "none",     "any",         "none",            to.jwksEndpoint),
  row("GET",  "/federation/client/:h",                   "json", "none",     "any",         "none",            to.clientDocument),
  row("GET",  "/federation/public-client/:h",            "json", "none",     "any",         "none",            to.publicClientDocument),
  row("GET",  "/federation/jwks.json",                   "json", "none",     "any",         "none",            to.clientAssertionKeys),
  row("GET",  "/livez",                                  "json", "none",     "any",         "none",            to.liveness),
  row("GET",  "/readyz",                                 "json", "none",     "any",         "none",            to.readiness),
];

// biome-ignore format: a table is read by its columns
const interactionRows = (to: Handlers): readonly Row[] => [
  row("GET",  "/interaction/:id/dns-setup",              "page", "requests", "any",         "dns-setup",       to.showDnsSetup),
  row("POST", "/interaction/:id/dns-setup",              "page", "requests", "same-origin", "dns-setup",       to.checkDnsSetup),
  row("POST", "/interaction/:id/set-up-passkey",         "page", "requests", "same-origin", "dns-setup",       to.addSetUpPasskey),
  row("GET",  "/interaction/:id/hand-on",                "page", "requests", "any",         "dns-setup",       to.showHandOn),
  row("GET",  "/interaction/:id/former-record",          "page", "requests", "any",         "dns-setup",       to.showFormerRecord),
  row("POST", "/interaction/:id/former-record",          "page", "requests", "same-origin", "dns-setup",       to.proveFormerAccount),
  row("POST", "/interaction/:id/start-over",             "page", "requests", "same-origin", "interaction",     to.startOver),
  row("POST", "/interaction/:id/resume",                 "page", "requests", "same-origin", "dns-setup",       to.resumeEarlier),
  row("GET",  "/interaction/:id/recovery-codes",         "page", "requests", "any",         "recovery-codes",  to.showRecoveryCodes),
  row("POST", "/interaction/:id/recovery-codes",         "page", "requests", "same-origin", "recovery-codes",  to.saveRecoveryCodes),
  row("GET",  "/interaction/:id/passkey",                "page", "requests", "any",         "passkey",         to.showPasskey),
  row("POST", "/interaction/:id/passkey",                "page", "requests", "same-origin", "passkey answer",  to.checkPasskey),
  row("POST", "/interaction/:id/without-passkey",        "page", "requests", "same-origin", "passkey",         to.continueWithoutPasskey),
  row("GET",  "/interaction/:id/dns-challenge",          "page", "requests", "any",         "dns-challenge",   to.showDnsChallenge),
  row("POST", "/interaction/:id/dns-challenge",          "page", "requests", "same-origin", "dns-challenge",   to.checkDnsChallenge),
  row("GET",  "/interaction/:id/external",               "page", "requests", "any",         "external",        to.showExternal),
  row("GET",  "/federation/callback/:h",                 "page", "requests", "any",         "external answer", to.externalCallback),
  row("GET",  "/interaction/:id/new-passkey",            "page", "requests", "any",         "interaction",     to.showNewPasskey),
  row("POST", "/interaction/:id/new-passkey",            "page", "requests", "same-origin", "interaction",     to.addNewPasskey),
  row("GET",  "/interaction/:id/remove-passkey",         "page", "requests", "any",         "interaction",     to.showRemovePasskey),
  row("POST", "/interaction/:id/remove-passkey",         "page", "requests", "same-origin", "interaction",     to.removePasskey),
  row("GET",  "/interaction/:id/new-codes",              "page", "requests", "any",         "interaction",     to.showNewCodes),
  row("POST", "/interaction/:id/new-codes",              "page", "requests", "same-origin", "interaction",     to.saveNewCodes),
  row("GET",  "/interaction/:id/delete-account",         "page", "requests", "any",         "interaction",     to.showDeleteAccount),
  row("POST", "/interaction/:id/delete-account",         "page", "requests", "same-origin", "interaction",     to.deleteAccount),
  row("GET",  "/interaction/:id/news",                   "page", "requests", "any",         "news",            to.showNews),
  row("POST", "/interaction/:id/news",                   "page", "requests", "same-origin", "interaction",     to.passNews),
  row("GET",  "/interaction/:id/consent",                "page", "requests", "any",         "consent",         to.showConsent),
  row("POST", "/interaction/:id/consent",                "page", "requests", "same-origin", "interaction",     to.decideConsent),
  row("GET",  "/interaction/:id/complete",               "page", "requests", "any",         "complete",        to.completeInteraction),
];

// biome-ignore format: a table is read by its columns
const accountRows = (to: Handlers): readonly Row[] => [
  row("GET",  "/",                                       "page", "requests", "any",         "none",            to.redirectToAccount),
  row("GET",  "/account",                                "page", "requests", "any",         "none",            to.showAccount),
  row("GET",  "/account/new-passkey",                    "page", "requests", "any",         "none",            to.redirectToAccount),
  row("GET",  "/account/remove-passkey",                 "page", "requests", "any",         "none",            to.redirectToAccount),
  row("GET",  "/account/new-codes",                      "page", "requests", "any",         "none",            to.redirectToAccount),
  row("GET",  "/account/delete-account",                 "page", "requests", "any",         "none",            to.redirectToAccount),
  row("POST", "/account/rename-passkey",                 "page", "requests", "same-origin", "account",         to.renamePasskey),
  row("GET",  "/account/rename-passkey",                 "page", "requests", "any",         "none",            to.redirectToAccount),
  row("POST", "/account/revoke",                         "page", "requests", "same-origin", "account",         to.revokeApp),
  row("GET",  "/account/revoke",                         "page", "requests", "any",         "none",            to.redirectToAccount),
  row("POST", "/account/sign-out",                       "page", "requests", "same-origin", "account",         to.signOutOfAccount),
  row("GET",  "/account/sign-out",                       "page", "requests", "any",         "none",            to.redirectToAccount),
  row("POST", "/account/sign-out-everywhere",            "page", "requests", "same-origin", "account",         to.signOutEverywhere),
  row("GET",  "/account/sign-out-everywhere",            "page", "requests", "any",         "none",            to.redirectToAccount),
];

/** What is answered whatever the time is. */
const TIMELESS = new Set([
  ...["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"],
  ...["/.well-known/jwks.json", "/federation/jwks.json", "/livez", "/readyz"],
]);

/**
 * Where an app can send a popup. It keeps its opener only if no response on its way has a policy: with
 * `same-origin-allow-popups` the opener would have to have the same one.
 */
const SIGN_IN_PATHS = /^\/(?:oauth|sign-in|interaction|federation)(?:\/|$)/;
const WITHOUT_OPENER = { "cross-origin-opener-policy": "same-origin" };

/** Requests for pages: of strangers at an address, of the browsers of one account, of all returning browsers at an address. */
const PAGES_PER_MINUTE = { address: 600, browser: 240, browsers: 6000 };
/** Refused requests of other endpoints, per address. */
const REFUSALS_PER_MINUTE = 300;

/** The implementations of the values in the route table. */
export interface RouteDeps {
  readonly issuer: string;
  readonly events: Events;
  /** Rejects while the time cannot be used; null if it can. */
  readonly settle: () => Promise<void> | null;
  readonly limits: { readonly [limit in Row["limit"]]: FloodLimit };
  readonly cost: Pick<RequestCost, "countOther">;
  readonly errorResponses: { readonly [channel in Row["channel"]]: ErrorResponse };
  readonly prepare: {
    readonly [required in Requirement]: (
      http: HttpRequest,
    ) => Promise<Prepared<Contexts[required]>> | Prepared<Contexts[required]>;
  };
}

/** Each limit counts the requests of an address to all its paths together. */
export function createLimits(deps: {
  readonly clock: Clock;
  readonly readReturning: ReadReturning;
  readonly share: FairShare | null;
}): RouteDeps["limits"] {
  return {
    none: unlimited,
    requests: limitRequests(PAGES_PER_MINUTE, deps),
    refusals: limitRefusals(REFUSALS_PER_MINUTE, isRefusal, deps.clock),
  };
}

/** Builds the router from the route table. */
export function createRoutes(handlers: Handlers, deps: RouteDeps): Answer {
  const router = createRouter(
    row("GET", "none", "page", "requests", "any", "none", notFound).answer(deps),
  );
  const others = { page: otherMethod("page", deps), json: otherMethod("json", deps) };
  for (const [path, asset] of assets) {
    const answer = async (http: HttpRequest) => staticFile(asset, http.header("accept-encoding"));
    router.add("GET", path, answer, others.page);
  }
  for (const { method, path, channel, answer } of routeTable(handlers)) {
    router.add(method, path, answer(deps), others[channel]);
  }
  return router.answer;
}

/** Needs no time and is not counted as a route, but as a refusal. */
function otherMethod(channel: Row["channel"], deps: RouteDeps): OtherMethod {
  return async (http, allow) => {
    if (channel === "json" && http.method === "OPTIONS") return preflight(allow);
    const answer = pipeline({
      settle: () => null,
      limit: deps.limits.refusals,
      sameOrigin: null,
      prepare: (context) => ({ context }),
      handler: ({ method }) => {
        throw new MethodError(method, allow);
      },
      errorResponse: deps.errorResponses[channel],
      onResponse: () => {},
    });
    return answer(http);
  };
}

function notFound(): never {
  throw new PageError(404, "notFound");
}

function row<R extends Requirement>(
  method: Row["method"],
  path: string,
  channel: Row["channel"],
  limit: Row["limit"],
  origin: Row["origin"],
  required: R,
  handler: Handler<Contexts[R]>,
): Row {
  const answer = ({ settle, limits, issuer, prepare, errorResponses, ...deps }: RouteDeps) => {
    const answered = pipeline({
      settle: TIMELESS.has(path) ? () => null : settle,
      limit: limits[limit],
      sameOrigin: origin === "same-origin" ? issuer : null,
      prepare: prepare[required],
      handler,
      errorResponse: errorResponses[channel],
      onResponse(http, status, milliseconds) {
        // Pages are counted where they get their share. One that is refused costs as little as other requests.
        if (channel === "json" || status === 429) deps.cost.countOther();
        deps.events.answered({ method: http.method, route: path, status, milliseconds });
      },
    });
    const isSignIn = SIGN_IN_PATHS.test(path);
    return channel === "json" || isSignIn ? answered : withHeaders(answered, WITHOUT_OPENER);
  };
  return { method, path, channel, limit, origin, required, answer };
}
