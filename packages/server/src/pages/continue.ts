// The page that offers to go on with the domain this browser is signed in with.

import { html } from "hono/html";
import { backLink, clientName, domainName, fill, host, through } from "./client.ts";
import { type PageContext, type PageHtml, page } from "./layout.ts";

export type ContinuePageProps = {
  domain: string;
  clientName: string;
  /** The verified host of the redirect_uri, in A-labels. */
  clientHost: string;
  /** The host of the app that this is for: the word of a client that is a service itself. */
  finalHost?: string | undefined;
  /** Where going on is posted to. */
  continueAction: string;
  /** Where asking for the domain page instead is posted to. */
  otherAction: string;
  backToApp?: string | undefined;
};

export function continuePage(context: PageContext, props: ContinuePageProps): PageHtml {
  const { messages } = context;
  const words = messages.continue;
  const body = html`<h1>${fill(words.heading, domainName(props.domain))}</h1>
<p class="lead">${fill(words.client, clientName(props.clientName), host(props.clientHost))}</p>
${through(messages, props)}
<div class="actions">
<form id="continue-form" method="post" action="${props.continueAction}">
<button class="button primary">${words.submit}</button>
</form>
<form id="other-domain-form" method="post" action="${props.otherAction}">
<button class="button">${words.other}</button>
</form>
</div>
${backLink(messages, props)}`;
  return page({ ...context, step: "continue", title: words.heading(props.domain), body });
}
