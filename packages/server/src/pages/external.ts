// The page that explains why the sign-in at an external service provider failed.

import { html } from "hono/html";
import { backLink, buttonForm, domainName, host, inlineDomain } from "./client.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { NameIn } from "./messages.ts";
import { alert } from "./notice.ts";

export interface ExternalPageProps {
  domain: string;
  /** The host of the issuer that the record names. */
  spHost: string;
  problem: NameIn<"external-problems">;
  /** In English, for the operator of the SP. */
  detail?: string | undefined;
  /** The same as in the log. */
  errorId: string;
  /** The URL at which another attempt starts. */
  again: string;
  /** The URL to which the request for another domain is posted. */
  otherAction: string;
}

export function externalPage(context: ClientPageContext, props: ExternalPageProps) {
  const { t, client } = context;
  const { domain, spHost } = props;
  const problem = t.explanation(`external-problems-${props.problem}`, { domain, sp: spHost });
  const body = html`<h1>${t.html("external-heading", { domain: domainName(domain) })}</h1>
<p class="lead">${t.html("external-lead", { domain: inlineDomain(domain), sp: host(spHost) })}</p>
${alert(t, "external-problem", problem)}
${
  props.detail === undefined
    ? ""
    : html`<p>${t("external-detail")}</p>
<p><code id="sp-detail" lang="en" dir="ltr" translate="no">${props.detail}</code></p>`
}
<p class="error-id">${t("problem-errorId")} <code id="error-id">${props.errorId}</code></p>
<div class="actions">
<a class="button primary" id="try-again" href="${props.again}">${t("external-again")}</a>
${buttonForm("other-domain-form", props.otherAction, t("continue-other"))}
</div>
${backLink(t, { backToApp: client.backToApp })}`;
  const title = t("external-heading", { domain });
  return page({ ...context, step: "external", title, isProblem: true, body });
}
