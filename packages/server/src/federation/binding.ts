// Whether whoever signed in at an external SP is the account that the record names.

import { acctOf } from "./acct.ts";
import type { SpProblem } from "./sp-problem.ts";

/** The claims of an ID token that has been checked; null, or what does not fit. A pure function. */
export function bindingProblem(
  claims: { readonly sub: string; readonly domain?: unknown; readonly acct?: unknown },
  record: {
    readonly sp: string;
    readonly domain: string;
    readonly acct: string;
    /** Whether the SP proves domains and accounts itself. */
    readonly isAware: boolean;
  },
): Pick<SpProblem, "kind" | "detail"> | null {
  const { sp, domain, acct } = record;
  if (record.isAware) {
    if (typeof claims.domain !== "string" || typeof claims.acct !== "string") {
      return { kind: "bad_answer", detail: "its ID token lacks domain or acct" };
    }
    if (claims.domain !== domain) {
      return { kind: "other_domain", detail: `its ID token is not for ${domain}` };
    }
    if (claims.acct === acct) return null;
    return { kind: "other_account", detail: "its ID token names another acct than the record" };
  }
  const found = acctOf(sp, claims.sub, domain);
  if (found === acct) return null;
  return { kind: "other_account", detail: `the account that signed in there is acct=${found}` };
}
