// The page that offers to continue with a domain that is signed in in this browser.

import { html } from "hono/html";
import { type AccountNews, newsNotice } from "./account-events.ts";
import { displayDomain } from "./domain-display.ts";
import { type ClientPageContext, page } from "./layout.ts";
import { endedSessions, type ShownEnd } from "./notice.ts";
import { appNote, backLink, buttonForm, clientName, domainTitle, host } from "./parts.ts";
import { signOutForms } from "./sign-out.ts";

/** A domain that is signed in, and the proof that this page offered it to this browser. */
interface OfferedDomain {
  readonly domain: string;
  readonly proof: string;
}

interface ContinuePageProps {
  /** At least one; the first is offered first. */
  readonly offers: readonly OfferedDomain[];
  readonly query: string;
  readonly ended: readonly ShownEnd[];
  /** Of these accounts, since this browser last showed it. */
  readonly news?: readonly AccountNews[];
}

export function continuePage(context: ClientPageContext, props: ContinuePageProps) {
  const { t, client } = context;
  const { offers, query, ended, news = [] } = props;
  const domains = offers.map(({ domain }) => domain);
  const isOne = offers.length === 1;
  const names = { client: clientName(client.clientName), host: host(client.clientHost) };
  const continueForm = ({ domain, proof }: OfferedDomain, index: number) => {
    const id = index === 0 ? "continue-form" : `continue-${index + 1}-form`;
    const as = { domain: displayDomain(domain).shown };
    const label = isOne ? t("continue-submit") : t("continue-as", as);
    const hidden = { domain, proof, ...newsSeen(domain, news) };
    const kind = isOne ? "primary" : "";
    return buttonForm(id, `/sign-in/continue?${query}`, label, { kind, hidden });
  };
  const body = html`<p class="lead">${t.html("continue-client", names)}</p>
${endedSessions(t, ended)}${news.map((one) => newsNotice(context, one))}${appNote(context)}
<div class="actions">
${offers.map(continueForm)}
${buttonForm("other-domain-form", `/sign-in/other?${query}`, t("continue-other"))}
</div>
${signOutForms(context, domains, query)}
${backLink(t, client)}`;
  const titles = isOne
    ? domainTitle(t, "continue-heading", domains[0] ?? "")
    : { title: t("continue-choose") };
  return page({ ...context, ...titles, step: "continue", body });
}

function newsSeen(domain: string, news: readonly AccountNews[]): Record<string, string> {
  const own = news.find((one) => one.domain === domain);
  return own === undefined ? {} : { news_seen: String(own.until) };
}
