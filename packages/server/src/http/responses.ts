// Constructors for the common responses and their headers.

import type { HttpResponse } from "./message.ts";
import type { Answer } from "./router.ts";

/** The policy has no `form-action`: Chromium also applies it to the redirect after a form post, here to the client. */
const PAGE_HEADERS = {
  // What pages need, and what nobody should be asked for in our name.
  "permissions-policy":
    "publickey-credentials-create=(self), publickey-credentials-get=(self), camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  // With `no-referrer`, Chromium would send `Origin: null` on our own form posts.
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
};

const HTML_HEADERS = { ...PAGE_HEADERS, "content-type": "text/html; charset=utf-8" };

/** Headers of every JSON response. Any origin may read it, because it never depends on a cookie. */
export const JSON_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "WWW-Authenticate, Retry-After",
});

export function json(
  status: number,
  body: unknown,
  headers?: Record<string, string>,
): HttpResponse {
  const all = headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers };
  return { status, headers: all, body: JSON.stringify(body) };
}

export async function page(
  status: number,
  html: { toString(): string } | Promise<{ toString(): string }>,
  headers: HttpResponse["headers"] = {},
): Promise<HttpResponse> {
  return {
    status,
    // No spread, which is slower.
    headers: Object.assign({}, HTML_HEADERS, headers),
    body: (await html).toString(),
  };
}

export function withHeaders(answer: Answer, added: Readonly<Record<string, string>>): Answer {
  return async (http) => {
    const response = await answer(http);
    // No spread, which is slower.
    return { ...response, headers: Object.assign({}, response.headers, added) };
  };
}

/** Lets pages of these origins read the responses, and no others. */
export function withOrigins(answer: Answer, origins: readonly string[]): Answer {
  return async (http) => {
    const response = await answer(http);
    const origin = http.header("origin") ?? "";
    const isListed = origins.includes(origin);
    const headers = Object.entries(response.headers).filter(
      ([name]) => isListed || !name.startsWith("access-control-"),
    );
    const own = isListed ? { "access-control-allow-origin": origin } : {};
    return { ...response, headers: { ...Object.fromEntries(headers), ...own, vary: "origin" } };
  };
}

/** 303 makes the next request a GET, regardless of the method of this one. */
export function seeOther(location: string, cookies: readonly string[] = []): HttpResponse {
  const headers = { location, "cache-control": "no-store", "referrer-policy": "same-origin" };
  return { status: 303, headers: { ...headers, "set-cookie": cookies }, body: "" };
}

/** The response with these `Set-Cookie` values before its own, which may replace them. */
export function withCookies(response: HttpResponse, cookies: readonly string[]): HttpResponse {
  const own = [response.headers["set-cookie"] ?? []].flat();
  return { ...response, headers: { ...response.headers, "set-cookie": [...cookies, ...own] } };
}

export function pageMethodError(allow: string, errorId: string): HttpResponse {
  const headers = { ...PAGE_HEADERS, "content-type": "text/plain; charset=utf-8", allow };
  const body = `405 method not allowed: use ${allow}\nError ID: ${errorId}\n`;
  return { status: 405, headers, body };
}

/** The response of a JSON endpoint to a CORS preflight from any origin. */
export function preflight(allow: string): HttpResponse {
  return {
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": allow,
      "access-control-allow-headers": "Authorization, Content-Type",
      "access-control-max-age": "86400",
    },
    body: "",
  };
}

/** A file whose content never changes, compressed if the request's `Accept-Encoding` allows it. */
export function staticFile(
  file: {
    readonly contentType: string;
    readonly body: string;
    readonly gzipped: Uint8Array<ArrayBuffer>;
  },
  acceptEncoding: string | null,
): HttpResponse {
  const headers = {
    "content-type": file.contentType,
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
  };
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(acceptEncoding ?? "");
  if (!takesGzip) return { status: 200, headers, body: file.body };
  const encoded = { ...headers, "content-encoding": "gzip" };
  return { status: 200, headers: encoded, body: "", octets: file.gzipped };
}
