// What happened to an account: the history on the account page, and news before a sign-in goes on.

import { html } from "hono/html";
import { shownDate, shownMoment } from "./dates.ts";
import { type ClientPageContext, type PageContext, page } from "./layout.ts";
import type { NameIn, PageHtml } from "./messages.ts";
import {
  backLink,
  browserName,
  buttonForm,
  clientName,
  closedSection,
  inlineDomain,
} from "./parts.ts";
import { signOutForms } from "./sign-out.ts";

export interface ShownEvent {
  /** Epoch seconds. */
  readonly at: number;
  readonly event: NameIn<"history-event">;
  /** The names of the client and of the passkey that the message contains. */
  readonly client?: string | undefined;
  readonly passkey?: string | undefined;
}

export interface ShownHistory {
  /** Of the oldest event that is kept, in epoch seconds. */
  readonly since: number;
  readonly events: readonly ShownEvent[];
  /** The path of the page with older events; null if there are none. */
  readonly older: string | null;
  /** Whether the person has asked for older events. */
  readonly isOpen: boolean;
}

/** What happened to an account in other browsers. */
export interface AccountNews {
  readonly domain: string;
  readonly events: readonly ShownEvent[];
  /** Up to when, in epoch seconds. The form that continues sends it back. */
  readonly until: number;
}

export function historySection(context: PageContext, history: ShownHistory): PageHtml {
  const { t, lang } = context;
  const { since, events, older, isOpen } = history;
  const items = events.map(
    (event) =>
      html`<li><p>${eventText(context, event)}</p><p class="aside">${shownMoment(lang, event.at)}</p></li>`,
  );
  const body = html`<p>${t("history-lead", { since: shownDate(lang, since) })}</p>
${items.length === 0 ? html`<p>${t("history-none")}</p>` : html`<ul class="entries">${items}</ul>`}
${older === null ? "" : html`<p><a id="older" class="entry" href="${older}">${t("history-older")}</a></p>`}`;
  return closedSection("history", t("history-title"), body, isOpen);
}

interface NewsPageProps {
  readonly news: AccountNews;
  readonly action: string;
  readonly query: string;
}

export function newsPage(context: ClientPageContext, { news, action, query }: NewsPageProps) {
  const { t, client } = context;
  const options = { kind: "primary", hidden: { news_seen: String(news.until) } };
  const body = html`${newsNotice(context, news)}
<div class="actions">
${buttonForm("news-form", action, t("continue-submit"), options)}
</div>
${signOutForms(context, [news.domain], query)}
${backLink(t, client)}`;
  return page({ ...context, step: "news", title: t("news-heading"), body });
}

/** What happened elsewhere, and where to check it. */
export function newsNotice(context: PageContext, { domain, events }: AccountNews): PageHtml {
  const { t, lang } = context;
  const items = events.map(
    (event) => html`<li>${eventText(context, event)} (${shownMoment(lang, event.at)})</li>`,
  );
  return html`<div class="notice" role="status">
<p class="summary">${t.html("continue-news", { domain: inlineDomain(domain) })}</p>
<ul class="problems">${items}</ul>
<p>${t("continue-newsCheck")}</p>
<p><a class="button" href="/account?domain=${domain}">${t("continue-newsAccount")}</a></p>
</div>`;
}

function eventText(context: PageContext, { event, client, passkey }: ShownEvent): PageHtml {
  return context.t.html(`history-event-${event}`, {
    client: clientName(client ?? ""),
    name: html`<bdi>${browserName(context, passkey ?? "")}</bdi>`,
  });
}
