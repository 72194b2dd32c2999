// The page that says why an external service provider has not signed the person in.

import { html } from "hono/html";
import { backLink, domainName, fill, host, inlineDomain } from "./client.ts";
import { type ClientPageContext, type PageHtml, page } from "./layout.ts";
import type { Messages } from "./messages.ts";
import { alert } from "./notice.ts";

export type ExternalPageProps = {
  domain: string;
  /** The host of the issuer that the record names. */
  spHost: string;
  problem: keyof Messages["external"]["problems"];
  /** English, for whoever runs the SP. */
  detail?: string | undefined;
  /** As it stands in the log. */
  errorId: string;
  /** Where the next try begins. */
  again: string;
  /** Where asking for another domain is posted to. */
  otherAction: string;
};

export function externalPage(context: ClientPageContext, props: ExternalPageProps): PageHtml {
  const { messages, client } = context;
  const words = messages.external;
  const { domain, spHost } = props;
  const body = html`<h1>${fill(words.heading, domainName(domain))}</h1>
<p class="lead">${fill(words.lead, inlineDomain(domain), host(spHost))}</p>
${alert(messages, "external-problem", words.problems[props.problem](spHost, domain))}
${
  props.detail === undefined
    ? ""
    : html`<p>${words.detail}</p>
<p><code id="sp-detail" lang="en" dir="ltr" translate="no">${props.detail}</code></p>`
}
<p class="error-id">${messages.problem.errorId} <code id="error-id">${props.errorId}</code></p>
<div class="actions">
<a class="button primary" id="try-again" href="${props.again}">${words.again}</a>
<form id="other-domain-form" method="post" action="${props.otherAction}">
<button class="button">${messages.continue.other}</button>
</form>
</div>
${backLink(messages, { backToApp: client.backToApp })}`;
  const title = messages.common.problemTitle(words.heading(domain));
  return page({ ...context, step: "external", title, body });
}
