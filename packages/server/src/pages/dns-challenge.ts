// The page that asks a known owner for a temporary record, and an unknown browser for a recovery code.

import { html } from "hono/html";
import { backLink, buttonForm, clientNote, domainName, host, inlineDomain } from "./client.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { type AutoCheck, alert, autoCheckHint, type CheckResult, checkStatus } from "./notice.ts";
import { type RecordToPublish, recordSection } from "./record.ts";

export interface DnsChallengePageProps {
  domain: string;
  /** The host of this service, for the owner to compare with the site where the sign-in started. */
  issuerHost: string;
  record: RecordToPublish;
  /** The URL to which "check now" is posted, with `recovery_code` if the page asks for it. */
  action: string;
  /** True in a browser that the account has not seen before. */
  askRecoveryCode: boolean;
  /** Whether the page asks for the code because the account has a passkey, which is not used now. */
  hasPasskey?: boolean;
  recoveryCodeValue?: string | undefined;
  recoveryProblem?: string | undefined;
  result: CheckResult;
  /** Undefined while the page asks for a recovery code, which a reload would discard. */
  autoCheck?: AutoCheck | undefined;
  /** The URL to which the request to replace the account with a new one is posted. */
  lostAccessAction: string;
}

export function dnsChallengePage(context: ClientPageContext, props: DnsChallengePageProps) {
  const { t, client } = context;
  const title = t("dnsChallenge-heading", { domain: props.domain });
  const body = html`<h1>${t.html("dnsChallenge-heading", { domain: domainName(props.domain) })}</h1>
<p class="lead">${t("dnsChallenge-lead")}</p>
${clientNote(context, "dnsChallenge-client")}
<div class="notice warning">
<p class="summary">${t.html("dnsChallenge-warning", { issuer: host(props.issuerHost) })}</p>
<p>${t.html("dnsChallenge-warningReason", { domain: inlineDomain(props.domain) })}</p>
</div>
${recordSection(t, t("dnsChallenge-record"), props)}
<section aria-labelledby="check-title">
<h2 id="check-title">${t(props.askRecoveryCode ? "dnsChallenge-checkWithCode" : "dnsChallenge-check")}</h2>
${checkStatus(t, props.result)}
<form id="check-form" method="post" action="${props.action}">
${props.askRecoveryCode ? recoveryCodeField(t, props) : ""}
<button class="button primary" aria-describedby="look">${t("dnsChallenge-submit")}</button>
</form>
${props.autoCheck === undefined ? "" : autoCheckHint(t, props.autoCheck)}
</section>
${lostAccess(t, props)}
${backLink(t, client)}`;
  const isProblem = props.recoveryProblem !== undefined;
  return page({ ...context, step: "dns-challenge", title, isProblem, body });
}

function recoveryCodeField(
  t: Translate,
  { recoveryCodeValue, recoveryProblem: problem, hasPasskey }: DnsChallengePageProps,
): PageHtml {
  const wrong = problem !== undefined;
  return html`${wrong ? alert(t, "recovery-problem", { summary: problem }) : ""}
<label for="recovery_code">${t("dnsChallenge-recoveryCode-label")}</label>
<input id="recovery_code" name="recovery_code" type="text" dir="ltr" class="code-input" value="${recoveryCodeValue ?? ""}"
 autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" maxlength="100" required
 aria-describedby="${wrong ? "recovery-problem recovery-hint" : "recovery-hint"}"${wrong ? html` aria-invalid="true" autofocus` : ""}>
<p class="hint" id="recovery-hint">${t(hasPasskey ? "dnsChallenge-recoveryCode-insteadOfPasskey" : "dnsChallenge-recoveryCode-hint")}</p>`;
}

function lostAccess(t: Translate, { domain, lostAccessAction }: DnsChallengePageProps): PageHtml {
  return html`<details id="lost-access">
<summary>${t("dnsChallenge-lostAccess-title")}</summary>
<p>${t.html("dnsChallenge-lostAccess-explanation", { domain: inlineDomain(domain) })}</p>
<p>${t("dnsChallenge-lostAccess-consequence")}</p>
${buttonForm("lost-access-form", lostAccessAction, t("dnsChallenge-lostAccess-submit"))}
</details>`;
}
