// The pipeline: runs what a route requires, in order, around its handler. The only `try/catch` there.

import { type Random, systemRandom } from "../lib/random.ts";
import type { Handler, HttpRequest, HttpResponse } from "./message.ts";
import type { FloodLimit } from "./rate-limit.ts";
import { isSameOrigin } from "./same-origin.ts";

/** A form was posted by a page of another site. */
export class CrossSiteError extends Error {
  override name = "CrossSiteError";
}

/** What the handler needs, or the response that takes its place. */
export type Prepared<Context> = { readonly context: Context } | { readonly response: HttpResponse };

/** Turns an error into the response of one kind of endpoint. */
export type ErrorResponse = (
  error: unknown,
  errorId: string,
  http: HttpRequest,
) => HttpResponse | Promise<HttpResponse>;

export interface Route<Context> {
  readonly limit: FloodLimit;
  /** The origin that a request must come from; null for any. */
  readonly sameOrigin: string | null;
  /** Proves what the handler relies on. */
  readonly prepare: (http: HttpRequest) => Promise<Prepared<Context>> | Prepared<Context>;
  readonly handler: Handler<Context>;
  readonly errorResponse: ErrorResponse;
  readonly onResponse: (http: HttpRequest, status: number, milliseconds: number) => void;
}

/** The route as one function, which never rejects. */
export function pipeline<Context>(
  route: Route<Context>,
): (http: HttpRequest) => Promise<HttpResponse> {
  const { limit, sameOrigin, prepare, handler, errorResponse, onResponse } = route;
  const guarded = limit.guard(async (http) => {
    if (sameOrigin !== null && !isSameOrigin(http, sameOrigin)) throw new CrossSiteError();
    const prepared = await prepare(http);
    return "response" in prepared ? prepared.response : handler(prepared.context);
  });
  return async (http) => {
    const startedAt = performance.now();
    let response: HttpResponse;
    try {
      response = await guarded(http);
    } catch (error) {
      response = await errorResponse(error, newErrorId(systemRandom), http);
    }
    onResponse(http, response.status, performance.now() - startedAt);
    return response;
  };
}

/** Eight characters that can be read out on the telephone: no 0, 1, i, l, o. */
export function newErrorId(random: Random): string {
  const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";
  return Array.from(random(8), (octet) => alphabet[octet % alphabet.length]).join("");
}
