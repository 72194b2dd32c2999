// Responses of the demo's app, and its check of where a request comes from.

import type { PageHtml } from "./layout.ts";

/** No `form-action`: Chromium also applies it to the redirect to the service after "Sign in". */
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
};

export async function page(status: number, html: PageHtml): Promise<Response> {
  return new Response((await html).toString(), { status, headers: pageHeaders });
}

export function json(status: number, body: unknown): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}

/** 303: the next request is a GET, whatever the method of this one. */
export function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}

function mediaTypeOf(request: Request): string | undefined {
  return request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
}

/**
 * True for a request from this app's own pages, and for one from a script outside a browser, which
 * must not be a form. Browsers send Sec-Fetch-Site or Origin with every POST of a page.
 */
export function isOwnPost(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  const from = request.headers.get("origin");
  if ((site !== null && site !== "same-origin") || (from !== null && from !== origin)) return false;
  return site !== null || from !== null || !isForm(request);
}

export function isForm(request: Request): boolean {
  return mediaTypeOf(request) === "application/x-www-form-urlencoded";
}

/** The fields of a form; empty for any other media type. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(isForm(request) ? await request.text() : "");
}
