// The page where the owner of a domain allows or denies what a client asks for.

import { html } from "hono/html";
import { backLink, clientName, domainName, fill, host, through } from "./client.ts";
import { type PageContext, type PageHtml, page } from "./layout.ts";
import type { Messages } from "./messages.ts";

export type ConsentPageProps = {
  domain: string;
  clientName: string;
  /** The verified host of the redirect_uri, in A-labels. */
  clientHost: string;
  /** The host of the app that this is for: the word of a client that is a service itself. */
  finalHost?: string | undefined;
  /** `words` as `scopeWords` gives them. */
  scopes: { name: string; words: string }[];
  action: string;
  backToApp?: string | undefined;
};

export function consentPage(context: PageContext, props: ConsentPageProps): PageHtml {
  const { messages } = context;
  const words = messages.consent;
  const body = html`<h1>${fill(words.heading, clientName(props.clientName))}</h1>
<dl class="parties">
<div><dt>${words.sentTo}</dt><dd class="party-host">${host(props.clientHost)}</dd></div>
<div><dt>${words.shared}</dt><dd>${domainName(props.domain)}</dd></div>
</dl>
${through(messages, props)}
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
<p class="hint">${fill(words.caution, host(props.clientHost))}</p>
${backLink(messages, props)}`;
  return page({ ...context, step: "consent", title: words.heading(props.clientName), body });
}

/** What a scope means in words; a scope that the catalogue does not know speaks for itself by its name. */
export function scopeWords(messages: Messages, scope: string): string {
  return messages.scopes.get(scope) ?? scope;
}
