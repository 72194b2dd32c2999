// Middleware for Express and what resembles it, without importing it.

import type { Gate } from "./gate.ts";

/** Of a request of `node:http`, what the middleware uses. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Express and connect: `url` before a router removed its own path. */
  readonly originalUrl?: string | undefined;
  /** Names and values by turns, with every repetition. */
  readonly rawHeaders: readonly string[];
}

/** Of a response of `node:http`, what the middleware uses. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

export type ExpressMiddleware = (
  request: NodeRequest,
  response: NodeResponse,
  next: (error?: unknown) => void,
) => void;

export function expressMiddleware(
  gate: Gate,
  requiredScopes: readonly string[],
): ExpressMiddleware {
  return (request, response, next) => {
    const { method = "GET", originalUrl, url = "/" } = request;
    const authorization = readAuthorization(request.rawHeaders);
    gate({ method, target: originalUrl ?? url, authorization }, requiredScopes)
      .then((decision) => {
        if (decision.outcome === "pass") {
          Object.assign(request, { auth: decision.auth });
          next();
          return;
        }
        const { status, headers, body } = decision.response;
        response.statusCode = status;
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        response.end(body);
      })
      .catch(next);
  };
}

/** `headers` would hide that there is more than one: Node keeps the first. */
function readAuthorization(rawHeaders: readonly string[]): string | undefined {
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "authorization",
  );
  return values.length === 0 ? undefined : values.join(", ");
}
