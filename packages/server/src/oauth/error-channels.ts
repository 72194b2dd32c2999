// The two ways out for what a handler throws: JSON, or a page that leads back to the app.

import type { ErrorAnswer } from "../http/channels.ts";
import { json, page } from "../http/headers.ts";
import { PageError, UntrustedRequestError } from "../interaction/page-error.ts";
import { UnavailableError } from "../lib/errors.ts";
import { problemPage } from "../pages/problem.ts";
import {
  AuthorizationError,
  authorizationErrorResponse,
  BearerError,
  bearerErrorResponse,
  TokenError,
  tokenErrorResponse,
} from "./errors.ts";
import type { OAuthParts } from "./parts.ts";

const RETRY_AFTER = { "retry-after": "2" };

/** The channel of JSON endpoints: a protocol error, or 503, or 500; never a redirect. */
export function jsonErrors({ events }: Pick<OAuthParts, "events">): ErrorAnswer {
  return (error, errorId, { path }) => {
    if (error instanceof TokenError) {
      events.refused({
        errorId,
        path,
        error: error.code,
        expected: error.message,
        found: error.detail,
      });
      return tokenErrorResponse(error, errorId);
    }
    if (error instanceof BearerError) {
      events.refused({ errorId, path, error: error.code ?? "no token", expected: error.message });
      return bearerErrorResponse(error, errorId);
    }
    events.failed({ errorId, path, cause: error });
    return error instanceof UnavailableError
      ? json(503, body("temporarily_unavailable", "try again in a moment", errorId), RETRY_AFTER)
      : json(500, body("server_error", "something went wrong on our side", errorId));
  };
}

/** The channel of pages: back to the client once it is proven, else a page. */
export function pageErrors({ events, pages }: Pick<OAuthParts, "events" | "pages">): ErrorAnswer {
  const problems = pages.messages.requestProblems;
  return (error, errorId, { path }) => {
    if (error instanceof AuthorizationError) {
      events.refused({ errorId, path, error: error.code, expected: error.message });
      return authorizationErrorResponse(error);
    }
    if (error instanceof UntrustedRequestError) {
      const { problem } = error;
      events.refused({ errorId, path, error: "untrusted request", expected: problem.name });
      const words =
        problem.name === "repeatedParameter"
          ? problems.repeatedParameter(problem.parameter.slice(0, 40))
          : problems[problem.name];
      return page(400, problemPage(pages, { ...words, errorId }));
    }
    if (error instanceof PageError) {
      events.refused({ errorId, path, error: "page", expected: error.problem });
      return page(
        error.status,
        problemPage(pages, { ...problems[error.problem], ...error.back, errorId }),
      );
    }
    events.failed({ errorId, path, cause: error });
    return error instanceof UnavailableError
      ? page(503, problemPage(pages, { ...problems.temporarilyUnavailable, errorId }), RETRY_AFTER)
      : page(500, problemPage(pages, { ...problems.serverError, errorId }));
  };
}

function body(error: string, error_description: string, error_id: string) {
  return { error, error_description, error_id };
}
