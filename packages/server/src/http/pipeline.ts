// Runs the checks of a route in order, then its handler, and converts errors to responses.

import { type Random, systemRandom } from "../lib/random.ts";
import type { Handler, HttpRequest, HttpResponse } from "./message.ts";
import type { FloodLimit } from "./rate-limit.ts";
import type { Answer } from "./router.ts";

export class CrossSiteError extends Error {
  override name = "CrossSiteError";
}

/** The context that the handler needs, or a response that replaces the handler's. */
export type Prepared<Context> = { readonly context: Context } | { readonly response: HttpResponse };

export type ErrorResponse = (
  error: unknown,
  errorId: string,
  http: HttpRequest,
) => HttpResponse | Promise<HttpResponse>;

export interface Route<Context> {
  /** Rejects if requests of this kind cannot be answered now; null if they can. */
  readonly settle: () => Promise<void> | null;
  readonly limit: FloodLimit;
  /** Whether a request may come from where it comes from; null allows any. */
  readonly mayComeFrom: ((http: HttpRequest) => boolean) | null;
  /** Checks what the handler requires and builds its context. */
  readonly prepare: (http: HttpRequest) => Promise<Prepared<Context>> | Prepared<Context>;
  readonly handler: Handler<Context>;
  readonly errorResponse: ErrorResponse;
  readonly onResponse: (http: HttpRequest, status: number, milliseconds: number) => void;
}

/** Returns the route as one function, which never rejects. */
export function pipeline<Context>(route: Route<Context>): Answer {
  const { settle, limit, mayComeFrom, prepare, handler, errorResponse, onResponse } = route;
  const guarded = limit(async (http) => {
    if (mayComeFrom !== null && !mayComeFrom(http)) throw new CrossSiteError();
    const settling = settle();
    if (settling !== null) await settling;
    const preparing = prepare(http);
    // Awaiting a plain value would let Node buffer the body first.
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    return "response" in prepared ? prepared.response : await handler(prepared.context);
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

/** Whether a form post comes from one of our own pages, by `Sec-Fetch-Site` or, without that header, by `Origin`. */
export function isSameOrigin(http: HttpRequest, issuer: string): boolean {
  const site = http.header("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return http.header("origin") === issuer;
}

/** Whether a request comes from a page of a listed origin, or from no page: a browser sends `Origin` with each. */
export function isOfOrigins(http: HttpRequest, origins: readonly string[]): boolean {
  const origin = http.header("origin");
  return origin === null || origins.includes(origin);
}

/** Eight characters without 0, 1, i, l and o, which are easily confused when read aloud. */
export function newErrorId(random: Random): string {
  const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";
  return Array.from(random(8), (octet) => alphabet[octet % alphabet.length]).join("");
}
