// Notices about problems, and the result of a check in DNS.

import { html } from "hono/html";
import { format, recordName } from "./client.ts";
import type { PageHtml } from "./layout.ts";
import type { Messages } from "./messages.ts";

// A zone can contain any amount of data, so a page shows only part of it.
const MAX_RECORDS = 6;
const MAX_VALUES = 2;
const MAX_VALUE_LENGTH = 200;

const truncate = (value: string) =>
  value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;

/** A record found in DNS, with descriptions of its problems. */
export interface FoundRecord {
  value: string;
  problems: readonly string[];
}

export interface Notice {
  summary: string;
  details?: readonly string[] | undefined;
  records?: FoundRecord[] | undefined;
}

/** The answer of one DNS server to the query for the record; `ttl` is in seconds. */
export interface ServerAnswer {
  who: { kind: "resolver" | "name_server"; name: string };
  found: keyof Messages["servers"]["found"];
  values: readonly string[];
  ttl: number | null;
}

/** The result of the last check in DNS; `checkedAt` is shown unchanged. */
export interface CheckResult extends Notice {
  checkedAt?: string | undefined;
  servers?: { name: string; answers: readonly ServerAnswer[] } | undefined;
}

/** Whether the page checks automatically, and the URL of the same page that does the opposite. */
export interface AutoCheck {
  isOn: boolean;
  other: string;
}

/** A page that reloads automatically must let people stop it (WCAG 2.2.2). */
export function autoCheckHint({ dns: text }: Messages, { isOn, other }: AutoCheck): PageHtml {
  return html`<p class="hint by-itself"><span>${isOn ? text.checksByItself : text.checksNoMore}</span>
<a id="by-itself" href="${other}">${isOn ? text.stopChecking : text.checkAgain}</a></p>`;
}

/** The notice above a field or form; `id` lets the field refer to it by `aria-describedby`. */
export function alert(messages: Messages, id: string, notice: Notice): PageHtml {
  return html`<div class="notice" id="${id}" role="alert">
<p class="summary">${notice.summary}</p>
${detailList(notice.details)}${foundRecords(messages, notice.records)}
</div>`;
}

/**
 * The result of the check in DNS, with the answer of each server in collapsed details. Its role is
 * `status` and not `alert`, because waiting is normal.
 */
export function checkStatus(messages: Messages, result: CheckResult): PageHtml {
  return html`${status(messages, result)}
${result.servers === undefined ? "" : serverAnswers(messages, result.servers)}`;
}

function status(messages: Messages, result: CheckResult): PageHtml {
  return html`<div class="look" id="look" role="status">
<p class="summary">${result.summary}</p>
${detailList(result.details)}${foundRecords(messages, result.records)}
${result.checkedAt === undefined ? "" : html`<p class="aside">${messages.dns.checkedAt(result.checkedAt)}</p>`}
</div>`;
}

function serverAnswers(
  { servers: text }: Messages,
  { name, answers }: NonNullable<CheckResult["servers"]>,
): PageHtml {
  return html`<details id="servers">
<summary>${text.title}</summary>
<p>${format(text.question, recordName(name))}</p>
<ul class="servers">${answers.map(
    ({ who, found, values, ttl }) =>
      html`<li><p>${format(
        who.kind === "resolver" ? text.resolver : text.nameServer,
        recordName(who.name),
      )} ${text.found[found]}.${
        ttl === null || who.kind === "name_server" || found === "wanted"
          ? ""
          : html` <span class="aside">${text.repeats(ttl)}</span>`
      }</p>${
        found === "other"
          ? values
              .slice(0, MAX_VALUES)
              .map(truncate)
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
    .slice(0, MAX_RECORDS)
    .map(
      ({ value, problems }) =>
        html`<li><code dir="ltr">${value}</code>${
          problems.length === 0
            ? ""
            : html`<ul class="problems">${problems.map((problem) => html`<li>${problem}</li>`)}</ul>`
        }</li>`,
    )}</ul>`;
}
