// The page that asks a known owner for a short-lived record, with a recovery code from an unknown browser.

import { html } from "hono/html";
import { backLink, clientName, domainName, fill, host, inlineDomain, through } from "./client.ts";
import { type ClientPageContext, type PageContext, type PageHtml, page } from "./layout.ts";
import { alert, type ByItself, byItselfHint, type Look, lookStatus } from "./notice.ts";
import { panelHelp, type RecordToPublish, recordToPublish } from "./record.ts";

export type DnsChallengePageProps = {
  domain: string;
  /** The host of this service, which the owner compares with where they began. */
  issuerHost: string;
  record: RecordToPublish;
  /** Where "check now" is posted to, with `recovery_code` if it was asked for. */
  action: string;
  /** True in a browser that the account does not know. */
  askRecoveryCode: boolean;
  recoveryCodeValue?: string | undefined;
  recoveryProblem?: string | undefined;
  look: Look;
  /** Not where a code is being typed, which a reload would lose. */
  byItself?: ByItself | undefined;
  /** Where giving up the account for a new one is posted to. */
  lostAccessAction: string;
};

export function dnsChallengePage(
  context: ClientPageContext,
  props: DnsChallengePageProps,
): PageHtml {
  const { messages, client } = context;
  const words = messages.dnsChallenge;
  const title = words.heading(props.domain);
  const body = html`<h1>${fill(words.heading, domainName(props.domain))}</h1>
<p class="lead">${words.lead}</p>
<p class="aside">${fill(words.client, clientName(client.clientName), host(client.clientHost))}</p>
${through(context)}
<div class="notice warning">
<p class="summary">${fill(words.warning, host(props.issuerHost))}</p>
<p>${fill(words.warningReason, inlineDomain(props.domain))}</p>
</div>
<section aria-labelledby="record-title">
<h2 id="record-title">${words.record}</h2>
${recordToPublish(messages, props.record)}
${panelHelp(messages, props.domain, props.record)}
</section>
<section aria-labelledby="check-title">
<h2 id="check-title">${props.askRecoveryCode ? words.checkWithCode : words.check}</h2>
${lookStatus(messages, props.look)}
<form id="check-form" method="post" action="${props.action}">
${props.askRecoveryCode ? recoveryCodeField(context, props) : ""}
<button class="button primary" aria-describedby="look">${words.submit}</button>
</form>
${props.byItself === undefined ? "" : byItselfHint(messages, props.byItself)}
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
  const words = messages.dnsChallenge.recoveryCode;
  const wrong = problem !== undefined;
  return html`${wrong ? alert(messages, "recovery-problem", { summary: problem }) : ""}
<label for="recovery_code">${words.label}</label>
<input id="recovery_code" name="recovery_code" type="text" dir="ltr" class="code-input" value="${recoveryCodeValue ?? ""}"
 autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" maxlength="100" required
 aria-describedby="${wrong ? "recovery-problem recovery-hint" : "recovery-hint"}"${wrong ? html` aria-invalid="true" autofocus` : ""}>
<p class="hint" id="recovery-hint">${words.hint}</p>`;
}

function lostAccess(
  { messages }: PageContext,
  { domain, lostAccessAction }: DnsChallengePageProps,
): PageHtml {
  const words = messages.dnsChallenge.lostAccess;
  return html`<details id="lost-access">
<summary>${words.title}</summary>
<p>${fill(words.explanation, inlineDomain(domain))}</p>
<p>${words.consequence}</p>
<form id="lost-access-form" method="post" action="${lostAccessAction}">
<button class="button">${words.submit}</button>
</form>
</details>`;
}
