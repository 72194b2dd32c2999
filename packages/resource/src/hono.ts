// Middleware for Hono, without importing it.

import type { AccessToken } from "./access-token.ts";
import { decideFetch, toResponse } from "./fetch.ts";
import type { Gate } from "./gate.ts";

/**
 * The variables that the middleware sets:
 *
 * ```ts
 * const app = new Hono<{ Variables: AuthVariables }>();
 * ```
 */
export interface AuthVariables {
  auth: AccessToken;
}

/** Of Hono's context, what the middleware uses. */
export interface HonoContext {
  readonly req: { readonly raw: Request };
  set(key: "auth", value: AccessToken): void;
}

export type HonoMiddleware = (
  context: HonoContext,
  next: () => Promise<void>,
) => Promise<Response | undefined>;

export function honoMiddleware(gate: Gate, requiredScopes: readonly string[]): HonoMiddleware {
  return async (context, next) => {
    const decision = await decideFetch(gate, context.req.raw, requiredScopes);
    if (decision.outcome === "respond") return toResponse(decision.response);
    context.set("auth", decision.auth);
    await next();
    return undefined;
  };
}
