// The scopes of this service, and which of those that a client requests are granted.

import { displayDomain } from "../pages/domain-display.ts";

/** The scopes that mean something here. Others have nothing behind them, so they are not granted. */
export const SERVICE_SCOPES: readonly string[] = ["openid", "profile", "offline_access"];

/** An ignored scope is no error (RFC 6749 §3.3): the token response states which scopes were granted. */
export function chooseScopes(requested: readonly string[], { scope }: { readonly scope: string }) {
  const allowed = scope.split(" ").filter((name) => SERVICE_SCOPES.includes(name));
  return {
    granted: requested.filter((name) => allowed.includes(name)),
    ignored: requested.filter((name) => !allowed.includes(name)),
  };
}

/** The claims that `profile` opens (OIDC Core §5.4): what a domain can say. `domain` is in A-labels. */
export function profileClaims(domain: string) {
  const name = displayDomain(domain).shown;
  return { name, preferred_username: name, website: `https://${domain}/` };
}

/** The distinct values of a space-separated list. */
export function spaceSeparated(list = ""): string[] {
  return [...new Set(list.split(" ").filter((value) => value !== ""))];
}
