// Whether a form post comes from one of our own pages.

/**
 * Browsers say where a post comes from in `Sec-Fetch-Site`; those that do not send it say it in
 * `Origin`. A post that carries neither is refused.
 */
export function isSameOrigin(headers: Headers, issuer: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return headers.get("origin") === issuer;
}
