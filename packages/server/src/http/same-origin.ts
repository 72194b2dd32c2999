// Whether a form post comes from one of our own pages.

import type { HttpRequest } from "./message.ts";

/**
 * Browsers say where a post comes from in `Sec-Fetch-Site`; those that do not send it say it in
 * `Origin`. A post that carries neither is refused.
 */
export function isSameOrigin(http: Pick<HttpRequest, "header">, issuer: string): boolean {
  const site = http.header("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return http.header("origin") === issuer;
}
