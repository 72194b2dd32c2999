// Converts what a handler throws to JSON, or to a page or redirect.

import {
  ClientDocumentError,
  RegistrationError,
  sanitizeDescription,
} from "../clients/client-errors.ts";
import { hostOf, responseUri } from "../clients/redirect-target.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { OverloadedError } from "../http/page-turns.ts";
import { CrossSiteError } from "../http/pipeline.ts";
import { TooManyRequestsError } from "../http/rate-limit.ts";
import { json, page, pageMethodError, seeOther } from "../http/responses.ts";
import { MethodError } from "../http/router.ts";
import { PageError, pagesWithout } from "../interaction/pending-request.ts";
import {
  BusyError,
  DomainUnavailableError,
  UnavailableError,
  UncertainTimeError,
} from "../lib/errors.ts";
import { fixedProblemPage } from "../pages/fixed-problem.ts";
import { type ProblemPageProps, problemPage } from "../pages/problem.ts";
import type { Events } from "../telemetry/events.ts";
import {
  AuthorizationError,
  BearerError,
  TokenError,
  UntrustedRequestError,
} from "./protocol-errors.ts";

const UNLISTED_ORIGIN = "web pages of this origin may not call this endpoint";
const RETRY_AFTER = { "retry-after": "2" };
/** A missing record is not looked up again during this time, and a clock that jumped needs a witness. */
const LATER = { "retry-after": "60" };

/**
 * Whether an error counts against the rate limit of an address. Refusals of authenticated clients, and of public
 * clients with tokens of this service, do not count: many users may share their address.
 */
export function isRefusal(error: unknown): boolean {
  return (
    (error instanceof TokenError && !error.isOfClient) ||
    error instanceof MethodError ||
    error instanceof RegistrationError ||
    error instanceof CrossSiteError ||
    (error instanceof BearerError && error.isGuess)
  );
}

