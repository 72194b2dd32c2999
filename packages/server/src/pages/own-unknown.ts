// The page for a domain whose record names us with a set-up that this browser did not begin.

import { html } from "hono/html";
import { backLink, clientName, domainName, fill, host, inlineDomain, through } from "./client.ts";
import { type ClientPageContext, type PageHtml, page } from "./layout.ts";

export type OwnUnknownPageProps = {
  domain: string;
  /** Where "start over with a new record" is posted to. */
  startOverAction: string;
};

export function ownUnknownPage(context: ClientPageContext, props: OwnUnknownPageProps): PageHtml {
  const { messages, client } = context;
  const words = messages.ownUnknown;
  const body = html`<h1>${fill(words.heading, domainName(props.domain))}</h1>
<p class="lead">${words.lead}</p>
<p class="aside">${fill(words.client, clientName(client.clientName), host(client.clientHost))}</p>
${through(context)}
<section aria-labelledby="finish-title">
<h2 id="finish-title">${words.finish.title}</h2>
<p>${words.finish.explanation}</p>
</section>
<section aria-labelledby="start-over-title">
<h2 id="start-over-title">${words.startOver.title}</h2>
<p>${fill(words.startOver.explanation, inlineDomain(props.domain))}</p>
<form id="start-over-form" method="post" action="${props.startOverAction}">
<button class="button">${words.startOver.submit}</button>
</form>
</section>
${backLink(messages, client)}`;
  return page({ ...context, step: "problem", title: words.heading(props.domain), body });
}
