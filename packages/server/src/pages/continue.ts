// The page that offers to continue with the domain of the browser's session.

import { html } from "hono/html";
import { appNote, backLink, clientName, domainName, format, host } from "./client.ts";
import { type ClientPageContext, type PageHtml, page } from "./layout.ts";

export interface ContinuePageProps {
  domain: string;
  /** The URL to which the form for continuing is posted. */
  continueAction: string;
  /** The URL to which the request for the domain page is posted. */
  otherAction: string;
}

export function continuePage(context: ClientPageContext, props: ContinuePageProps): PageHtml {
  const { messages, client } = context;
  const text = messages.continue;
  const body = html`<h1>${format(text.heading, domainName(props.domain))}</h1>
<p class="lead">${format(text.client, clientName(client.clientName), host(client.clientHost))}</p>
${appNote(context)}
<div class="actions">
<form id="continue-form" method="post" action="${props.continueAction}">
<button class="button primary">${text.submit}</button>
</form>
<form id="other-domain-form" method="post" action="${props.otherAction}">
<button class="button">${text.other}</button>
</form>
</div>
${backLink(messages, client)}`;
  return page({ ...context, step: "continue", title: text.heading(props.domain), body });
}
