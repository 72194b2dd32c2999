// The record to publish, in the form in which a person copies it into a DNS panel.

import { html } from "hono/html";
import { tldts } from "../lib/lazy-libraries.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { paragraphs, recordName, section } from "./parts.ts";

export interface RecordToPublish {
  readonly name: string;
  readonly type: "TXT";
  readonly value: string;
  /** In seconds. */
  readonly ttl: number;
}

/** Where the owner of a zone edits it. */
export interface ShownPanel {
  readonly name: string;
  /** Of the page with the DNS records. */
  readonly link: string;
  /** What the panel calls the name of a record. */
  readonly hostField: string;
  /** Whether the panel adds the name of the zone to the name of a record. */
  readonly addsZone: boolean;
  /** Whether the person has to enter the value in quotation marks. */
  readonly wantsQuotes: boolean;
}

interface ShownRecord {
  readonly domain: string;
  readonly record: RecordToPublish;
  readonly panel?: ShownPanel | null;
}

/** The record under a heading, and help with DNS panels. */
export function recordSection(t: Translate, title: string, shown: ShownRecord): PageHtml {
  const body = html`${recordTable(t, shown)}
${recordHelp(t, shown)}`;
  return section("record", title, body);
}

/**
 * The record to publish. The `<code>` elements with an id contain only the exact strings: scripts read them, and one
 * click selects all. `under` is directly below the record.
 */
export function recordTable(
  t: Translate,
  shown: ShownRecord & { readonly under?: PageHtml },
): PageHtml {
  const { record, panel = null, under = html`` } = shown;
  const name = shownName(shown);
  const value = panel?.wantsQuotes ? `"${record.value}"` : record.value;
  const label = panel?.hostField ?? t("dns-name");
  return html`<dl class="record">
<div><dt>${t("dns-type")}</dt><dd><code id="dns-type" dir="ltr" translate="no">${record.type}</code></dd></div>
<div><dt>${label}</dt><dd><code id="${name.id}" dir="ltr" translate="no">${name.text}</code>${copyButton(t, name.id, label)}</dd></div>
<div><dt>${t("dns-value")}</dt><dd><code id="dns-value" dir="ltr" translate="no">${value}</code>${copyButton(t, "dns-value", t("dns-value"))}</dd></div>
</dl>
<div class="under">${under}<label class="check"><input type="checkbox" id="whole-value"> ${t("dns-showAll")}</label></div>`;
}

/** Most panels show the zone of the registered domain, and add its name to that of a record. */
function shownName({ domain, record, panel = null }: ShownRecord) {
  if (panel?.addsZone === false) return { id: "dns-name", text: record.name } as const;
  const zone = zonesAbove(domain).at(-1) ?? domain;
  return { id: "dns-relative-name", text: relativeTo(zone, record) } as const;
}

/** What some panels need, closed. */
export function recordHelp(t: Translate, shown: ShownRecord): PageHtml {
  const { domain, record, panel = null } = shown;
  const strings = splitStrings(record.value);
  return html`${shownName(shown).id === "dns-name" ? "" : fullName(t, record)}
${strings.length > 1 ? stringsOf(t, strings) : ""}
${panel === null ? panelHelp(t, domain, record) : ""}`;
}

export function panelLine(t: Translate, { name, link }: ShownPanel): PageHtml {
  const strong = html`<b>${name}</b>`;
  return html`<p class="panel"><span>${t.html("dns-panelAt", { panel: strong })}</span> <a id="open-panel" href="${link}" target="_blank" rel="noopener noreferrer">${t("dns-panelOpen", { panel: name })}</a></p>`;
}

function fullName(t: Translate, { name }: RecordToPublish): PageHtml {
  return html`<details id="full-name">
<summary>${t("dns-wantsFullName")}</summary>
<p><code id="dns-name" dir="ltr" translate="no">${name}</code> ${copyButton(t, "dns-name", t("dns-fullName"))}</p>
</details>`;
}

/** The strings of a TXT record with this value, for panels that do not split a long one by themselves (RFC 1035 §3.3). */
export function splitStrings(value: string): readonly string[] {
  return value.match(/.{1,255}/gs) ?? [];
}

function stringsOf(t: Translate, strings: readonly string[]): PageHtml {
  return html`<details id="two-strings">
<summary>${t("dns-twoStrings")}</summary>
${strings.map((text) => html`<p><code dir="ltr" translate="no">"${text}"</code></p>`)}
</details>`;
}

/** Many panels append the zone's name automatically, the usual reason for a doubled name. */
function panelHelp(t: Translate, domain: string, record: RecordToPublish): PageHtml {
  return html`<details id="panel-help">
<summary>${t("dns-panel-title")}</summary>
<p>${t("dns-panel-relative")}</p>
<ul class="relative">${zonesAbove(domain).map(
    (zone) =>
      html`<li><span>${t.html("dns-panel-inZone", { zone: recordName(zone) })}</span> <code dir="ltr" translate="no">${relativeTo(zone, record)}</code></li>`,
  )}</ul>
${paragraphs(t.paragraphs("dns-panel-paragraphs"))}
<p>${t("dns-ttl", { ttl: String(record.ttl) })}</p>
</details>`;
}

/** Hidden until the page's script shows it: the button does nothing without the script. */
export function copyButton(t: Translate, target: string, what: string): PageHtml {
  return html`<button type="button" class="copy" data-copy="${target}" hidden>${t("common-copy")}<span class="visually-hidden"> ${what}</span></button>`;
}

function relativeTo(zone: string, { name }: RecordToPublish): string {
  return name.slice(0, -(zone.length + 1));
}

/** The zones that a panel may show to the owner of `domain`: its own, and that of the registered domain. */
function zonesAbove(domain: string): string[] {
  const registered = tldts().getDomain(domain);
  return registered === null || registered === domain ? [domain] : [domain, registered];
}
