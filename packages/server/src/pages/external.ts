// The page that explains why the sign-in at an external service provider failed.

import { html } from "hono/html";
import { type ClientPageContext, page } from "./layout.ts";
import type { NameIn } from "./messages.ts";
import { alert } from "./notice.ts";
import { backToApp, buttonForm, domainTitle, errorIdLine, host, inlineDomain } from "./parts.ts";

export interface ExternalPageProps {
  readonly domain: string;
  readonly spHost: string;
  readonly problem: NameIn<"external-problems">;
  /** In English, for the operator of the SP. */
  readonly detail?: string | undefined;
  readonly errorId: string;
  /** The URL at which another attempt starts. */
  readonly again: string;
  readonly otherAction: string;
}

export function externalPage(context: ClientPageContext, props: ExternalPageProps) {
  const { t, client } = context;
  const { domain, spHost, detail } = props;
  const details = html`<p>${t("external-detail")}</p>
<p><code id="sp-detail" lang="en" dir="ltr" translate="no">${detail}</code></p>`;
  const problem = t.explanation(`external-problems-${props.problem}`, { domain, sp: spHost });
  const body = html`<p class="lead">${t.html("external-lead", { domain: inlineDomain(domain), sp: host(spHost) })}</p>
${alert(t, "external-problem", problem)}
${detail === undefined ? "" : details}
${errorIdLine(t, props.errorId)}
<div class="actions">
<a class="button primary" id="try-again" href="${props.again}">${t("external-again")}</a>
${buttonForm("other-domain-form", props.otherAction, t("continue-other"))}
</div>
${backToApp(client.backToApp, t("common-backToApp"))}`;
  const titles = domainTitle(t, "external-heading", domain);
  return page({ ...context, ...titles, step: "external", isProblem: true, body });
}
