// The page that offers to go on with the domain this browser is signed in with.

import { html } from "hono/html";
import { backLink, clientName, domainName, fill, host, through } from "./client.ts";
import { type ClientPageContext, type PageHtml, page } from "./layout.ts";

export type ContinuePageProps = {
  domain: string;
  /** Where going on is posted to. */
  continueAction: string;
  /** Where asking for the domain page instead is posted to. */
  otherAction: string;
};

export function continuePage(context: ClientPageContext, props: ContinuePageProps): PageHtml {
  const { messages, client } = context;
  const words = messages.continue;
  const body = html`<h1>${fill(words.heading, domainName(props.domain))}</h1>
<p class="lead">${fill(words.client, clientName(client.clientName), host(client.clientHost))}</p>
${through(context)}
<div class="actions">
<form id="continue-form" method="post" action="${props.continueAction}">
<button class="button primary">${words.submit}</button>
</form>
<form id="other-domain-form" method="post" action="${props.otherAction}">
<button class="button">${words.other}</button>
</form>
</div>
${backLink(messages, client)}`;
  return page({ ...context, step: "continue", title: words.heading(props.domain), body });
}