/** The error responses of JSON endpoints and of pages. Each logs the error. */
export function createErrorResponses({ events }: { readonly events: Events }) {
  return { json: jsonError, page: pageError };

  /** A protocol error, 429, 503 or 500, and never a redirect. */
  function jsonError(error: unknown, errorId: string, { path }: HttpRequest): HttpResponse {
    const answer = (status: number, code: string, description: string, headers = {}) =>
      json(status, { error: code, error_description: description, error_id: errorId }, headers);
    const unavailable = "temporarily_unavailable";
    log(error, errorId, path);
    if (error instanceof TokenError) {
      const headers = error.challenge ? { "www-authenticate": 'Basic realm="domain-signin"' } : {};
      return answer(400, error.code, error.message, headers);
    }
    if (error instanceof RegistrationError) return answer(400, error.code, error.message);
    if (error instanceof CrossSiteError) return answer(403, "access_denied", UNLISTED_ORIGIN);
    if (error instanceof MethodError) {
      return answer(405, "invalid_request", error.message, { allow: error.allow });
    }
    if (error instanceof BearerError) {
      const { status, code, message } = error;
      // RFC 6750 §3.1: no error code in the challenge if the request has no token.
      const detail = code ? `, error="${code}", error_description="${message}"` : "";
      const headers = { "www-authenticate": `Bearer realm="domain-signin"${detail}` };
      return answer(status, code ?? "invalid_token", message, headers);
    }
    if (error instanceof ClientDocumentError) {
      const text = `could not fetch the client metadata document: ${error.message}`;
      return answer(503, unavailable, sanitizeDescription(text), RETRY_AFTER);
    }
    if (error instanceof TooManyRequestsError) {
      return answer(429, unavailable, "too many requests", retryHeader(error.retryAfter));
    }
    if (error instanceof OverloadedError) {
      return answer(503, unavailable, "too many requests wait", retryHeader(error.retryAfter));
    }
    if (!(error instanceof UnavailableError)) {
      return answer(500, "server_error", "internal server error");
    }
    const isLater = error instanceof UncertainTimeError || error instanceof DomainUnavailableError;
    return answer(503, unavailable, "try again later", isLater ? LATER : RETRY_AFTER);
  }

  /** A redirect to the client if its redirect_uri is valid, otherwise a page. */
  function pageError(
    thrown: unknown,
    errorId: string,
    http: HttpRequest,
  ): HttpResponse | Promise<HttpResponse> {
    const error = thrown instanceof CrossSiteError ? new PageError(403, "crossSitePost") : thrown;
    log(error, errorId, loggedPath(http.path));
    if (isFlood(error)) return refuseFlood(error, errorId, http);
    if (error instanceof MethodError) return pageMethodError(error.allow, errorId);
    const pending = error instanceof PageError ? error.pending : undefined;
    const pages = pagesWithout(http, pending?.query);
    const show = (status: number, problem: ProblemPageProps, headers = {}) =>
      page(status, problemPage(pages, { ...problem, errorId }), headers);
    const { t } = pages;
    if (error instanceof AuthorizationError) {
      const { target, code, message } = error;
      const response = { error: code, error_description: message, error_id: errorId };
      const uri = responseUri(target, response);
      // Without a decision of the user, a redirect would make us an open redirector (RFC 9700 §4.11.2).
      if (!target.isSelfRegistered || code === "access_denied") return seeOther(uri);
      const text = t.problem("requestProblems-malformedRequest");
      const client = { clientHost: hostOf(target.uri), backToApp: uri };
      return show(400, { ...text, details: [...text.details, message], client });
    }
    if (error instanceof UntrustedRequestError) {
      const { problem, reason, parameter: name } = error;
      const text = t.problem(`requestProblems-${problem}`, { name });
      return show(400, { ...text, details: [...text.details, ...(reason ? [reason] : [])] });
    }
    if (error instanceof PageError) {
      const text = t.problem(`requestProblems-${error.problem}`);
      const isChange = error.problem === "passkeyNeeded";
      const isOfAccount = isChange || error.problem === "challengeUsed";
      const { client: name } = error;
      const forClient = name === undefined ? [] : [t("problem-setUpFor", { client: name })];
      const details = [...forClient, ...text.details];
      const client = isChange ? undefined : pending;
      return show(error.status, { ...text, details, client, isOfAccount });
    }
    if (error instanceof ClientDocumentError) {
      const { kind, host, message } = error;
      const reason = kind === "bad" ? message.replace(/\.$/, "") : message;
      return kind === "bad"
        ? show(400, t.problem("requestProblems-badClientDocument", { host, reason }))
        : show(503, t.problem("requestProblems-unreachableClient", { host, reason }), RETRY_AFTER);
    }
    return error instanceof UnavailableError
      ? show(503, t.problem("requestProblems-temporarilyUnavailable"), RETRY_AFTER)
      : show(500, t.problem("requestProblems-serverError"));
  }

  function log(error: unknown, errorId: string, path: string): void {
    const refused = (code: string, reason: string, more: RefusalDetails = {}) =>
      events.refused({ errorId, path, error: code, reason, ...more });
    if (error instanceof TokenError) {
      refused(error.code, error.message, { found: error.detail });
    } else if (error instanceof RegistrationError || error instanceof AuthorizationError) {
      refused(error.code, error.message);
    } else if (error instanceof BearerError) {
      refused(error.code ?? "no token", error.message);
    } else if (error instanceof CrossSiteError) {
      refused("access_denied", UNLISTED_ORIGIN);
    } else if (error instanceof MethodError) {
      refused("method", error.message, { found: error.method.slice(0, 40) });
    } else if (error instanceof UntrustedRequestError) {
      const { problem, found, clientId } = error;
      refused("untrusted request", problem, { found, clientId });
    } else if (error instanceof PageError) {
      refused("page", error.problem);
    } else if (error instanceof ClientDocumentError) {
      refused("client document", error.message, { found: `${error.kind} at ${error.host}` });
    } else if (error instanceof DomainUnavailableError) {
      refused("temporarily_unavailable", error.message);
    } else if (isFlood(error)) {
      // One line for each flood: a line for each request would be a flood too. A budget has a line of its own.
      if ("isFirst" in error && error.isFirst) refused("rate limit", error.message);
    } else {
      events.failed({ errorId, path, cause: error });
    }
  }
}

interface RefusalDetails {
  readonly found?: string | undefined;
  readonly clientId?: string | undefined;
}

type Flood = TooManyRequestsError | OverloadedError | BusyError;

function isFlood(error: unknown): error is Flood {
  return [TooManyRequestsError, OverloadedError, BusyError].some((kind) => error instanceof kind);
}

/** Costs much less than the request that it refuses. */
function refuseFlood(error: Flood, errorId: string, http: HttpRequest): Promise<HttpResponse> {
  const acceptLanguage = http.header("accept-language") ?? "";
  if (!(error instanceof TooManyRequestsError)) {
    const overloaded = fixedProblemPage({ name: "overloaded" }, acceptLanguage, errorId);
    return page(
      503,
      overloaded,
      "retryAfter" in error ? retryHeader(error.retryAfter) : RETRY_AFTER,
    );
  }
  const problem = { name: "tooManyRequests", minutes: Math.ceil(error.retryAfter / 60) } as const;
  const refusal = fixedProblemPage(problem, acceptLanguage, errorId);
  return page(429, refusal, retryHeader(error.retryAfter));
}

function retryHeader(seconds: number) {
  return { "retry-after": String(seconds) };
}

/** A set-up link names a domain and its record, which are nothing for a log. */
function loggedPath(path: string): string {
  return path.startsWith("/set-up/") ? "/set-up/:link" : path;
}
