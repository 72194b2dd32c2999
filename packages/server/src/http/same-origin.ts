// Checks that a form post comes from one of our own pages.

import type { HttpRequest } from "./message.ts";

/**
 * Uses `Sec-Fetch-Site`, or `Origin` for browsers that do not send it. A post with neither header is
 * refused.
 */
export function isSameOrigin(http: Pick<HttpRequest, "header">, issuer: string): boolean {
  const site = http.header("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return http.header("origin") === issuer;
}
