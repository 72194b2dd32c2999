// The page that explains why the sign-in at an external service provider failed.

import { html } from "hono/html";
import { backLink, domainName, format, host, inlineDomain } from "./client.ts";
import { type ClientPageContext, type PageHtml, page } from "./layout.ts";
import type { Messages } from "./messages.ts";
import { alert } from "./notice.ts";

export interface ExternalPageProps {
  domain: string;
  /** The host of the issuer that the record names. */
  spHost: string;
  problem: keyof Messages["external"]["problems"];
  /** In English, for the operator of the SP. */
  detail?: string | undefined;
  /** The same as in the log. */
  errorId: string;
  /** The URL at which another attempt starts. */
  again: string;
  /** The URL to which the request for another domain is posted. */
  otherAction: string;
}

export function externalPage(context: ClientPageContext, props: ExternalPageProps): PageHtml {
  const { messages, client } = context;
  const text = messages.external;
  const { domain, spHost } = props;
  const body = html`<h1>${format(text.heading, domainName(domain))}</h1>
<p class="lead">${format(text.lead, inlineDomain(domain), host(spHost))}</p>
${alert(messages, "external-problem", text.problems[props.problem](spHost, domain))}
${
  props.detail === undefined
    ? ""
    : html`<p>${text.detail}</p>
<p><code id="sp-detail" lang="en" dir="ltr" translate="no">${props.detail}</code></p>`
}
<p class="error-id">${messages.problem.errorId} <code id="error-id">${props.errorId}</code></p>
<div class="actions">
<a class="button primary" id="try-again" href="${props.again}">${text.again}</a>
<form id="other-domain-form" method="post" action="${props.otherAction}">
<button class="button">${messages.continue.other}</button>
</form>
</div>
${backLink(messages, { backToApp: client.backToApp })}`;
  const title = messages.common.problemTitle(text.heading(domain));
  return page({ ...context, step: "external", title, body });
}
