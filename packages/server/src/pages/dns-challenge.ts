// The page that asks an owner for a temporary record, and before that, where needed, for a recovery code.

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
  /** The URL to which "check now" is posted, or `recovery_code` while the page asks for it. */
  action: string;
  /** While the page asks for a recovery code. The record comes after it, so that nobody edits DNS in vain. */
  code?: {
    /** Whether it asks because the account has a passkey, which is not used now. */
    readonly hasPasskey: boolean;
    readonly value?: string | undefined;
    readonly problem?: string | undefined;
  };
  /** Whether a recovery code was entered before. */
  isCodeKept?: boolean;
  /** Whether a passkey signed before, which this record confirms. */
  isPasskeyKept?: boolean;
  result?: CheckResult | undefined;
  autoCheck?: AutoCheck;
  /** The URL to which the request to replace the account with a new one is posted. */
  lostAccessAction: string;
}

export type AskedCode = NonNullable<DnsChallengePageProps["code"]>;

export function dnsChallengePage(context: ClientPageContext, props: DnsChallengePageProps) {
  const { t, client } = context;
  const { code } = props;
  const title = t("dnsChallenge-heading", { domain: props.domain });
  const body = html`<h1>${t.html("dnsChallenge-heading", { domain: domainName(props.domain) })}</h1>
<p class="lead">${t(code === undefined ? "dnsChallenge-lead" : "dnsChallenge-leadWithCode")}</p>
${clientNote(context, "dnsChallenge-client")}
${code === undefined ? recordAndCheck(t, props) : codeFirst(t, props, code)}
${lostAccess(t, props)}
${backLink(t, client)}`;
  const isProblem = code?.problem !== undefined;
  const isWaiting = props.autoCheck?.isOn === true;
  return page({ ...context, step: "dns-challenge", title, isProblem, isWaiting, body });
}

function recordAndCheck(t: Translate, props: DnsChallengePageProps): PageHtml {
  const { action, isCodeKept, isPasskeyKept, result, autoCheck } = props;
  return html`${isCodeKept ? html`<p>${t("dnsChallenge-codeKept")}</p>` : ""}${isPasskeyKept ? html`<p>${t("dnsChallenge-passkeyKept")}</p>` : ""}
${record(t, props)}
<p class="hint">${t("dnsChallenge-deadline")}</p>
<section aria-labelledby="check-title">
<h2 id="check-title">${t("dnsChallenge-check")}</h2>
${result === undefined ? "" : checkStatus(t, result, autoCheck)}
<form id="check-form" method="post" action="${action}">
<button class="button primary" aria-describedby="look">${t("dnsChallenge-submit")}</button>
</form>
${autoCheck === undefined ? "" : autoCheckHint(t, autoCheck)}
</section>`;
}

function codeFirst(t: Translate, props: DnsChallengePageProps, code: AskedCode): PageHtml {
  const why = code.hasPasskey ? "insteadOfPasskey" : "hint";
  const hint = t(`dnsChallenge-recoveryCode-${why}`);
  return html`<section aria-labelledby="check-title">
<h2 id="check-title">${t("dnsChallenge-codeFirst")}</h2>
<form id="check-form" method="post" action="${props.action}">
${recoveryCodeField(t, { ...code, hint })}
<button class="button primary">${t("dnsChallenge-continue")}</button>
</form>
</section>
<details id="next-record">
<summary>${t("dnsChallenge-next")}</summary>
<div>${record(t, props)}</div>
</details>`;
}

/** The record, and whom it lets in. */
function record(t: Translate, props: DnsChallengePageProps): PageHtml {
  return html`<div class="notice warning">
<p class="summary">${t.html("dnsChallenge-warning", { issuer: host(props.issuerHost) })}</p>
<p>${t.html("dnsChallenge-warningReason", { domain: inlineDomain(props.domain) })}</p>
</div>
${recordSection(t, t("dnsChallenge-record"), props)}`;
}

/** Asks for a recovery code, with what was typed before and what was wrong with it. `hint` says which codes count. */
export function recoveryCodeField(
  t: Translate,
  { value, problem, hint }: Pick<AskedCode, "value" | "problem"> & { readonly hint: string },
): PageHtml {
  const wrong = problem !== undefined;
  return html`${wrong ? alert(t, "recovery-problem", { summary: problem }) : ""}
<label for="recovery_code">${t("dnsChallenge-recoveryCode-label")}</label>
<input id="recovery_code" name="recovery_code" type="text" dir="ltr" class="code-input" value="${value ?? ""}"
 autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" maxlength="100" required
 aria-describedby="${wrong ? "recovery-problem recovery-hint" : "recovery-hint"}"${wrong ? html` aria-invalid="true" autofocus` : ""}>
<p class="hint" id="recovery-hint">${hint}</p>`;
}

function lostAccess(t: Translate, { domain, lostAccessAction }: DnsChallengePageProps): PageHtml {
  return html`<details id="lost-access">
<summary>${t("dnsChallenge-lostAccess-title")}</summary>
<p>${t.html("dnsChallenge-lostAccess-explanation", { domain: inlineDomain(domain) })}</p>
<p>${t("dnsChallenge-lostAccess-consequence")}</p>
${buttonForm("lost-access-form", lostAccessAction, t("dnsChallenge-lostAccess-submit"))}
</details>`;
}
