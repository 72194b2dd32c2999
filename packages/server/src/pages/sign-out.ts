// Signing out, on each page that recognizes somebody: this domain here, all domains here, or everywhere.

import { html } from "hono/html";
import { buttonForm } from "./client.ts";
import { displayDomain } from "./domain-display.ts";
import type { PageContext } from "./layout.ts";
import type { PageHtml } from "./messages.ts";

/**
 * `domains` are those that the page knows of; more may be signed in in this browser. Signing out everywhere is on the
 * account page, because it needs a recent authentication.
 */
export function signOutForms(
  { t }: PageContext,
  { domains, query }: { readonly domains: readonly string[]; readonly query: string },
): PageHtml {
  const action = `/sign-in/sign-out?${query}`;
  const of = domains.length === 1 ? `?${new URLSearchParams({ domain: domains[0] ?? "" })}` : "";
  return html`<details id="sign-out">
<summary>${t("signOut-title")}</summary>
<p>${t("signOut-effect")}</p>
<div class="actions">
${domains.map((domain, index) =>
  buttonForm(
    index === 0 ? "sign-out-form" : `sign-out-${index + 1}-form`,
    action,
    t("signOut-domain", { domain: displayDomain(domain).shown }),
    { hidden: { which: domain } },
  ),
)}
${signOutAllForm(t, query)}
</div>
<p><a id="sign-out-everywhere" class="entry" href="/account${of}#sign-out-title">${t("account-signOutEverywhere")}</a></p>
</details>`;
}

/** Signs out of all domains of this browser. `query` is that of the authorization request to go on with. */
export function signOutAllForm(t: PageContext["t"], query: string): PageHtml {
  return buttonForm("sign-out-all-form", `/sign-in/sign-out?${query}`, t("signOut-all"), {
    hidden: { which: "all" },
  });
}
