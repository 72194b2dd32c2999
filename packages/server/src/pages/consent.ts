// The page where the owner of a domain allows or denies what a client asks for.

import { html } from "hono/html";
import { clientName, domainName, fill, host, through } from "./client.ts";
import { type ClientPageContext, type PageHtml, page } from "./layout.ts";
import type { Messages } from "./messages.ts";

export type ConsentPageProps = {
  domain: string;
  /** `words` as `scopeWords` gives them. */
  scopes: { name: string; words: string }[];
  action: string;
};

export function consentPage(context: ClientPageContext, props: ConsentPageProps): PageHtml {
  const { messages, client } = context;
  const words = messages.consent;
  const body = html`<h1>${fill(words.heading, clientName(client.clientName))}</h1>
<dl class="parties">
<div><dt>${words.sentTo}</dt><dd class="party-host">${host(client.clientHost)}</dd></div>
<div><dt>${words.shared}</dt><dd>${domainName(props.domain)}</dd></div>
</dl>
${through(context)}
<section aria-labelledby="scopes-title">
<h2 id="scopes-title">${words.scopesTitle}</h2>
<ul class="scopes">${props.scopes.map(
    ({ name, words: meaning }) =>
      html`<li>${meaning === name ? html`<code>${name}</code>` : meaning}</li>`,
  )}</ul>
</section>
<form id="consent-form" method="post" action="${props.action}" class="choices">
<button class="button" name="decision" value="allow">${words.allow}</button>
<button class="button" name="decision" value="deny">${words.deny}</button>
</form>
<p class="hint">${fill(words.caution, host(client.clientHost))}</p>`;
  return page({ ...context, step: "consent", title: words.heading(client.clientName), body });
}

/** What a scope means in words; a scope that the catalogue does not know speaks for itself by its name. */
export function scopeWords(messages: Messages, scope: string): string {
  return messages.scopes.get(scope) ?? scope;
}
