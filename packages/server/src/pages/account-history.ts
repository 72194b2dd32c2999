// The history on the account page: what happened to the account, the newest first.

import { html } from "hono/html";
import { browserName } from "./browser-name.ts";
import { clientName } from "./client.ts";
import { shownDate, shownMoment } from "./dates.ts";
import type { PageContext } from "./layout.ts";
import type { NameIn, PageHtml } from "./messages.ts";

/** One entry, in the words of the page. */
export interface ShownEvent {
  /** Epoch seconds. */
  readonly at: number;
  readonly event: NameIn<"history-event">;
  /** The name of the client that the message contains. */
  readonly client?: string | undefined;
  /** The name of the passkey that the message contains. */
  readonly passkey?: string | undefined;
}

export interface ShownHistory {
  /** Of the oldest entry that is kept, in epoch seconds. */
  readonly since: number;
  readonly events: readonly ShownEvent[];
  /** The path of the page with older entries; null if there are none. */
  readonly older: string | null;
}

export function historySection(
  context: PageContext,
  { since, events, older }: ShownHistory,
): PageHtml {
  const { t, lang } = context;
  const items = events.map(
    (event) =>
      html`<li><p>${eventText(context, event)}</p><p class="aside">${shownMoment(lang, event.at)}</p></li>`,
  );
  return html`<section aria-labelledby="history-title">
<h2 id="history-title">${t("history-title")}</h2>
<p>${t("history-lead", { since: shownDate(lang, since) })}</p>
${items.length === 0 ? html`<p>${t("history-none")}</p>` : html`<ul class="entries">${items}</ul>`}
${older === null ? "" : html`<p><a id="older" class="entry" href="${older}">${t("history-older")}</a></p>`}
</section>`;
}

/** What happened, in words. */
export function eventText(context: PageContext, { event, client, passkey }: ShownEvent): PageHtml {
  return context.t.html(`history-event-${event}`, {
    client: clientName(client ?? ""),
    name: html`<bdi>${browserName(context, passkey ?? "")}</bdi>`,
  });
}
