// The page for a domain whose record names this service with a setup that another browser started.

import { html } from "hono/html";
import { appNote, backLink, clientName, domainName, format, host, inlineDomain } from "./client.ts";
import { type ClientPageContext, type PageHtml, page } from "./layout.ts";

export interface OwnUnknownPageProps {
  domain: string;
  /** The URL to which "start over with a new record" is posted. */
  startOverAction: string;
}

export function ownUnknownPage(context: ClientPageContext, props: OwnUnknownPageProps): PageHtml {
  const { messages, client } = context;
  const text = messages.ownUnknown;
  const body = html`<h1>${format(text.heading, domainName(props.domain))}</h1>
<p class="lead">${text.lead}</p>
<p class="aside">${format(text.client, clientName(client.clientName), host(client.clientHost))}</p>
${appNote(context)}
<section aria-labelledby="finish-title">
<h2 id="finish-title">${text.finish.title}</h2>
<p>${text.finish.explanation}</p>
</section>
<section aria-labelledby="start-over-title">
<h2 id="start-over-title">${text.startOver.title}</h2>
<p>${format(text.startOver.explanation, inlineDomain(props.domain))}</p>
<form id="start-over-form" method="post" action="${props.startOverAction}">
<button class="button">${text.startOver.submit}</button>
</form>
</section>
${backLink(messages, client)}`;
  return page({ ...context, step: "problem", title: text.heading(props.domain), body });
}
