// The page where the owner of a domain allows or denies a client's request.

import { html } from "hono/html";
import { appNote, clientName, domainName, format, host } from "./client.ts";
import { type ClientPageContext, type PageHtml, page } from "./layout.ts";
import type { Messages } from "./messages.ts";

export interface ConsentPageProps {
  domain: string;
  /** `description` comes from `describeScope`. */
  scopes: { name: string; description: string }[];
  action: string;
}

export function consentPage(context: ClientPageContext, props: ConsentPageProps): PageHtml {
  const { messages, client } = context;
  const text = messages.consent;
  const body = html`<h1>${format(text.heading, clientName(client.clientName))}</h1>
<dl class="parties">
<div><dt>${text.sentTo}</dt><dd class="party-host">${host(client.clientHost)}</dd></div>
<div><dt>${text.shared}</dt><dd>${domainName(props.domain)}</dd></div>
</dl>
${appNote(context)}
<section aria-labelledby="scopes-title">
<h2 id="scopes-title">${text.scopesTitle}</h2>
<ul class="scopes">${props.scopes.map(
    ({ name, description }) =>
      html`<li>${description === name ? html`<code>${name}</code>` : description}</li>`,
  )}</ul>
</section>
<form id="consent-form" method="post" action="${props.action}" class="choices">
<button class="button" name="decision" value="allow">${text.allow}</button>
<button class="button" name="decision" value="deny">${text.deny}</button>
</form>
<p class="hint">${format(text.caution, host(client.clientHost))}</p>`;
  return page({ ...context, step: "consent", title: text.heading(client.clientName), body });
}

/** Describes what a scope allows, or returns the name of a scope that has no description. */
export function describeScope(messages: Messages, scope: string): string {
  return messages.scopes.get(scope) ?? scope;
}
