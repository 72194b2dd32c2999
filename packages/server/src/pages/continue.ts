// The page that offers to continue with a domain that is signed in in this browser.

import { html } from "hono/html";
import { appNote, backLink, buttonForm, clientName, domainName, host } from "./client.ts";
import { displayDomain } from "./domain-display.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { PageHtml } from "./messages.ts";
import { type EndedSession, endedSessions } from "./notice.ts";

export interface ContinuePageProps {
  /** At least one; the first is offered first. */
  domains: readonly string[];
  /** The query of the authorization request. */
  query: string;
  ended: readonly EndedSession[];
}

export function continuePage(context: ClientPageContext, props: ContinuePageProps) {
  const { t, client } = context;
  const { domains, query, ended } = props;
  const [domain = ""] = domains;
  const isOne = domains.length === 1;
  const heading = isOne
    ? t.html("continue-heading", { domain: domainName(domain) })
    : t("continue-choose");
  const body = html`<h1>${heading}</h1>
<p class="lead">${t.html("continue-client", { client: clientName(client.clientName), host: host(client.clientHost) })}</p>
${endedSessions(t, ended)}${appNote(context)}
<div class="actions">
${domains.map((one, index) =>
  buttonForm(
    index === 0 ? "continue-form" : `continue-${index + 1}-form`,
    `/sign-in/continue?${query}`,
    isOne ? t("continue-submit") : t("continue-as", { domain: displayDomain(one).shown }),
    { kind: isOne ? "primary" : "", hidden: { domain: one } },
  ),
)}
${buttonForm("other-domain-form", `/sign-in/other?${query}`, t("continue-other"))}
</div>
${signOutForms(context, { domains, query })}
${backLink(t, client)}`;
  const title = isOne ? t("continue-heading", { domain }) : t("continue-choose");
  return page({ ...context, step: "continue", title, body });
}

/** For a page that recognises somebody: signs out of these domains in this browser, one by one or all. */
export function signOutForms(
  { t }: Pick<ClientPageContext, "t">,
  { domains, query }: Pick<ContinuePageProps, "domains" | "query">,
): PageHtml {
  const action = `/sign-in/sign-out?${query}`;
  const all = buttonForm("sign-out-all-form", action, t("signOut-all"), {
    hidden: { which: "all" },
  });
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
${domains.length > 1 ? all : ""}
</div>
</details>`;
}
