// The two ways out for what a handler throws: JSON, or a page that leads back to the app.

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
 * What an address is counted for. Not what a client with a secret is refused: its server speaks for
 * all who bring it bad codes.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof TokenError && !error.ofProvenClient;
}

/** The channel of JSON endpoints: a protocol error, or 503, or 500; never a redirect. */
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
      const words = sanitizeDescription(
        `could not fetch the client metadata document: ${error.message}`,
      );
      return json(503, body("temporarily_unavailable", words, errorId), RETRY_AFTER);
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
      ? json(
          503,
          body(
            "temporarily_unavailable",
            "the service is temporarily unavailable, try again later",
            errorId,
          ),
          RETRY_AFTER,
        )
      : json(500, body("server_error", "internal server error", errorId));
  };
}

/** The channel of pages: back to the client once it is proven, else a page. */
export function pageErrors({ events }: { readonly events: Events }): ErrorResponse {
  return async (thrown, errorId, http) => {
    const error = thrown instanceof CrossSiteError ? new PageError(403, "crossSitePost") : thrown;
    const { path } = http;
    const pending = error instanceof PageError ? error.pending : undefined;
    const pages = pagesWithout(http, pending?.query);
    const problems = pages.messages.requestProblems;
    if (error instanceof AuthorizationError) {
      events.refused({ errorId, path, error: error.code, reason: error.message });
      // What the person decided may send them on; a link to us alone may not (RFC 9700 §4.11.2).
      const isDecided = error.code === "access_denied";
      if (!error.target.isSelfRegistered || isDecided) return authorizationErrorResponse(error);
      const words = problems.malformedRequest;
      const details = [...words.details, error.message];
      const client = {
        clientHost: hostOf(error.target.uri),
        backToApp: authorizationErrorUri(error),
      };
      return page(400, problemPage(pages, { ...words, details, client, errorId }));
    }
    if (error instanceof ClientDocumentError) {
      events.refused(refusedDocument(error, errorId, path));
      const { kind, host, message } = error;
      const inside = message.replace(/\.$/, "");
      return kind === "bad"
        ? page(400, problemPage(pages, { ...problems.badClientDocument(host, inside), errorId }))
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
      const words =
        problem.name === "repeatedParameter"
          ? problems.repeatedParameter(problem.parameter.slice(0, 40))
          : problems[problem.name];
      return page(400, problemPage(pages, { ...words, errorId }));
    }
    if (error instanceof PageError) {
      events.refused({ errorId, path, error: "page", reason: error.problem });
      const words = problems[error.problem];
      return page(error.status, problemPage(pages, { ...words, client: pending, errorId }));
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
