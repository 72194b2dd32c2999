// The page that asks for the domain to sign in with.

import { html } from "hono/html";
import { passkeyScriptPath } from "./assets.ts";
import { type ClientPageContext, type PageContext, page, type WayToClient } from "./layout.ts";
import type { PageHtml } from "./messages.ts";
import { alert, endedSessions, type Notice, type ShownEnd } from "./notice.ts";
import { appNote, backLink, clientName, host, paragraphs } from "./parts.ts";
import { type PasskeySignals, passkeySignals } from "./passkey-signals.ts";

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

export function domainPage(context: ClientPageContext, props: DomainPageProps): PageHtml {
  const { t, client } = context;
  const { query, notice, ended = [], value = "", passkeyOptions } = props;
  // Each member by name: the client is a whole request, and a spread of it costs a tenth of the page.
  const { clientName, clientHost, backToApp } = client;
  return context.fill(notice === undefined ? renderPlain : renderProblem, {
    clientName,
    clientHost,
    backToApp,
    query,
    value,
    passkeyOptions,
    notices: html`${endedSessions(t, ended)}${appNote(context)}`,
    problem: notice === undefined ? "" : alert(t, "domain-problem", notice),
    signals: passkeySignals(props.signals),
  });
}

interface DomainValues extends WayToClient {
  readonly clientName: string;
  readonly query: string;
  readonly value: string;
  readonly passkeyOptions: string;
  readonly notices: PageHtml;
  readonly problem: string | PageHtml;
  readonly signals: PageHtml;
}

const renderPlain = (context: PageContext, shown: DomainValues) => render(context, shown, false);
const renderProblem = (context: PageContext, shown: DomainValues) => render(context, shown, true);

function render(context: PageContext, shown: DomainValues, isProblem: boolean): PageHtml {
  const { t } = context;
  const body = html`<p class="lead">${t.html("domain-returnTo", { host: host(shown.clientHost) })}</p>
${shown.notices}
<form id="domain-form" method="post" action="/sign-in?${shown.query}">
${shown.problem}
<label for="domain">${t("domain-label")}</label>
<input id="domain" name="domain" type="text" dir="ltr" class="domain-input" value="${shown.value}"
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
${autofillForm(shown)}
${shown.signals}
${backLink(t, shown)}`;
  const title = t("domain-title", { client: shown.clientName });
  const heading = t.html("domain-title", { client: clientName(shown.clientName) });
  const script = passkeyScriptPath;
  return page({ ...context, step: "domain", title, heading, isProblem, script, body });
}

/** The script submits it with the chosen passkey. `data-renewal` is a page with a new challenge. */
function autofillForm({ query, passkeyOptions }: DomainValues): PageHtml {
  return html`<form id="passkey-form" method="post" action="/sign-in/passkey?${query}" data-options="${passkeyOptions}" data-renewal="/sign-in/other?${query}" hidden>
<input type="hidden" name="credential" value="">
</form>`;
}
