// The page that asks for the domain to sign in with.

import { html } from "hono/html";
import { backLink, clientName, fill, host, through } from "./client.ts";
import { type ClientPageContext, type PageHtml, page } from "./layout.ts";
import { alert, type Notice } from "./notice.ts";

export type DomainPageProps = {
  /** Where the form is posted to. */
  action: string;
  /** What was typed before, kept so that a slip is corrected and not retyped. */
  value?: string | undefined;
  notice?: Notice | undefined;
};

export function domainPage(context: ClientPageContext, props: DomainPageProps): PageHtml {
  const { messages, client } = context;
  const words = messages.domain;
  const title = words.title(client.clientName);
  const wrong = props.notice !== undefined;
  const body = html`<h1>${fill(words.title, clientName(client.clientName))}</h1>
<p class="lead">${fill(words.returnTo, host(client.clientHost))}</p>
${through(context)}
<form id="domain-form" method="post" action="${props.action}">
${props.notice === undefined ? "" : alert(messages, "domain-problem", props.notice)}
<label for="domain">${words.label}</label>
<input id="domain" name="domain" type="text" dir="ltr" class="domain-input" value="${props.value ?? ""}"
 inputmode="url" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"
 maxlength="300" required autofocus
 aria-describedby="${wrong ? "domain-problem domain-hint" : "domain-hint"}"${wrong ? html` aria-invalid="true"` : ""}>
<p class="hint" id="domain-hint">${words.hint}</p>
<button class="button primary">${words.submit}</button>
</form>
<details id="how">
<summary>${words.how.title}</summary>
${words.how.paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
</details>
${backLink(messages, client)}`;
  return page({
    ...context,
    step: "domain",
    title: wrong ? messages.common.problemTitle(title) : title,
    body,
  });
}
