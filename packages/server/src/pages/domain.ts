// The page that asks for the domain to sign in with.

import { html } from "hono/html";
import { passkeyScriptPath } from "./assets.ts";
import { type ClientPageContext, type PageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { alert, endedSessions, type Notice, type ShownEnd } from "./notice.ts";
import { appNote, backLink, clientName, host, paragraphs } from "./parts.ts";
import { type PasskeySignals, passkeySignals } from "./passkey-signals.ts";
import { type Template, templateOf } from "./template.ts";

export interface DomainPageProps {
  readonly query: string;
  /** The previous input, so that a typing error can be corrected without retyping. */
  readonly value?: string | undefined;
  readonly notice?: Notice | undefined;
  /** `PublicKeyCredentialRequestOptionsJSON` as text: the browser offers passkeys with the field, without typing. */
  readonly passkeyOptions: string;
  readonly ended?: readonly ShownEnd[] | undefined;
  /** Only with a notice. */
  readonly signals?: PasskeySignals | undefined;
}

/** Nearly every request gets the page without a notice, so that page is rendered once for each language. */
export function domainPage(context: ClientPageContext, props: DomainPageProps): PageHtml {
  const { query, notice, ended = [], value = "", passkeyOptions } = props;
  // Each member by name: the client is a whole request, and a spread of it costs a tenth of the page.
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
  const isProblem = props.notice !== undefined;
  const body = html`<p class="lead">${t.html("domain-returnTo", { host: host(client.clientHost) })}</p>
${endedSessions(t, props.ended ?? [])}${appNote(context)}
<form id="domain-form" method="post" action="/sign-in?${props.query}">
${props.notice === undefined ? "" : alert(t, "domain-problem", props.notice)}
<label for="domain">${t("domain-label")}</label>
<input id="domain" name="domain" type="text" dir="ltr" class="domain-input" value="${props.value ?? ""}"
 inputmode="url" autocomplete="username webauthn" autocapitalize="none" autocorrect="off" spellcheck="false"
 maxlength="300" required autofocus
 aria-describedby="${isProblem ? "domain-problem domain-hint" : "domain-hint"}"${isProblem ? html` aria-invalid="true"` : ""}>
<p class="hint" id="domain-hint">${t("domain-hint")}</p>
<button class="button primary">${t("domain-submit")}</button>
</form>
<details id="how">
<summary>${t("domain-how-title")}</summary>
${paragraphs(t.paragraphs("domain-how-paragraphs"))}
</details>
${autofillForm(props)}
${passkeySignals(props.signals)}
${backLink(t, client)}`;
  const title = t("domain-title", { client: client.clientName });
  const heading = t.html("domain-title", { client: clientName(client.clientName) });
  const script = passkeyScriptPath;
  return page({ ...context, step: "domain", title, heading, isProblem, script, body });
}

/** The script submits it with the chosen passkey. `data-renewal` is a page with a new challenge. */
function autofillForm({ query, passkeyOptions }: DomainPageProps): PageHtml {
  return html`<form id="passkey-form" method="post" action="/sign-in/passkey?${query}" data-options="${passkeyOptions}" data-renewal="/sign-in/other?${query}" hidden>
<input type="hidden" name="credential" value="">
</form>`;
}
