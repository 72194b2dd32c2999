// The setup page: the record to publish, the result of checking it in DNS, and the recovery codes.

import { html } from "hono/html";
import { backLink, buttonForm, clientNote, domainName, inlineDomain } from "./client.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { type AutoCheck, autoCheckHint, type CheckResult, checkStatus } from "./notice.ts";
import { copyButton, type RecordToPublish, recordSection } from "./record.ts";

export interface DnsSetupPageProps {
  domain: string;
  record: RecordToPublish;
  /** The URL to which "check now" is posted. */
  action: string;
  /** They become valid when the record is found. */
  recoveryCodes: string[];
  result: CheckResult;
  autoCheck: AutoCheck;
  /** The URL to which the request for a new record is posted. */
  startOverAction: string;
}

export function dnsSetupPage(context: ClientPageContext, props: DnsSetupPageProps) {
  const { t, client } = context;
  const body = html`<h1>${t.html("dnsSetup-heading", { domain: domainName(props.domain) })}</h1>
<p class="lead">${t("dnsSetup-lead")}</p>
${clientNote(context, "dnsSetup-client")}
<div class="notice warning">
<p class="summary">${t.html("dnsSetup-warning", { domain: inlineDomain(props.domain) })}</p>
</div>
${recordSection(t, t("dnsSetup-record"), props)}
<section aria-labelledby="check-title">
<h2 id="check-title">${t("dnsSetup-check")}</h2>
${checkStatus(t, props.result)}
<form id="check-form" method="post" action="${props.action}">
<button class="button primary" aria-describedby="look">${t("dnsSetup-submit")}</button>
</form>
${autoCheckHint(t, props.autoCheck)}
</section>
${recoveryCodes(t, props)}
<details id="start-over">
<summary>${t("dnsSetup-startOver-title")}</summary>
<p>${t("dnsSetup-startOver-explanation")}</p>
${buttonForm("start-over-form", props.startOverAction, t("dnsSetup-startOver-submit"))}
</details>
${backLink(t, client)}`;
  const title = t("dnsSetup-heading", { domain: props.domain });
  return page({ ...context, step: "dns-setup", title, body });
}

function recoveryCodes(
  t: Translate,
  { recoveryCodes: codes, domain }: DnsSetupPageProps,
): PageHtml {
  if (codes.length === 0) return html``;
  return html`<section aria-labelledby="codes-title" class="keep">
<h2 id="codes-title">${t("recoveryCodes-heading")}</h2>
<p>${t.html("recoveryCodes-why", { domain: inlineDomain(domain) })}</p>
<ol class="codes" id="recovery-codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
<div class="codes-foot">${copyButton(t, "recovery-codes", t("recoveryCodes-all"))}<p class="hint">${t("recoveryCodes-valid")}</p></div>
</section>`;
}
