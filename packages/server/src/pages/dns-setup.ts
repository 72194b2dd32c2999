// The page that shows the record to publish once, and what DNS says of it.

import { html } from "hono/html";
import { backLink, clientName, domainName, fill, host, inlineDomain, through } from "./client.ts";
import { type ClientPageContext, type PageContext, type PageHtml, page } from "./layout.ts";
import { type ByItself, byItselfHint, type Look, lookStatus } from "./notice.ts";
import { copyButton, panelHelp, type RecordToPublish, recordToPublish } from "./record.ts";

export type DnsSetupPageProps = {
  domain: string;
  record: RecordToPublish;
  /** Where "check now" is posted to. */
  action: string;
  /** They become valid when the record is seen. */
  recoveryCodes: string[];
  look: Look;
  byItself: ByItself;
  /** Where "a new record" is posted to; without it the button is not shown. */
  startOverAction?: string | undefined;
};

export function dnsSetupPage(context: ClientPageContext, props: DnsSetupPageProps): PageHtml {
  const { messages, client } = context;
  const words = messages.dnsSetup;
  const body = html`<h1>${fill(words.heading, domainName(props.domain))}</h1>
<p class="lead">${words.lead}</p>
<p class="aside">${fill(words.client, clientName(client.clientName), host(client.clientHost))}</p>
${through(context)}
<div class="notice warning">
<p class="summary">${fill(words.warning, inlineDomain(props.domain))}</p>
</div>
<section aria-labelledby="record-title">
<h2 id="record-title">${words.record}</h2>
${recordToPublish(messages, props.record)}
${panelHelp(messages, props.domain, props.record)}
</section>
<section aria-labelledby="check-title">
<h2 id="check-title">${words.check}</h2>
${lookStatus(messages, props.look)}
<form id="check-form" method="post" action="${props.action}">
<button class="button primary" aria-describedby="look">${words.submit}</button>
</form>
${byItselfHint(messages, props.byItself)}
</section>
${recoveryCodes(context, props)}
${props.startOverAction === undefined ? "" : startOver(context, props.startOverAction)}
${backLink(messages, client)}`;
  return page({ ...context, step: "dns-setup", title: words.heading(props.domain), body });
}

function recoveryCodes(
  { messages }: PageContext,
  { recoveryCodes: codes, domain }: DnsSetupPageProps,
): PageHtml {
  if (codes.length === 0) return html``;
  const words = messages.recoveryCodes;
  return html`<section aria-labelledby="codes-title" class="keep">
<h2 id="codes-title">${words.heading}</h2>
<p>${fill(words.why, inlineDomain(domain))}</p>
<ol class="codes" id="recovery-codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
<div class="codes-foot">${copyButton(messages, "recovery-codes", words.all)}<p class="hint">${words.valid}</p></div>
</section>`;
}

function startOver({ messages }: PageContext, action: string): PageHtml {
  const words = messages.dnsSetup.startOver;
  return html`<details id="start-over">
<summary>${words.title}</summary>
<p>${words.explanation}</p>
<form id="start-over-form" method="post" action="${action}">
<button class="button">${words.submit}</button>
</form>
</details>`;
}
