// Signing out, on each page that recognizes somebody: this domain here, all domains here, or everywhere.

import { html } from "hono/html";
import { displayDomain } from "./domain-display.ts";
import type { PageContext } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { accountPath, buttonForm } from "./parts.ts";

/** `domains` are those that the page knows of; more may be signed in in this browser. */
export function signOutForms(
  context: PageContext,
  domains: readonly string[],
  query: string,
): PageHtml {
  const { t } = context;
  return html`<details id="sign-out">
<summary>${t("signOut-title")}</summary>
<p>${t("signOut-effect")}</p>
<div class="actions">
${signOutDomains(t, domains, `/sign-in/sign-out?${query}`)}
${signOutAllForm(t, query)}
</div>
${everywhereLinks(context, domains)}
</details>`;
}

/** One form, because each form repeats the request, which can be long. A button of several says which domain. */
function signOutDomains(t: Translate, domains: readonly string[], action: string): PageHtml {
  const label = (domain: string) => t("signOut-domain", { domain: displayDomain(domain).shown });
  const [domain, ...others] = domains;
  if (domain === undefined) return html``;
  if (others.length === 0) {
    return buttonForm("sign-out-form", action, label(domain), { hidden: { which: domain } });
  }
  const buttons = domains.map(
    (one) => html`\n<button class="button" name="which" value="${one}">${label(one)}</button>`,
  );
  return html`<form id="sign-out-form" class="actions" method="post" action="${action}">${buttons}
</form>`;
}

/** Links to where each account page signs out everywhere, which needs a recent authentication. */
export function everywhereLinks({ t }: PageContext, domains: readonly string[]): PageHtml {
  return html`${domains.map((domain, index) => {
    const id = `sign-out-everywhere${index === 0 ? "" : `-${index + 1}`}`;
    const text =
      domains.length === 1
        ? t("account-signOutEverywhere")
        : t("signOut-everywhere", { domain: displayDomain(domain).shown });
    return html`<p><a id="${id}" class="entry" href="${accountPath(domain)}#sign-out-title">${text}</a></p>`;
  })}`;
}

/** Signs out of all domains of this browser. `query` is that of the authorization request to go on with. */
export function signOutAllForm(t: Translate, query: string): PageHtml {
  return buttonForm("sign-out-all-form", `/sign-in/sign-out?${query}`, t("signOut-all"), {
    hidden: { which: "all" },
  });
}

/** For a page about an account that is not signed in, in a browser where others are. */
export function otherAccounts(t: Translate): PageHtml {
  return html`<p class="lead">${t("account-othersSignedIn")}</p>
<p><a id="other-accounts" class="entry" href="/account">${t("account-others")}</a></p>`;
}
