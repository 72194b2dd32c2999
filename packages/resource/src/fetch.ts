// Wraps a web-standard handler: Bun, Deno, workers.

import type { AccessToken } from "./access-token.ts";
import type { Gate, GateDecision, GateResponse } from "./gate.ts";

export type FetchHandler<Rest extends unknown[]> = (
  request: Request,
  auth: AccessToken,
  ...rest: Rest
) => Response | Promise<Response>;

export function wrapFetch<Rest extends unknown[]>(
  gate: Gate,
  handler: FetchHandler<Rest>,
  requiredScopes: readonly string[],
): (request: Request, ...rest: Rest) => Promise<Response> {
  return async (request, ...rest) => {
    const decision = await decideFetch(gate, request, requiredScopes);
    if (decision.outcome === "respond") return toResponse(decision.response);
    return handler(request, decision.auth, ...rest);
  };
}

export function decideFetch(
  gate: Gate,
  request: Request,
  requiredScopes: readonly string[],
): Promise<GateDecision> {
  const { pathname, search } = new URL(request.url);
  const authorization = request.headers.get("authorization");
  return gate({ method: request.method, target: pathname + search, authorization }, requiredScopes);
}

export function toResponse({ status, headers, body }: GateResponse): Response {
  // A response with 204 must not even have an empty body.
  return new Response(body === "" ? null : body, { status, headers });
}
