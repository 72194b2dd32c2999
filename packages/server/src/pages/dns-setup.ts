// The setup page: the record to publish, the result of checking it in DNS, and the recovery codes.

import { html } from "hono/html";
import { appNote, backLink, clientName, domainName, format, host, inlineDomain } from "./client.ts";
import { type ClientPageContext, type PageContext, type PageHtml, page } from "./layout.ts";
import { type AutoCheck, autoCheckHint, type CheckResult, checkStatus } from "./notice.ts";
import { copyButton, panelHelp, type RecordToPublish, recordToPublish } from "./record.ts";

export interface DnsSetupPageProps {
  domain: string;
  record: RecordToPublish;
  /** The URL to which "check now" is posted. */
  action: string;
  /** They become valid when the record is found. */
  recoveryCodes: string[];
  result: CheckResult;
  autoCheck: AutoCheck;
  /** The URL to which the request for a new record is posted; the button is hidden without it. */
  startOverAction?: string | undefined;
}

export function dnsSetupPage(context: ClientPageContext, props: DnsSetupPageProps): PageHtml {
  const { messages, client } = context;
  const text = messages.dnsSetup;
  const body = html`<h1>${format(text.heading, domainName(props.domain))}</h1>
<p class="lead">${text.lead}</p>
<p class="aside">${format(text.client, clientName(client.clientName), host(client.clientHost))}</p>
${appNote(context)}
<div class="notice warning">
<p class="summary">${format(text.warning, inlineDomain(props.domain))}</p>
</div>
<section aria-labelledby="record-title">
<h2 id="record-title">${text.record}</h2>
${recordToPublish(messages, props.record)}
${panelHelp(messages, props.domain, props.record)}
</section>
<section aria-labelledby="check-title">
<h2 id="check-title">${text.check}</h2>
${checkStatus(messages, props.result)}
<form id="check-form" method="post" action="${props.action}">
<button class="button primary" aria-describedby="look">${text.submit}</button>
</form>
${autoCheckHint(messages, props.autoCheck)}
</section>
${recoveryCodes(context, props)}
${props.startOverAction === undefined ? "" : startOver(context, props.startOverAction)}
${backLink(messages, client)}`;
  return page({ ...context, step: "dns-setup", title: text.heading(props.domain), body });
}

function recoveryCodes(
  { messages }: PageContext,
  { recoveryCodes: codes, domain }: DnsSetupPageProps,
): PageHtml {
  if (codes.length === 0) return html``;
  const text = messages.recoveryCodes;
  return html`<section aria-labelledby="codes-title" class="keep">
<h2 id="codes-title">${text.heading}</h2>
<p>${format(text.why, inlineDomain(domain))}</p>
<ol class="codes" id="recovery-codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
<div class="codes-foot">${copyButton(messages, "recovery-codes", text.all)}<p class="hint">${text.valid}</p></div>
</section>`;
}

function startOver({ messages }: PageContext, action: string): PageHtml {
  const text = messages.dnsSetup.startOver;
  return html`<details id="start-over">
<summary>${text.title}</summary>
<p>${text.explanation}</p>
<form id="start-over-form" method="post" action="${action}">
<button class="button">${text.submit}</button>
</form>
</details>`;
}
