// The record to publish, in the form in which a person copies it into a DNS panel.

import { html } from "hono/html";
import { tldts } from "../lib/lazy-libraries.ts";
import { format, recordName } from "./client.ts";
import type { PageHtml } from "./layout.ts";
import type { Messages } from "./messages.ts";

export interface RecordToPublish {
  name: string;
  type: "TXT";
  value: string;
  /** In seconds. */
  ttl: number;
}

/** The `<code>` elements with an id contain only the exact strings: scripts read them, and one click selects all. */
export function recordToPublish(messages: Messages, record: RecordToPublish): PageHtml {
  const text = messages.dns;
  return html`<dl class="record">
<div><dt>${text.name}</dt><dd><span dir="ltr" translate="no"><code id="dns-name">${record.name}</code></span>${copyButton(messages, "dns-name", text.name)}</dd></div>
<div class="short"><dt>${text.type}</dt><dd><span dir="ltr" translate="no"><code id="dns-type">${record.type}</code></span></dd></div>
<div class="short"><dt>${text.ttl}</dt><dd><code>${String(record.ttl)}</code> <span class="aside">${text.seconds}</span></dd></div>
<div><dt>${text.value}</dt><dd><span dir="ltr" translate="no"><code id="dns-value">${record.value}</code></span>${copyButton(messages, "dns-value", text.value)}</dd></div>
</dl>`;
}

/** Many panels append the zone's name automatically, the usual reason for a doubled name. */
export function panelHelp(messages: Messages, domain: string, record: RecordToPublish): PageHtml {
  const text = messages.dns.panel;
  return html`<details id="panel-help">
<summary>${text.title}</summary>
<p>${text.relative}</p>
<ul class="relative">${zonesAbove(domain).map(
    (zone) =>
      html`<li><span>${format(text.inZone, recordName(zone))}</span> <code dir="ltr" translate="no">${record.name.slice(0, -(zone.length + 1))}</code></li>`,
  )}</ul>
${text.paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
</details>`;
}

/** Hidden until the page's script shows it: the button does nothing without the script. */
export function copyButton(messages: Messages, target: string, what: string): PageHtml {
  return html`<button type="button" class="copy" data-copy="${target}" hidden>${messages.common.copy}<span class="visually-hidden"> ${what}</span></button>`;
}

/** The zones that a panel may show to the owner of `domain`: its own, and that of the registered domain. */
function zonesAbove(domain: string): string[] {
  const registered = tldts().getDomain(domain);
  return registered === null || registered === domain ? [domain] : [domain, registered];
}
