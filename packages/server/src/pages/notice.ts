// What a page says about something that went wrong or was found in DNS.

import { html } from "hono/html";
import { fill, recordName } from "./client.ts";
import type { PageHtml } from "./layout.ts";
import type { Messages } from "./messages.ts";

// Whoever writes to a zone may put much there: what a person reads of it is little.
const MOST_RECORDS = 6;
const MOST_VALUES = 2;
const MOST_LETTERS = 200;

const cut = (value: string) =>
  value.length > MOST_LETTERS ? `${value.slice(0, MOST_LETTERS)}…` : value;

/** A record as it was found in DNS, with what is wrong with it in words. */
export type FoundRecord = { value: string; problems: readonly string[] };

export type Notice = {
  summary: string;
  details?: readonly string[] | undefined;
  records?: FoundRecord[] | undefined;
};

/** What one DNS server said when it was asked for the record; `ttl` in seconds. */
export type ServerAnswer = {
  who: { kind: "resolver" | "name_server"; name: string };
  found: keyof Messages["servers"]["found"];
  values: readonly string[];
  ttl: number | null;
};

/** What the last look in DNS saw; `checkedAt` is shown as it is given. */
export type Look = Notice & {
  checkedAt?: string | undefined;
  servers?: { name: string; answers: readonly ServerAnswer[] } | undefined;
};

/** Whether the page looks again by itself, and the address of the same page where it is otherwise. */
export type ByItself = { isOn: boolean; other: string };

/** A page that renews itself must let its reader stop that. */
export function byItselfHint({ dns: words }: Messages, { isOn, other }: ByItself): PageHtml {
  return html`<p class="hint by-itself"><span>${isOn ? words.checksByItself : words.checksNoMore}</span>
<a id="by-itself" href="${other}">${isOn ? words.stopChecking : words.checkAgain}</a></p>`;
}

/** The notice above a field or form; `id` lets the field refer to it by `aria-describedby`. */
export function alert(messages: Messages, id: string, notice: Notice): PageHtml {
  return html`<div class="notice" id="${id}" role="alert">
<p class="summary">${notice.summary}</p>
${detailList(notice.details)}${foundRecords(messages, notice.records)}
</div>`;
}

/**
 * The state of the check in DNS: a status, not an alarm, since waiting is normal. What each server
 * said stands below it, for those who want to know.
 */
export function lookStatus(messages: Messages, look: Look): PageHtml {
  return html`${status(messages, look)}
${look.servers === undefined ? "" : serverAnswers(messages, look.servers)}`;
}

function status(messages: Messages, look: Look): PageHtml {
  return html`<div class="look" id="look" role="status">
<p class="summary">${look.summary}</p>
${detailList(look.details)}${foundRecords(messages, look.records)}
${look.checkedAt === undefined ? "" : html`<p class="aside">${messages.dns.checkedAt(look.checkedAt)}</p>`}
</div>`;
}

function serverAnswers(
  { servers: words }: Messages,
  { name, answers }: NonNullable<Look["servers"]>,
): PageHtml {
  return html`<details id="servers">
<summary>${words.title}</summary>
<p>${fill(words.question, recordName(name))}</p>
<ul class="servers">${answers.map(
    ({ who, found, values, ttl }) =>
      html`<li><p>${fill(
        who.kind === "resolver" ? words.resolver : words.nameServer,
        recordName(who.name),
      )} ${words.found[found]}.${
        ttl === null || who.kind === "name_server" || found === "wanted"
          ? ""
          : html` <span class="aside">${words.repeats(ttl)}</span>`
      }</p>${
        found === "other"
          ? values
              .slice(0, MOST_VALUES)
              .map(cut)
              .map((value) => html`<code dir="ltr">${value}</code>`)
          : ""
      }</li>`,
  )}</ul>
</details>`;
}

export function detailList(details: readonly string[] | undefined): PageHtml {
  return details === undefined ? html`` : html`${details.map((detail) => html`<p>${detail}</p>`)}`;
}

function foundRecords(messages: Messages, records: FoundRecord[] | undefined): PageHtml {
  if (records === undefined || records.length === 0) return html``;
  return html`<p class="label">${messages.dns.found(records.length)}</p>
<ul class="found">${records
    .slice(0, MOST_RECORDS)
    .map(
      ({ value, problems }) =>
        html`<li><code dir="ltr">${value}</code>${
          problems.length === 0
            ? ""
            : html`<ul class="problems">${problems.map((problem) => html`<li>${problem}</li>`)}</ul>`
        }</li>`,
    )}</ul>`;
}
