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

/**
 * The record to publish, its name first as panels expect it, and help with DNS panels. The `<code>` elements with an
 * id contain only the exact strings: scripts read them, and one click selects all.
 */
export function recordSection(
  t: Translate,
  title: string,
  { domain, record }: { readonly domain: string; readonly record: RecordToPublish },
): PageHtml {
  // Most panels show the zone of the registered domain.
  const zone = zonesAbove(domain).at(-1) ?? domain;
  const body = html`<dl class="record">
<div><dt>${t.html("dns-nameIn", { zone: recordName(zone) })}</dt><dd><span dir="ltr" translate="no"><code id="dns-relative-name">${relativeTo(zone, record)}</code></span>${copyButton(t, "dns-relative-name", t("dns-name"))}</dd></div>
<div><dt>${t("dns-fullName")}</dt><dd><span dir="ltr" translate="no"><code id="dns-name">${record.name}</code></span>${copyButton(t, "dns-name", t("dns-fullName"))}</dd></div>
<div class="short"><dt>${t("dns-type")}</dt><dd><span dir="ltr" translate="no"><code id="dns-type">${record.type}</code></span></dd></div>
<div class="short"><dt>${t("dns-ttl")}</dt><dd><code>${String(record.ttl)}</code> <span class="aside">${t("dns-seconds")}</span></dd></div>
<div><dt>${t("dns-value")}</dt><dd><span dir="ltr" translate="no"><code id="dns-value">${record.value}</code></span>${copyButton(t, "dns-value", t("dns-value"))}</dd></div>
</dl>
${panelHelp(t, domain, record)}`;
  return section("record", title, body);
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
