// Notices about problems, and the result of a check in DNS.

import { html } from "hono/html";
import { shownTime } from "./dates.ts";
import { displayDomain } from "./domain-display.ts";
import { CHECK_INTERVAL_S, SLOW_CHECK_INTERVAL_S } from "./layout.ts";
import type { NameIn, PageHtml, Translate } from "./messages.ts";
import { inlineDomain, paragraphs, recordName } from "./parts.ts";

// A zone can contain any amount of data, so a page shows only part of it.
const MAX_RECORDS = 6;
const MAX_VALUES = 2;
const MAX_VALUE_LENGTH = 200;

/** A part of a value; the parts that differ from what the record should say are marked. */
interface MarkedPiece {
  readonly text: string;
  readonly isDifferent: boolean;
}

type MarkedValue = string | readonly MarkedPiece[];

interface RecordNotice {
  readonly value: MarkedValue;
  readonly problems: readonly string[];
}

export interface Notice {
  readonly summary: string;
  readonly details?: readonly string[] | undefined;
  readonly records?: readonly RecordNotice[] | undefined;
}

/** The answer of one DNS server to the query for the record; `ttl` is in seconds. */
interface ShownServerAnswer {
  readonly who: { readonly kind: "resolver" | "name_server"; readonly name: string };
  readonly found: NameIn<"servers-found">;
  readonly values: readonly MarkedValue[];
  readonly ttl: number | null;
}

interface AnswersOfServers {
  readonly name: string;
  readonly answers: readonly ShownServerAnswer[];
}

/** The result of the last check in DNS. */
export interface CheckResult extends Notice {
  /** Epoch seconds. */
  readonly checkedAt?: number | undefined;
  readonly servers?: AnswersOfServers | undefined;
}

/** Whether the page checks automatically, and the URL of the same page that does the opposite. */
export interface AutoCheck {
  readonly isOn: boolean;
  readonly other: string;
}

/** A page that checks automatically must let people stop it (WCAG 2.2.2). */
export function autoCheckHint(t: Translate, { isOn, other }: AutoCheck): PageHtml {
  return html`<p class="hint by-itself"><span>${t(isOn ? "dns-checksByItself" : "dns-checksNoMore")}</span>
<a id="by-itself" href="${other}">${t(isOn ? "dns-stopChecking" : "dns-checkAgain")}</a></p>`;
}

/** The line with the result of the last check, and below it, closed, the button that checks again. */
export function checkLive(
  t: Translate,
  check: {
    readonly action: string;
    readonly submit: string;
    readonly result: CheckResult;
    readonly autoCheck?: AutoCheck | undefined;
    /** What some panels need, above the answers of the servers. */
    readonly help: PageHtml;
    /** What else a person can do, below the answers of the servers. */
    readonly more: PageHtml;
  },
): PageHtml {
  const { action, submit, result, autoCheck, help, more } = check;
  const checkNow = html`<form id="check-form" method="post" action="${action}">
<button class="button" aria-describedby="look">${submit}</button>
</form>
${autoCheck === undefined ? "" : autoCheckHint(t, autoCheck)}`;
  return html`${liveLine(t, result, autoCheck, "dns-checksEnded")}
<div class="more">
${help}
${serversSection(t, t("dns-serversOrCheck"), result, checkNow)}
${more}
</div>`;
}

/** The notice above a field or form; `id` lets the field refer to it by `aria-describedby`. */
export function alert(t: Translate, id: string, notice: Notice): PageHtml {
  return html`<div class="notice" id="${id}" role="alert">
<p class="summary">${notice.summary}</p>
${paragraphs(notice.details ?? [])}${foundRecords(t, notice.records)}
</div>`;
}

/** So that nobody replaces their account without knowing it. */
export function knownNotice(t: Translate, domain: string, formerRecord: string): PageHtml {
  return html`<div class="notice warning" id="known-account">
<p class="summary">${t.html("dnsSetup-known", { domain: inlineDomain(domain) })}</p>
<p>${t("dnsSetup-knownEffect")}</p>
<p><a class="button" href="${formerRecord}">${t("dnsSetup-restore")}</a></p>
</div>`;
}

/** A session that ended without the user's doing in this browser. */
export interface ShownEnd {
  readonly domain: string;
  readonly reason: NameIn<"sessionEnded">;
}

export function endedSessions(t: Translate, ended: readonly ShownEnd[]): PageHtml {
  return html`${ended.map(({ domain, reason }, index) => {
    const texts = { domain: displayDomain(domain).shown };
    const notice = t.explanation(`sessionEnded-${reason}`, texts);
    return alert(t, `session-ended-${index + 1}`, notice);
  })}`;
}

/** The result of the check, with each server's answer in collapsed details. */
export function checkStatus(
  t: Translate,
  result: CheckResult,
  autoCheck: AutoCheck | undefined,
  /** What the page says once it can no longer check by itself. */
  ended: "dns-checksEnded" | "dns-checksEndedReload" = "dns-checksEnded",
): PageHtml {
  return html`${liveLine(t, result, autoCheck, ended)}
${serversSection(t, t("servers-title"), result)}`;
}

