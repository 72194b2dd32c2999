// The page that asks for the domain to sign in with.

import { html } from "hono/html";
import { backLink, clientName, fill, host, through } from "./client.ts";
import { type PageContext, type PageHtml, page } from "./layout.ts";
import { alert, type Notice } from "./notice.ts";

export type DomainPageProps = {
  clientName: string;
  /** The verified host of the redirect_uri, in A-labels. */
  clientHost: string;
  /** The host of the app that this is for: the word of a client that is a service itself. */
  finalHost?: string | undefined;
  /** Where the form is posted to. */
  action: string;
  /** What was typed before, kept so that a slip is corrected and not retyped. */
  value?: string | undefined;
  notice?: Notice | undefined;
  backToApp?: string | undefined;
};

export function domainPage(context: PageContext, props: DomainPageProps): PageHtml {
  const { messages } = context;
  const words = messages.domain;
  const title = words.title(props.clientName);
  const wrong = props.notice !== undefined;
  const body = html`<h1>${fill(words.title, clientName(props.clientName))}</h1>
<p class="lead">${fill(words.returnTo, host(props.clientHost))}</p>
${through(messages, props)}
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
${backLink(messages, props)}`;
  return page({
    ...context,
    step: "domain",
    title: wrong ? messages.common.problemTitle(title) : title,
    body,
  });
}
