// Converts what a handler throws to JSON, or to a page or redirect.

import { CrossSiteError, type ErrorResponse } from "../http/pipeline.ts";
import { TooManyRequestsError } from "../http/rate-limit.ts";
import { json, page } from "../http/responses.ts";
import { PageError, UntrustedRequestError } from "../interaction/page-error.ts";
import { pagesWithout } from "../interaction/pages-for.ts";
import { UnavailableError } from "../lib/errors.ts";
import { problemPage } from "../pages/problem.ts";
import type { Events } from "../telemetry/events.ts";
import {
  AuthorizationError,
  authorizationErrorResponse,
  authorizationErrorUri,
  BearerError,
  bearerErrorResponse,
  sanitizeDescription,
  TokenError,
  tokenErrorResponse,
} from "./errors.ts";
import { hostOf } from "./redirect-target.ts";
import { ClientDocumentError } from "./remote-json.ts";

const RETRY_AFTER = { "retry-after": "2" };

/**
 * Whether an error counts against the rate limit of an address. Refusals of authenticated clients do
 * not count: such a client forwards the bad codes of all its users from one address.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof TokenError && !error.clientIsProven;
}

/** Errors of JSON endpoints: a protocol error, 429, 503 or 500, and never a redirect. */
export function jsonErrors({ events }: { readonly events: Events }): ErrorResponse {
  return (error, errorId, { path }) => {
    if (error instanceof TokenError) {
      events.refused({
        errorId,
        path,
        error: error.code,
        reason: error.message,
        found: error.detail,
      });
      return tokenErrorResponse(error, errorId);
    }
    if (error instanceof BearerError) {
      events.refused({ errorId, path, error: error.code ?? "no token", reason: error.message });
      return bearerErrorResponse(error, errorId);
    }
    if (error instanceof ClientDocumentError) {
      events.refused(refusedDocument(error, errorId, path));
      const text = sanitizeDescription(
        `could not fetch the client metadata document: ${error.message}`,
      );
      return json(503, body("temporarily_unavailable", text, errorId), RETRY_AFTER);
    }
    if (error instanceof TooManyRequestsError) {
      if (error.isFirst) {
        events.refused({ errorId, path, error: "rate limit", reason: error.message });
      }
      const answer = body("temporarily_unavailable", "too many failed requests", errorId);
      return json(429, answer, { "retry-after": String(error.retryAfter) });
    }
    events.failed({ errorId, path, cause: error });
    return error instanceof UnavailableError
      ? json(503, body("temporarily_unavailable", "try again later", errorId), RETRY_AFTER)
      : json(500, body("server_error", "internal server error", errorId));
  };
}

/** Errors of pages: a redirect to the client if its redirect_uri is valid, otherwise a page. */
export function pageErrors({ events }: { readonly events: Events }): ErrorResponse {
  return async (thrown, errorId, http) => {
    const error = thrown instanceof CrossSiteError ? new PageError(403, "crossSitePost") : thrown;
    const { path } = http;
    const pending = error instanceof PageError ? error.pending : undefined;
    const pages = pagesWithout(http, pending?.query);
    const problems = pages.messages.requestProblems;
    if (error instanceof AuthorizationError) {
      events.refused({ errorId, path, error: error.code, reason: error.message });
      // Without a decision of the user, a redirect would make us an open redirector (RFC 9700 §4.11.2).
      const isDecided = error.code === "access_denied";
      if (!error.target.isSelfRegistered || isDecided) return authorizationErrorResponse(error);
      const text = problems.malformedRequest;
      const details = [...text.details, error.message];
      const client = {
        clientHost: hostOf(error.target.uri),
        backToApp: authorizationErrorUri(error),
      };
      return page(400, problemPage(pages, { ...text, details, client, errorId }));
    }
    if (error instanceof ClientDocumentError) {
      events.refused(refusedDocument(error, errorId, path));
      const { kind, host, message } = error;
      const detail = message.replace(/\.$/, "");
      return kind === "bad"
        ? page(400, problemPage(pages, { ...problems.badClientDocument(host, detail), errorId }))
        : page(
            503,
            problemPage(pages, { ...problems.unreachableClient(host, message), errorId }),
            RETRY_AFTER,
          );
    }
    if (error instanceof UntrustedRequestError) {
      const { problem, found, clientId } = error;
      const reason = problem.name;
      events.refused({ errorId, path, error: "untrusted request", reason, found, clientId });
      const text =
        problem.name === "repeatedParameter"
          ? problems.repeatedParameter(problem.parameter.slice(0, 40))
          : problems[problem.name];
      return page(400, problemPage(pages, { ...text, errorId }));
    }
    if (error instanceof PageError) {
      events.refused({ errorId, path, error: "page", reason: error.problem });
      const text = problems[error.problem];
      return page(error.status, problemPage(pages, { ...text, client: pending, errorId }));
    }
    if (error instanceof TooManyRequestsError) {
      if (error.isFirst) {
        events.refused({ errorId, path, error: "rate limit", reason: error.message });
      }
      const headers = { "retry-after": String(error.retryAfter) };
      return page(429, problemPage(pages, { ...problems.tooManyRequests, errorId }), headers);
    }
    events.failed({ errorId, path, cause: error });
    return error instanceof UnavailableError
      ? page(503, problemPage(pages, { ...problems.temporarilyUnavailable, errorId }), RETRY_AFTER)
      : page(500, problemPage(pages, { ...problems.serverError, errorId }));
  };
}

function refusedDocument(error: ClientDocumentError, errorId: string, path: string) {
  const { message: reason, kind, host } = error;
  return { errorId, path, error: "client document", reason, found: `${kind} at ${host}` };
}

function body(error: string, error_description: string, error_id: string) {
  return { error, error_description, error_id };
}
