// The page that asks for the domain to sign in with.

import { html } from "hono/html";
import { appNote, backLink, clientName, format, host } from "./client.ts";
import { type ClientPageContext, type PageHtml, page } from "./layout.ts";
import { alert, type Notice } from "./notice.ts";

export interface DomainPageProps {
  /** The URL to which the form is posted. */
  action: string;
  /** The previous input, so that a typing error can be corrected without retyping. */
  value?: string | undefined;
  notice?: Notice | undefined;
}

export function domainPage(context: ClientPageContext, props: DomainPageProps): PageHtml {
  const { messages, client } = context;
  const text = messages.domain;
  const title = text.title(client.clientName);
  const wrong = props.notice !== undefined;
  const body = html`<h1>${format(text.title, clientName(client.clientName))}</h1>
<p class="lead">${format(text.returnTo, host(client.clientHost))}</p>
${appNote(context)}
<form id="domain-form" method="post" action="${props.action}">
${props.notice === undefined ? "" : alert(messages, "domain-problem", props.notice)}
<label for="domain">${text.label}</label>
<input id="domain" name="domain" type="text" dir="ltr" class="domain-input" value="${props.value ?? ""}"
 inputmode="url" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"
 maxlength="300" required autofocus
 aria-describedby="${wrong ? "domain-problem domain-hint" : "domain-hint"}"${wrong ? html` aria-invalid="true"` : ""}>
<p class="hint" id="domain-hint">${text.hint}</p>
<button class="button primary">${text.submit}</button>
</form>
<details id="how">
<summary>${text.how.title}</summary>
${text.how.paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
</details>
${backLink(messages, client)}`;
  return page({
    ...context,
    step: "domain",
    title: wrong ? messages.common.problemTitle(title) : title,
    body,
  });
}
