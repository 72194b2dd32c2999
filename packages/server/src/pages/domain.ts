// The page that asks for the domain to sign in with.

import { html } from "hono/html";
import { passkeyScriptPath } from "./assets.ts";
import { appNote, backLink, clientName, host } from "./client.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { PageHtml } from "./messages.ts";
import { alert, type EndedSession, endedSessions, type Notice } from "./notice.ts";

export interface DomainPageProps {
  /** The URL to which the form is posted. */
  action: string;
  /** The previous input, so that a typing error can be corrected without retyping. */
  value?: string | undefined;
  notice?: Notice | undefined;
  /** What the browser offers with the field: to sign in with a passkey, without typing. */
  passkey: {
    /** The URL to which the assertion is posted, as JSON in the field `credential`. */
    readonly action: string;
    /** `PublicKeyCredentialRequestOptionsJSON`, which the script passes to the browser. */
    readonly options: object;
    /** The URL of a page with a new challenge, for a page that stays open. */
    readonly renewal: string;
  };
  ended?: readonly EndedSession[];
}

export function domainPage(context: ClientPageContext, props: DomainPageProps) {
  const { t, client } = context;
  const title = t("domain-title", { client: client.clientName });
  const wrong = props.notice !== undefined;
  const body = html`<h1>${t.html("domain-title", { client: clientName(client.clientName) })}</h1>
<p class="lead">${t.html("domain-returnTo", { host: host(client.clientHost) })}</p>
${endedSessions(t, props.ended ?? [])}${appNote(context)}
<form id="domain-form" method="post" action="${props.action}">
${props.notice === undefined ? "" : alert(t, "domain-problem", props.notice)}
<label for="domain">${t("domain-label")}</label>
<input id="domain" name="domain" type="text" dir="ltr" class="domain-input" value="${props.value ?? ""}"
 inputmode="url" autocomplete="username webauthn" autocapitalize="none" autocorrect="off" spellcheck="false"
 maxlength="300" required autofocus
 aria-describedby="${wrong ? "domain-problem domain-hint" : "domain-hint"}"${wrong ? html` aria-invalid="true"` : ""}>
<p class="hint" id="domain-hint">${t("domain-hint")}</p>
<button class="button primary">${t("domain-submit")}</button>
</form>
<details id="how">
<summary>${t("domain-how-title")}</summary>
${t.paragraphs("domain-how-paragraphs").map((paragraph) => html`<p>${paragraph}</p>`)}
</details>
${autofillForm(props.passkey)}
${backLink(t, client)}`;
  const isProblem = wrong;
  return page({ ...context, step: "domain", title, isProblem, script: passkeyScriptPath, body });
}

/** Nobody sees it: its script submits it with the passkey that was chosen in the field of the domain. */
function autofillForm({ action, options, renewal }: DomainPageProps["passkey"]): PageHtml {
  return html`<form id="passkey-form" method="post" action="${action}" data-options="${JSON.stringify(options)}" data-renewal="${renewal}" hidden>
<input type="hidden" name="credential" value="">
</form>`;
}
