// The page that asks for the domain to sign in with.

import { html } from "hono/html";
import { passkeyScriptPath } from "./assets.ts";
import { appNote, backLink, clientName, host } from "./client.ts";
import { type ClientPageContext, type PageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { alert, type EndedSession, endedSessions, type Notice } from "./notice.ts";
import { type Template, templateOf } from "./template.ts";

export interface DomainPageProps {
  /** Of the authorization request. */
  query: string;
  /** The previous input, so that a typing error can be corrected without retyping. */
  value?: string | undefined;
  notice?: Notice | undefined;
  /** `PublicKeyCredentialRequestOptionsJSON` as text: the browser offers passkeys with the field, without typing. */
  passkeyOptions: string;
  ended?: readonly EndedSession[] | undefined;
}

/** Nearly every request gets the page without a notice, so that page is rendered once for each language. */
export function domainPage(context: ClientPageContext, props: DomainPageProps): PageHtml {
  const { query, notice, ended = [], value = "", passkeyOptions } = props;
  const { clientName, clientHost, backToApp, finalHost } = context.client;
  const hasMore = notice !== undefined || ended.length > 0 || finalHost !== undefined;
  if (hasMore) return render(context, props);
  const texts = { clientName, clientHost, backToApp, query, value, passkeyOptions };
  return plainPageIn(context)(texts);
}

/** What differs between the requests for the page without a notice, in one language. */
const PLAIN_TEXTS = [
  "clientName",
  "clientHost",
  "backToApp",
  "query",
  "value",
  "passkeyOptions",
] as const;

type PlainPage = Template<(typeof PLAIN_TEXTS)[number]>;

/** By the formatter of their language. */
const plainPages = new WeakMap<Translate, PlainPage>();

function plainPageIn(context: PageContext): PlainPage {
  const known = plainPages.get(context.t);
  if (known !== undefined) return known;
  const plain = templateOf(PLAIN_TEXTS, (marks) => render({ ...context, client: marks }, marks));
  plainPages.set(context.t, plain);
  return plain;
}

function render(context: ClientPageContext, props: DomainPageProps): PageHtml {
  const { t, client } = context;
  const title = t("domain-title", { client: client.clientName });
  const wrong = props.notice !== undefined;
  const body = html`<h1>${t.html("domain-title", { client: clientName(client.clientName) })}</h1>
<p class="lead">${t.html("domain-returnTo", { host: host(client.clientHost) })}</p>
${endedSessions(t, props.ended ?? [])}${appNote(context)}
<form id="domain-form" method="post" action="/sign-in?${props.query}">
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
${autofillForm(props)}
${backLink(t, client)}`;
  const isProblem = wrong;
  return page({ ...context, step: "domain", title, isProblem, script: passkeyScriptPath, body });
}

/**
 * Nobody sees it: its script submits it with the passkey that was chosen in the field of the domain, as JSON in
 * `credential`. `data-renewal` is the URL of a page with a new challenge, for a page that stays open.
 */
function autofillForm({ query, passkeyOptions }: DomainPageProps): PageHtml {
  return html`<form id="passkey-form" method="post" action="/sign-in/passkey?${query}" data-options="${passkeyOptions}" data-renewal="/sign-in/other?${query}" hidden>
<input type="hidden" name="credential" value="">
</form>`;
}
