// Converts what a handler throws to JSON, or to a page or redirect.

import {
  ClientDocumentError,
  RegistrationError,
  sanitizeDescription,
} from "../clients/client-errors.ts";
import { hostOf, responseUri } from "../clients/redirect-target.ts";
import { OverloadedError } from "../http/fair-share.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { CrossSiteError, type ErrorResponse } from "../http/pipeline.ts";
import { TooManyRequestsError } from "../http/rate-limit.ts";
import { json, jsonMethodError, page, pageMethodError, seeOther } from "../http/responses.ts";
import { MethodError } from "../http/router.ts";
import { PageError, pagesWithout } from "../interaction/pending-request.ts";
import { DomainUnavailableError, UnavailableError, UncertainTimeError } from "../lib/errors.ts";
import { fixedProblemPage } from "../pages/fixed-problem.ts";
import { type ProblemPageProps, problemPage } from "../pages/problem.ts";
import type { Deps } from "./deps.ts";
import {
  AuthorizationError,
  BearerError,
  TokenError,
  UntrustedRequestError,
} from "./protocol-errors.ts";

const RETRY_AFTER = { "retry-after": "2" };
/** A missing record is not looked up again during this time, and a clock that jumped needs a witness. */
const LATER = { "retry-after": "60" };

/**
 * Whether an error counts against the rate limit of an address. Refusals of authenticated clients do
 * not count: such a client forwards the bad codes of all its users from one address. Nor do those of public
 * clients with tokens of this service: their address may be that of many people.
 */
export function isRefusal(error: unknown): boolean {
  return (
    (error instanceof TokenError && !error.isOfClient) ||
    error instanceof MethodError ||
    error instanceof RegistrationError ||
    (error instanceof BearerError && error.isGuess)
  );
}

/** Errors of JSON endpoints: a protocol error, 429, 503 or 500, and never a redirect. */
export function jsonErrors({ events }: Pick<Deps, "events">): ErrorResponse {
  return (error, errorId, { path }) => {
    const answer = (status: number, code: string, description: string, headers = {}) =>
      json(status, { error: code, error_description: description, error_id: errorId }, headers);
    if (error instanceof TokenError) {
      const { code, message: reason, detail: found } = error;
      events.refused({ errorId, path, error: code, reason, found });
      const headers = error.challenge ? { "www-authenticate": 'Basic realm="domain-signin"' } : {};
      return answer(400, code, reason, headers);
    }
    if (error instanceof RegistrationError) {
      const { code, message: reason } = error;
      events.refused({ errorId, path, error: code, reason });
      return answer(400, code, reason);
    }
    if (error instanceof MethodError) {
      refuseMethod(error, errorId, path, events);
      return jsonMethodError(error.allow, errorId);
    }
    if (error instanceof BearerError) {
      const { status, code, message: reason } = error;
      events.refused({ errorId, path, error: code ?? "no token", reason });
      // RFC 6750 §3.1: no error code in the challenge if the request has no token.
      const detail = code ? `, error="${code}", error_description="${reason}"` : "";
      const headers = { "www-authenticate": `Bearer realm="domain-signin"${detail}` };
      return answer(status, code ?? "invalid_token", reason, headers);
    }
    if (error instanceof DomainUnavailableError) {
      const code = "temporarily_unavailable";
      events.refused({ errorId, path, error: code, reason: error.message });
      return answer(503, code, "try again later", LATER);
    }
    report(error, errorId, path, events);
    if (error instanceof ClientDocumentError) {
      const text = `could not fetch the client metadata document: ${error.message}`;
      return answer(503, "temporarily_unavailable", sanitizeDescription(text), RETRY_AFTER);
    }
    if (error instanceof TooManyRequestsError) {
      const headers = { "retry-after": String(error.retryAfter) };
      return answer(429, "temporarily_unavailable", "too many requests", headers);
    }
    const retryAfter = error instanceof UncertainTimeError ? LATER : RETRY_AFTER;
    return error instanceof UnavailableError
      ? answer(503, "temporarily_unavailable", "try again later", retryAfter)
      : answer(500, "server_error", "internal server error");
  };
}

