// The record to publish, as a person copies it into a DNS panel.

import { html } from "hono/html";
import { tldts } from "../lib/lazy-libraries.ts";
import { fill, recordName } from "./client.ts";
import type { PageHtml } from "./layout.ts";
import type { Messages } from "./messages.ts";

/** `ttl` is in seconds. */
export type RecordToPublish = { name: string; type: "TXT"; value: string; ttl: number };

/** The three `<code>` hold the exact strings and nothing else: scripts read them, and one click selects all. */
export function recordToPublish(messages: Messages, record: RecordToPublish): PageHtml {
  const words = messages.dns;
  return html`<dl class="record">
<div><dt>${words.name}</dt><dd><span dir="ltr" translate="no"><code id="dns-name">${record.name}</code></span>${copyButton(messages, "dns-name", words.name)}</dd></div>
<div class="short"><dt>${words.type}</dt><dd><span dir="ltr" translate="no"><code id="dns-type">${record.type}</code></span></dd></div>
<div class="short"><dt>${words.ttl}</dt><dd><code>${String(record.ttl)}</code> <span class="aside">${words.seconds}</span></dd></div>
<div><dt>${words.value}</dt><dd><span dir="ltr" translate="no"><code id="dns-value">${record.value}</code></span>${copyButton(messages, "dns-value", words.value)}</dd></div>
</dl>`;
}

/** Many panels append the zone's name by themselves, which is the most common way to publish a doubled name. */
export function panelHelp(messages: Messages, domain: string, record: RecordToPublish): PageHtml {
  const words = messages.dns.panel;
  return html`<details id="panel-help">
<summary>${words.title}</summary>
<p>${words.relative}</p>
<ul class="relative">${zonesAbove(domain).map(
    (zone) =>
      html`<li><span>${fill(words.inZone, recordName(zone))}</span> <code dir="ltr" translate="no">${record.name.slice(0, -(zone.length + 1))}</code></li>`,
  )}</ul>
${words.paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
</details>`;
}

/** Shown by the page's script only, since without it the button could do nothing. */
export function copyButton(messages: Messages, target: string, what: string): PageHtml {
  return html`<button type="button" class="copy" data-copy="${target}" hidden>${messages.common.copy}<span class="visually-hidden"> ${what}</span></button>`;
}

/** The zones that the owner of `domain` may be looking at in a panel: its own, or that of the registered domain. */
function zonesAbove(domain: string): string[] {
  const registered = tldts().getDomain(domain);
  return registered === null || registered === domain ? [domain] : [domain, registered];
}
