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
  const [domain, ...others] = domains;
  if (domain === undefined || others.length > 0) {
    const form = formOfSeveral(context.t, domains, query);
    return context.fill(renderSeveral, { query, form, links: everywhereLinks(context, domains) });
  }
  const { shown } = displayDomain(domain);
  return context.fill(renderOne, { query, domain, shown, account: accountPath(domain) });
}

interface OneSignedIn {
  readonly query: string;
  readonly domain: string;
  readonly shown: string;
  readonly account: string;
}

function renderOne({ t }: PageContext, { query, domain, shown, account }: OneSignedIn): PageHtml {
  const label = t("signOut-domain", { domain: shown });
  const form = buttonForm("sign-out-form", actionOf(query), label, { hidden: { which: domain } });
  return details(t, query, form, everywhereLink(account, t("account-signOutEverywhere")));
}

interface SeveralSignedIn {
  readonly query: string;
  readonly form: PageHtml;
  readonly links: PageHtml;
}

function renderSeveral({ t }: PageContext, { query, form, links }: SeveralSignedIn): PageHtml {
  return details(t, query, form, links);
}

function details(t: Translate, query: string, form: PageHtml, links: PageHtml): PageHtml {
  return html`<details id="sign-out">
<summary>${t("signOut-title")}</summary>
<p>${t("signOut-effect")}</p>
<div class="actions">
${form}
${signOutAllForm(t, query)}
</div>
${links}
</details>`;
}

/** One form, because each form repeats the request, which can be long. Each button says which domain. */
function formOfSeveral(t: Translate, domains: readonly string[], query: string): PageHtml {
  if (domains.length === 0) return html``;
  const buttons = domains.map((domain) => {
    const label = t("signOut-domain", { domain: displayDomain(domain).shown });
    return html`\n<button class="button" name="which" value="${domain}">${label}</button>`;
  });
  return html`<form id="sign-out-form" class="actions" method="post" action="${actionOf(query)}">${buttons}
</form>`;
}

/** Links to where each account page signs out everywhere, which needs a recent authentication. */
export function everywhereLinks({ t }: PageContext, domains: readonly string[]): PageHtml {
  const isOne = domains.length === 1;
  return html`${domains.map((domain, index) => {
    const values = { domain: displayDomain(domain).shown };
    const text = isOne ? t("account-signOutEverywhere") : t("signOut-everywhere", values);
    return everywhereLink(accountPath(domain), text, index);
  })}`;
}

function everywhereLink(account: string, text: string, index = 0): PageHtml {
  const id = `sign-out-everywhere${index === 0 ? "" : `-${index + 1}`}`;
  return html`<p><a id="${id}" class="entry" href="${account}#sign-out-title">${text}</a></p>`;
}

/** Signs out of all domains of this browser. `query` is that of the authorization request to go on with. */
export function signOutAllForm(t: Translate, query: string): PageHtml {
  const hidden = { which: "all" };
  return buttonForm("sign-out-all-form", actionOf(query), t("signOut-all"), { hidden });
}

function actionOf(query: string): string {
  return `/sign-in/sign-out?${query}`;
}

/** For a page about an account that is not signed in, in a browser where others are. */
export function otherAccounts(t: Translate): PageHtml {
  return html`<p class="lead">${t("account-othersSignedIn")}</p>
<p><a id="other-accounts" class="entry" href="/account">${t("account-others")}</a></p>`;
}