/** Errors of pages: a redirect to the client if its redirect_uri is valid, otherwise a page. */
export function pageErrors({ events }: Pick<Deps, "events">): ErrorResponse {
  return (thrown, errorId, http) => {
    if (thrown instanceof TooManyRequestsError || thrown instanceof OverloadedError) {
      return refuseFlood(thrown, errorId, http, events);
    }
    const path = loggedPath(http.path);
    if (thrown instanceof MethodError) {
      refuseMethod(thrown, errorId, path, events);
      return pageMethodError(thrown.allow, errorId);
    }
    const error = thrown instanceof CrossSiteError ? new PageError(403, "crossSitePost") : thrown;
    const pending = error instanceof PageError ? error.pending : undefined;
    const pages = pagesWithout(http, pending?.query);
    const { t } = pages;
    const show = (status: number, problem: ProblemPageProps, headers = {}) =>
      page(status, problemPage(pages, { ...problem, errorId }), headers);
    if (error instanceof AuthorizationError) {
      const { target, code, message: reason } = error;
      events.refused({ errorId, path, error: code, reason });
      const uri = responseUri(target, {
        error: code,
        error_description: reason,
        error_id: errorId,
      });
      // Without a decision of the user, a redirect would make us an open redirector (RFC 9700 §4.11.2).
      if (!target.isSelfRegistered || code === "access_denied") return seeOther(uri);
      const text = t.problem("requestProblems-malformedRequest");
      const client = { clientHost: hostOf(target.uri), backToApp: uri };
      return show(400, { ...text, details: [...text.details, reason], client });
    }
    if (error instanceof UntrustedRequestError) {
      const { problem, reason, parameter, found, clientId } = error;
      events.refused({
        errorId,
        path,
        error: "untrusted request",
        reason: problem,
        found,
        clientId,
      });
      const text =
        problem === "repeatedParameter"
          ? t.problem("requestProblems-repeatedParameter", { name: parameter })
          : t.problem(`requestProblems-${problem}`);
      return show(400, { ...text, details: [...text.details, ...(reason ? [reason] : [])] });
    }
    if (error instanceof PageError) {
      events.refused({ errorId, path, error: "page", reason: error.problem });
      const text = t.problem(`requestProblems-${error.problem}`);
      const isOfAccount = error.problem === "passkeyNeeded";
      const { client: name } = error;
      const forClient = name === undefined ? [] : [t("problem-setUpFor", { client: name })];
      return show(error.status, {
        ...text,
        details: [...forClient, ...text.details],
        client: isOfAccount ? undefined : pending,
        isOfAccount,
      });
    }
    report(error, errorId, path, events);
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
  };
}

function refuseMethod(error: MethodError, errorId: string, path: string, events: Deps["events"]) {
  const { message: reason, method } = error;
  events.refused({ errorId, path, error: "method", reason, found: method.slice(0, 40) });
}

/** Costs much less than what it refuses. */
function refuseFlood(
  error: TooManyRequestsError | OverloadedError,
  errorId: string,
  http: HttpRequest,
  events: Deps["events"],
): Promise<HttpResponse> {
  report(error, errorId, loggedPath(http.path), events);
  const acceptLanguage = http.header("accept-language") ?? "";
  if (error instanceof OverloadedError) {
    return page(
      503,
      fixedProblemPage({ name: "overloaded" }, acceptLanguage, errorId),
      RETRY_AFTER,
    );
  }
  const headers = { "retry-after": String(error.retryAfter) };
  const problem = { name: "tooManyRequests", minutes: Math.ceil(error.retryAfter / 60) } as const;
  return page(429, fixedProblemPage(problem, acceptLanguage, errorId), headers);
}

/** A link that hands a set-up on is for the people it was sent to. */
function loggedPath(path: string): string {
  return path.startsWith("/set-up/") ? "/set-up/:link" : path;
}

/** Logs an error that endpoints of both kinds may have. */
function report(error: unknown, errorId: string, path: string, events: Deps["events"]): void {
  if (error instanceof ClientDocumentError) {
    const { message: reason, kind, host } = error;
    const found = `${kind} at ${host}`;
    events.refused({ errorId, path, error: "client document", reason, found });
  } else if (error instanceof TooManyRequestsError || error instanceof OverloadedError) {
    // One line for each flood: a line for each request would be a flood too.
    if (error.isFirst) {
      events.refused({ errorId, path, error: "rate limit", reason: error.message });
    }
  } else {
    events.failed({ errorId, path, cause: error });
  }
}
