// The pages that remove a passkey, and that show the record after a change of passkeys.

import { html } from "hono/html";
import { browserName } from "./browser-name.ts";
import { buttonForm, domainName } from "./client.ts";
import { displayDomain } from "./domain-display.ts";
import { type PageContext, page } from "./layout.ts";
import type { PageHtml } from "./messages.ts";
import { type RecordToPublish, recordSection } from "./record.ts";
import { signOutForms } from "./sign-out.ts";

export function removePasskeyPage(
  context: PageContext,
  props: {
    readonly domain: string;
    /** Of the passkey, as it is stored. */
    readonly name: string;
    /** Whether the account then has no passkey. */
    readonly isLast: boolean;
    readonly action: string;
    /** The query of the authorization request. */
    readonly query: string;
  },
) {
  const { t } = context;
  const { domain, name, isLast, action } = props;
  const shown = html`<bdi>${browserName(context, name)}</bdi>`;
  const body = html`<h1>${t.html("removePasskey-heading", { domain: domainName(domain) })}</h1>
<p class="lead">${t.html("removePasskey-lead", { name: shown })}</p>
${isLast ? html`<p>${t("removePasskey-last")}</p>` : ""}
<div class="actions">
${buttonForm("remove-passkey-form", action, t("removePasskey-submit"), { kind: "primary" })}
</div>
${backToAccount(context, domain)}
${signOutForms(context, { domains: [domain], query: props.query })}`;
  const title = t("removePasskey-heading", { domain: displayDomain(domain).shown });
  return page({ ...context, step: "account-change", title, body });
}

export function passkeyChangedPage(
  context: PageContext,
  props: {
    readonly domain: string;
    readonly change: "added" | "removed";
    /** As it should now read. */
    readonly record: RecordToPublish;
    /** The query of the authorization request. */
    readonly query: string;
    /** After a recovery: the URL to which the request to go on is posted. */
    readonly continueAction?: string | undefined;
  },
) {
  const { t } = context;
  const { domain, change, record, continueAction } = props;
  const title = t(`passkeyChanged-${change}`);
  const body = html`<h1>${title}</h1>
<p class="lead">${t(`passkeyChanged-${change}_effect`)}</p>
${recordSection(t, t("passkeyChanged-record"), { domain, record })}
${continueAction === undefined ? backToAccount(context, domain) : continueForm(context, continueAction)}
${signOutForms(context, { domains: [domain], query: props.query })}`;
  return page({ ...context, step: "account-change", title, body });
}

function backToAccount({ t }: PageContext, domain: string): PageHtml {
  return html`<p class="way-back"><a id="account" class="entry" href="/account?${new URLSearchParams({ domain }).toString()}">${t("newPasskey-back")}</a></p>`;
}

function continueForm({ t }: PageContext, action: string): PageHtml {
  const options = { kind: "primary", hidden: { continue: "1" } };
  return html`<div class="actions">
${buttonForm("continue-form", action, t("passkeyChanged-continue"), options)}
</div>`;
}
