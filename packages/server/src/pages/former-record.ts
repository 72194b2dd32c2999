// The page for people whose domain had an account before: the record with which it can be used again.

import { html } from "hono/html";
import { backLink, clientNote, domainName } from "./client.ts";
import { type AskedCode, recoveryCodeField } from "./dns-challenge.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { alert, type Notice } from "./notice.ts";
import { type RecordToPublish, recordSection } from "./record.ts";

export interface FormerRecordPageProps {
  domain: string;
  /** For somebody who has proven a tie to the account. Without it, the page asks first for a recovery code. */
  record?: RecordToPublish | undefined;
  code?: Pick<AskedCode, "value" | "problem">;
  /** What DNS says now. */
  notice?: Notice;
  /** The URL to which `recovery_code` is posted; without it, a page with a record asks for none. */
  action?: string;
  /** The URL of the first page, for when the record is published. */
  signInAgain: string;
  /** The URL of the page that begins a new account. */
  newRecord?: string;
}

export function formerRecordPage(context: ClientPageContext, props: FormerRecordPageProps) {
  const { t, client } = context;
  const { domain, record, newRecord, notice } = props;
  const isProblem = props.code?.problem !== undefined || notice !== undefined;
  const body = html`<h1>${t.html("formerRecord-heading", { domain: domainName(domain) })}</h1>
<p class="lead">${t(record === undefined ? "formerRecord-leadCode" : "formerRecord-lead")}</p>
${clientNote(context, "ownUnknown-client")}
${notice === undefined ? "" : alert(t, "look-problem", notice)}
${record === undefined ? codeForm(t, props) : recordAndThen(t, { ...props, record })}
${newRecord === undefined ? "" : html`<p class="elsewhere"><a id="new-record" href="${newRecord}">${t("formerRecord-newInstead")}</a></p>`}
${backLink(t, client)}`;
  const title = t("formerRecord-heading", { domain });
  return page({ ...context, step: "former-record", title, isProblem, body });
}

function codeForm(
  t: Translate,
  { action = "", code = {}, record }: FormerRecordPageProps,
): PageHtml {
  return html`<form id="former-record-form" method="post" action="${action}">
${recoveryCodeField(t, { ...code, hint: t("formerRecord-codeHint") })}
<button class="${record === undefined ? "button primary" : "button"}">${t("formerRecord-submit")}</button>
</form>`;
}

/** The domain can have had several accounts. */
function earlierAccount(t: Translate, props: FormerRecordPageProps): PageHtml {
  return html`<section aria-labelledby="earlier-account-title">
<h2 id="earlier-account-title">${t("formerRecord-earlier")}</h2>
<p>${t("formerRecord-earlierLead")}</p>
${codeForm(t, props)}
</section>`;
}

function recordAndThen(
  t: Translate,
  props: FormerRecordPageProps & { readonly record: RecordToPublish },
): PageHtml {
  return html`${recordSection(t, t("formerRecord-record"), props)}
<p><a class="button primary" id="sign-in-again" href="${props.signInAgain}">${t("formerRecord-published")}</a></p>
${props.action === undefined ? "" : earlierAccount(t, props)}`;
}
