// The page that asks an owner for a temporary record, and before that, where needed, for a recovery code.

import { html } from "hono/html";
import { type ClientPageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { type AutoCheck, alert, type CheckResult, checkLive } from "./notice.ts";
import {
  backLink,
  buttonForm,
  clientNote,
  domainTitle,
  host,
  inlineDomain,
  section,
  warning,
} from "./parts.ts";
import { type RecordToPublish, recordHelp, recordTable } from "./record.ts";

/** A recovery code as it was typed before, and what was wrong with it. */
export interface TypedCode {
  readonly value?: string | undefined;
  readonly problem?: string | undefined;
}

/** `hasPasskey`: the page asks because the account has a passkey, which is not used now. */
type CodeQuestion = TypedCode & { readonly hasPasskey: boolean };

interface DnsChallengePageProps {
  readonly domain: string;
  /** The host of this service, for the owner to compare with the site where the sign-in started. */
  readonly issuerHost: string;
  readonly record: RecordToPublish;
  /** The URL to which "check now" is posted, or `recovery_code` while the page asks for it. */
  readonly action: string;
  /** While the page asks for a recovery code. The record comes after it, so that nobody edits DNS in vain. */
  readonly code?: CodeQuestion;
  /** Whether a recovery code was entered before. */
  readonly isCodeKept?: boolean;
  /** Whether a passkey signed before, which this record confirms. */
  readonly isPasskeyKept?: boolean;
  readonly result?: CheckResult | undefined;
  readonly autoCheck?: AutoCheck;
  readonly lostAccessAction: string;
}

export function dnsChallengePage(context: ClientPageContext, props: DnsChallengePageProps) {
  const { t, client } = context;
  const { code } = props;
  const body = html`<p class="lead">${t(code === undefined ? "dnsChallenge-lead" : "dnsChallenge-leadWithCode")}</p>
${clientNote(context, "dnsChallenge-client")}
${code === undefined ? recordAndCheck(t, props) : codeFirst(t, props, code)}
${lostAccess(t, props)}
${backLink(t, client)}`;
  const titles = domainTitle(t, "dnsChallenge-heading", props.domain);
  const isProblem = code?.problem !== undefined;
  const isWaiting = props.autoCheck?.isOn === true;
  return page({ ...context, ...titles, step: "dns-challenge", isProblem, isWaiting, body });
}

function recordAndCheck(t: Translate, props: DnsChallengePageProps): PageHtml {
  const { isCodeKept, isPasskeyKept, result = { summary: t("looks-absent") } } = props;
  const more = html`<p class="hint">${t("dnsChallenge-deadline")}</p>`;
  const submit = t("dnsChallenge-submit");
  const check = { ...props, result, submit, help: recordHelp(t, props), more };
  return html`${isCodeKept ? html`<p>${t("dnsChallenge-codeKept")}</p>` : ""}${isPasskeyKept ? html`<p>${t("dnsChallenge-passkeyKept")}</p>` : ""}
${temporaryRecord(t, props)}
${checkLive(t, check)}`;
}

function codeFirst(t: Translate, props: DnsChallengePageProps, code: CodeQuestion): PageHtml {
  const why = code.hasPasskey ? "insteadOfPasskey" : "hint";
  const form = html`<form id="check-form" method="post" action="${props.action}">
${recoveryCodeField(t, code, t(`dnsChallenge-recoveryCode-${why}`))}
<button class="button primary">${t("dnsChallenge-continue")}</button>
</form>`;
  return html`${section("check", t("dnsChallenge-codeFirst"), form)}
<details id="next-record">
<summary>${t("dnsChallenge-next")}</summary>
<div>${temporaryRecord(t, props)}
${recordHelp(t, props)}</div>
</details>`;
}

function temporaryRecord(t: Translate, props: DnsChallengePageProps): PageHtml {
  const danger = t.html("dnsChallenge-warning", { issuer: host(props.issuerHost) });
  const reason = t.html("dnsChallenge-warningReason", { domain: inlineDomain(props.domain) });
  return html`${recordTable(t, props)}
${warning(danger, html`<p>${reason}</p>\n`)}`;
}

export function recoveryCodeField(t: Translate, code: TypedCode, hint: string): PageHtml {
  const { value = "", problem } = code;
  const wrong = problem !== undefined;
  return html`${wrong ? alert(t, "recovery-problem", { summary: problem }) : ""}
<label for="recovery_code">${t("dnsChallenge-recoveryCode-label")}</label>
<input id="recovery_code" name="recovery_code" type="text" dir="ltr" class="code-input" value="${value}"
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
