// The page that offers to continue with a domain that is signed in in this browser.

import { html } from "hono/html";
import { eventText, type ShownEvent } from "./account-history.ts";
import {
  appNote,
  backLink,
  buttonForm,
  clientName,
  domainName,
  host,
  inlineDomain,
} from "./client.ts";
import { shownMoment } from "./dates.ts";
import { displayDomain } from "./domain-display.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { PageHtml } from "./messages.ts";
import { type EndedSession, endedSessions } from "./notice.ts";
import { signOutForms } from "./sign-out.ts";

export interface ContinuePageProps {
  /** At least one; the first is offered first. */
  domains: readonly string[];
  /** The query of the authorization request. */
  query: string;
  ended: readonly EndedSession[];
  /** What happened to these accounts in other browsers, since this one last showed it. */
  news?: readonly AccountNews[];
}

export interface AccountNews {
  readonly domain: string;
  readonly events: readonly ShownEvent[];
  /** Up to when, in epoch seconds. The form that continues sends it back. */
  readonly until: number;
}

export function continuePage(context: ClientPageContext, props: ContinuePageProps) {
  const { t, client } = context;
  const { domains, query, ended, news = [] } = props;
  const [domain = ""] = domains;
  const isOne = domains.length === 1;
  const heading = isOne
    ? t.html("continue-heading", { domain: domainName(domain) })
    : t("continue-choose");
  const body = html`<h1>${heading}</h1>
<p class="lead">${t.html("continue-client", { client: clientName(client.clientName), host: host(client.clientHost) })}</p>
${endedSessions(t, ended)}${news.map((one) => newsNotice(context, one))}${appNote(context)}
<div class="actions">
${domains.map((one, index) =>
  buttonForm(
    index === 0 ? "continue-form" : `continue-${index + 1}-form`,
    `/sign-in/continue?${query}`,
    isOne ? t("continue-submit") : t("continue-as", { domain: displayDomain(one).shown }),
    { kind: isOne ? "primary" : "", hidden: { domain: one, ...newsSeen(one, news) } },
  ),
)}
${buttonForm("other-domain-form", `/sign-in/other?${query}`, t("continue-other"))}
</div>
${signOutForms(context, { domains, query })}
${backLink(t, client)}`;
  const title = isOne ? t("continue-heading", { domain }) : t("continue-choose");
  return page({ ...context, step: "continue", title, body });
}

/** What happened elsewhere, and where to check it. */
export function newsNotice(context: ClientPageContext, { domain, events }: AccountNews): PageHtml {
  const { t, lang } = context;
  return html`<div class="notice" role="status">
<p class="summary">${t.html("continue-news", { domain: inlineDomain(domain) })}</p>
<ul class="problems">${events.map(
    (event) => html`<li>${eventText(context, event)} (${shownMoment(lang, event.at)})</li>`,
  )}</ul>
<p>${t("continue-newsCheck")}</p>
<p><a class="button" href="/account?domain=${domain}">${t("continue-newsAccount")}</a></p>
</div>`;
}

/** The field that says which news the person has seen. */
function newsSeen(domain: string, news: readonly AccountNews[]): Record<string, string> {
  const own = news.find((one) => one.domain === domain);
  return own === undefined ? {} : { news_seen: String(own.until) };
}