/**
 * Its role is `status` and not `alert`, because waiting is normal. The script of a page that checks by itself replaces
 * what changed and, once the record is seen, offers to go on.
 */
function liveLine(
  t: Translate,
  result: CheckResult,
  autoCheck: AutoCheck | undefined,
  ended: "dns-checksEnded" | "dns-checksEndedReload",
): PageHtml {
  const isOn = autoCheck?.isOn === true;
  const lessOften = t("dns-lookingSlowly");
  const live = html` data-every="${String(CHECK_INTERVAL_S)}" data-slowly="${String(SLOW_CHECK_INTERVAL_S)}" data-less-often="${lessOften}" data-seen="${t("looks-seen")}" data-continue="${t("domain-submit")}" data-ended="${t(ended)}"`;
  // The script shows the first sentence; without script, the page is loaded again more slowly.
  const looking = html`<p class="looking"><b id="looking" hidden>${t("dns-looking")}</b><noscript><b>${lessOften}</b></noscript></p>
`;
  return html`<div class="look" id="look"${isOn ? live : ""}>
${isOn ? looking : ""}<div id="look-result" role="status">
<p class="summary">${result.summary}</p>
${paragraphs(result.details ?? [])}${foundRecords(t, result.records)}
</div>
</div>`;
}

/** The script replaces the answers and the time. The time is outside of what is read aloud. */
function serversSection(
  t: Translate,
  title: string,
  { servers, checkedAt }: CheckResult,
  more: PageHtml = html``,
): PageHtml {
  const time =
    checkedAt === undefined ? "" : t.html("dns-checkedAt", { time: shownAgo(checkedAt) });
  return html`<details id="servers">
<summary>${title}</summary>
<div id="look-servers">${servers === undefined ? "" : serverAnswers(t, servers)}</div>
<p class="aside" id="look-time">${time}</p>
${more}</details>`;
}

/** The script adds how long ago that was, in the time zone of the reader. */
export function shownAgo(seconds: number): PageHtml {
  const iso = new Date(seconds * 1000).toISOString().replace(".000", "");
  return html`<time datetime="${iso}" data-ago>${shownTime(seconds)}</time>`;
}

function serverAnswers(t: Translate, { name, answers }: AnswersOfServers): PageHtml {
  const items = answers.map(({ who, found, values, ttl }) => {
    const repeats = ttl !== null && who.kind !== "name_server" && found !== "wanted";
    const note = repeats
      ? html` <span class="aside">${t("servers-repeats", { seconds: ttl })}</span>`
      : "";
    const others = found === "other" ? values.slice(0, MAX_VALUES).map(truncate) : [];
    const codes = others.map(valueCode);
    return html`<li><p>${serverName(t, who)} ${t(`servers-found-${found}`)}.${note}</p>${codes}</li>`;
  });
  return html`<p>${t.html("servers-question", { name: recordName(name) })}</p>
<ul class="servers">${items}</ul>`;
}

function serverName(t: Translate, { kind, name }: ShownServerAnswer["who"]): PageHtml {
  return kind === "resolver"
    ? t.html("servers-resolver", { address: recordName(name) })
    : t.html("servers-nameServer", { name: recordName(name) });
}

export function foundRecords(t: Translate, records: readonly RecordNotice[] = []): PageHtml {
  if (records.length === 0) return html``;
  const items = records.slice(0, MAX_RECORDS).map(({ value, problems }) => {
    const list = problems.map((problem) => html`<li>${problem}</li>`);
    return html`<li>${valueCode(value)}${list.length === 0 ? "" : html`<ul class="problems">${list}</ul>`}</li>`;
  });
  return html`<p class="label">${t("dns-found", { count: records.length })}</p>
<ul class="found">${items}</ul>`;
}

function piecesOf(value: MarkedValue): readonly MarkedPiece[] {
  return typeof value === "string" ? [{ text: value, isDifferent: false }] : value;
}

function valueCode(value: MarkedValue): PageHtml {
  const pieces = piecesOf(value).map(({ text, isDifferent }) =>
    isDifferent ? html`<mark>${text}</mark>` : html`${text}`,
  );
  return html`<code dir="ltr">${pieces}</code>`;
}

function truncate(value: MarkedValue): MarkedValue {
  const pieces = piecesOf(value);
  let left = MAX_VALUE_LENGTH;
  const kept = pieces.flatMap((piece) => {
    const text = piece.text.slice(0, left);
    left -= text.length;
    return text === "" ? [] : [{ ...piece, text }];
  });
  const isWhole = pieces.every(({ text }, index) => kept[index]?.text === text);
  return isWhole ? kept : [...kept, { text: "…", isDifferent: false }];
}
