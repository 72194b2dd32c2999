// Headers that whole classes of answers share.

/**
 * What every page carries. There is no `form-action`: Chromium applies it to the redirect that
 * follows a form post, and silently kills the way back to the client.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  // `no-referrer` would make Chromium send `Origin: null` on our own form posts.
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
};

/** For a page that waits for DNS: it asks again by itself after these seconds, without script. */
export const ASKS_AGAIN: Readonly<Record<string, string>> = { refresh: "15" };

/** What every JSON answer carries: readable from any origin, since it never depends on a cookie. */
export const JSON_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "WWW-Authenticate, Retry-After",
};

export function json(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...JSON_HEADERS, ...headers } });
}

export async function page(
  status: number,
  html: { toString(): string } | Promise<{ toString(): string }>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return new Response((await html).toString(), {
    status,
    headers: { ...PAGE_HEADERS, "content-type": "text/html; charset=utf-8", ...headers },
  });
}

/** 303: the next request is a GET, whatever this one was. */
export function seeOther(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({
    location,
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
  });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}
