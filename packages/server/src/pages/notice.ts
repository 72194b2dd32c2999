// What a page says about something that went wrong or was found in DNS.

import { html } from "hono/html";
import type { PageHtml } from "./layout.ts";
import type { Messages } from "./messages/en.ts";

/** A record as it was found in DNS, with what is wrong with it in words. */
export type FoundRecord = { value: string; problems: string[] };

export type Notice = {
  summary: string;
  details?: string[] | undefined;
  records?: FoundRecord[] | undefined;
};

/** What the last look in DNS saw; `checkedAt` is shown as it is given. */
export type Look = Notice & { checkedAt?: string | undefined };

/** The notice above a field or form; `id` lets the field refer to it by `aria-describedby`. */
export function alert(messages: Messages, id: string, notice: Notice): PageHtml {
  return html`<div class="notice" id="${id}" role="alert">
<p class="summary">${notice.summary}</p>
${detailList(notice.details)}${foundRecords(messages, notice.records)}
</div>`;
}

/** The state of the check in DNS: a status, not an alarm, since waiting is normal. */
export function lookStatus(messages: Messages, look: Look): PageHtml {
  return html`<div class="look" id="look" role="status">
<p class="summary">${look.summary}</p>
${detailList(look.details)}${foundRecords(messages, look.records)}
${look.checkedAt === undefined ? "" : html`<p class="aside">${messages.dns.checkedAt(look.checkedAt)}</p>`}
</div>`;
}

export function detailList(details: string[] | undefined): PageHtml {
  return details === undefined ? html`` : html`${details.map((detail) => html`<p>${detail}</p>`)}`;
}

function foundRecords(messages: Messages, records: FoundRecord[] | undefined): PageHtml {
  if (records === undefined || records.length === 0) return html``;
  return html`<p class="label">${messages.dns.found(records.length)}</p>
<ul class="found">${records.map(
    ({ value, problems }) =>
      html`<li><code>${value}</code>${
        problems.length === 0
          ? ""
          : html`<ul class="problems">${problems.map((problem) => html`<li>${problem}</li>`)}</ul>`
      }</li>`,
  )}</ul>`;
}
