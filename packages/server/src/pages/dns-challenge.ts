// The page that asks a known owner for a temporary record, and an unknown browser for a recovery code.

import { html } from "hono/html";
import { appNote, backLink, clientName, domainName, format, host, inlineDomain } from "./client.ts";
import { type ClientPageContext, type PageContext, type PageHtml, page } from "./layout.ts";
import { type AutoCheck, alert, autoCheckHint, type CheckResult, checkStatus } from "./notice.ts";
import { panelHelp, type RecordToPublish, recordToPublish } from "./record.ts";

export interface DnsChallengePageProps {
  domain: string;
  /** The host of this service, for the owner to compare with the site where the sign-in started. */
  issuerHost: string;
  record: RecordToPublish;
  /** The URL to which "check now" is posted, with `recovery_code` if the page asks for it. */
  action: string;
  /** True in a browser that the account has not seen before. */
  askRecoveryCode: boolean;
  recoveryCodeValue?: string | undefined;
  recoveryProblem?: string | undefined;
  result: CheckResult;
  /** Undefined while the page asks for a recovery code, which a reload would discard. */
  autoCheck?: AutoCheck | undefined;
  /** The URL to which the request to replace the account with a new one is posted. */
  lostAccessAction: string;
}

export function dnsChallengePage(
  context: ClientPageContext,
  props: DnsChallengePageProps,
): PageHtml {
  const { messages, client } = context;
  const text = messages.dnsChallenge;
  const title = text.heading(props.domain);
  const body = html`<h1>${format(text.heading, domainName(props.domain))}</h1>
<p class="lead">${text.lead}</p>
<p class="aside">${format(text.client, clientName(client.clientName), host(client.clientHost))}</p>
${appNote(context)}
<div class="notice warning">
<p class="summary">${format(text.warning, host(props.issuerHost))}</p>
<p>${format(text.warningReason, inlineDomain(props.domain))}</p>
</div>
<section aria-labelledby="record-title">
<h2 id="record-title">${text.record}</h2>
${recordToPublish(messages, props.record)}
${panelHelp(messages, props.domain, props.record)}
</section>
<section aria-labelledby="check-title">
<h2 id="check-title">${props.askRecoveryCode ? text.checkWithCode : text.check}</h2>
${checkStatus(messages, props.result)}
<form id="check-form" method="post" action="${props.action}">
${props.askRecoveryCode ? recoveryCodeField(context, props) : ""}
<button class="button primary" aria-describedby="look">${text.submit}</button>
</form>
${props.autoCheck === undefined ? "" : autoCheckHint(messages, props.autoCheck)}
</section>
${lostAccess(context, props)}
${backLink(messages, client)}`;
  return page({
    ...context,
    step: "dns-challenge",
    title: props.recoveryProblem === undefined ? title : messages.common.problemTitle(title),
    body,
  });
}

function recoveryCodeField(
  { messages }: PageContext,
  { recoveryCodeValue, recoveryProblem: problem }: DnsChallengePageProps,
): PageHtml {
  const text = messages.dnsChallenge.recoveryCode;
  const wrong = problem !== undefined;
  return html`${wrong ? alert(messages, "recovery-problem", { summary: problem }) : ""}
<label for="recovery_code">${text.label}</label>
<input id="recovery_code" name="recovery_code" type="text" dir="ltr" class="code-input" value="${recoveryCodeValue ?? ""}"
 autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" maxlength="100" required
 aria-describedby="${wrong ? "recovery-problem recovery-hint" : "recovery-hint"}"${wrong ? html` aria-invalid="true" autofocus` : ""}>
<p class="hint" id="recovery-hint">${text.hint}</p>`;
}

function lostAccess(
  { messages }: PageContext,
  { domain, lostAccessAction }: DnsChallengePageProps,
): PageHtml {
  const text = messages.dnsChallenge.lostAccess;
  return html`<details id="lost-access">
<summary>${text.title}</summary>
<p>${format(text.explanation, inlineDomain(domain))}</p>
<p>${text.consequence}</p>
<form id="lost-access-form" method="post" action="${lostAccessAction}">
<button class="button">${text.submit}</button>
</form>
</details>`;
}
