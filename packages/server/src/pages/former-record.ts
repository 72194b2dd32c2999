// The page for people whose domain had an account before: the record with which it can be used again.

import { html } from "hono/html";
import { recoveryCodeField, type TypedCode } from "./dns-challenge.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { alert, type Notice } from "./notice.ts";
import { backLink, clientNote, domainTitle, section } from "./parts.ts";
import { type RecordToPublish, recordSection } from "./record.ts";

export interface FormerRecordPageProps {
  readonly domain: string;
  /** For somebody who has proven a tie to the account. Without it, the page asks first for a recovery code. */
  readonly record?: RecordToPublish | undefined;
  readonly code?: TypedCode;
  readonly notice?: Notice;
  /** The URL to which `recovery_code` is posted; without it, a page with a record asks for none. */
  readonly action?: string;
  /** The URL of the first page, for when the record is published. */
  readonly signInAgain: string;
  readonly newRecord?: string;
}

export function formerRecordPage(context: ClientPageContext, props: FormerRecordPageProps) {
  const { t, client } = context;
  const { domain, record, newRecord, notice } = props;
  const isProblem = props.code?.problem !== undefined || notice !== undefined;
  const body = html`<p class="lead">${t(record === undefined ? "formerRecord-leadCode" : "formerRecord-lead")}</p>
${clientNote(context, "ownUnknown-client")}
${notice === undefined ? "" : alert(t, "look-problem", notice)}
${record === undefined ? codeForm(t, props) : recordAndThen(t, { ...props, record })}
${newRecord === undefined ? "" : html`<p class="elsewhere"><a id="new-record" href="${newRecord}">${t("formerRecord-newInstead")}</a></p>`}
${backLink(t, client)}`;
  const titles = domainTitle(t, "formerRecord-heading", domain);
  return page({ ...context, ...titles, step: "former-record", isProblem, body });
}

function codeForm(t: Translate, props: FormerRecordPageProps): PageHtml {
  const { action = "", code = {}, record } = props;
  return html`<form id="former-record-form" method="post" action="${action}">
${recoveryCodeField(t, code, t("formerRecord-codeHint"))}
<button class="${record === undefined ? "button primary" : "button"}">${t("formerRecord-submit")}</button>
</form>`;
}

function recordAndThen(
  t: Translate,
  props: FormerRecordPageProps & { readonly record: RecordToPublish },
): PageHtml {
  // The domain can have had several accounts.
  const earlierAccount = html`<p>${t("formerRecord-earlierLead")}</p>
${codeForm(t, props)}`;
  return html`${recordSection(t, t("formerRecord-record"), props)}
<p><a class="button primary" id="sign-in-again" href="${props.signInAgain}">${t("formerRecord-published")}</a></p>
${props.action === undefined ? "" : section("earlier-account", t("formerRecord-earlier"), earlierAccount)}`;
}
