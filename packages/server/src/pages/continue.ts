// The page that offers to continue with the domain of the browser's session.

import { html } from "hono/html";
import { appNote, backLink, buttonForm, clientName, domainName, host } from "./client.ts";
import { type ClientPageContext, page } from "./layout.ts";

export interface ContinuePageProps {
  domain: string;
  /** The URL to which the form for continuing is posted. */
  continueAction: string;
  /** The URL to which the request for the domain page is posted. */
  otherAction: string;
}

export function continuePage(context: ClientPageContext, props: ContinuePageProps) {
  const { t, client } = context;
  const body = html`<h1>${t.html("continue-heading", { domain: domainName(props.domain) })}</h1>
<p class="lead">${t.html("continue-client", { client: clientName(client.clientName), host: host(client.clientHost) })}</p>
${appNote(context)}
<div class="actions">
${buttonForm("continue-form", props.continueAction, t("continue-submit"), "primary")}
${buttonForm("other-domain-form", props.otherAction, t("continue-other"))}
</div>
${backLink(t, client)}`;
  const title = t("continue-heading", { domain: props.domain });
  return page({ ...context, step: "continue", title, body });
}
