// The page for a domain of which this browser has begun as many setups as it keeps: continue one, or start over.

import { html } from "hono/html";
import { backLink, buttonForm, clientNote, domainName, inlineDomain } from "./client.ts";
import { type ClientPageContext, page } from "./layout.ts";
import { type EarlierSetUp, resumeForms } from "./resume.ts";

export interface EarlierSetUpsPageProps {
  domain: string;
  earlier: readonly EarlierSetUp[];
  /** The URL to which the request for one of them is posted. */
  resumeAction: string;
  /** The setup that starting over drops, which may be of another domain, and when it began, in words. */
  dropped: { readonly domain: string; readonly date: string };
  /** The URL of the page for people whose domain had an account before. */
  formerRecord: string;
  /** The URL to which "start over with a new record" is posted. */
  startOverAction: string;
}

export function earlierSetUpsPage(context: ClientPageContext, props: EarlierSetUpsPageProps) {
  const { t, client } = context;
  const { domain, date } = props.dropped;
  const dropped = { domain: inlineDomain(domain), date: html`${date}` };
  const body = html`<h1>${t.html("earlierSetUps-heading", { domain: domainName(props.domain) })}</h1>
<p class="lead">${t("earlierSetUps-lead", { count: props.earlier.length })}</p>
${clientNote(context, "dnsSetup-client")}
${resumeForms(t, props)}
<section aria-labelledby="start-over-title">
<h2 id="start-over-title">${t("dnsSetup-startOver-title")}</h2>
<p>${t.html("earlierSetUps-startOver", dropped)}</p>
${buttonForm("start-over-form", props.startOverAction, t("dnsSetup-startOver-submit"))}
</section>
<p class="elsewhere"><a id="former" href="${props.formerRecord}">${t("dnsSetup-former")}</a></p>
${backLink(t, client)}`;
  const title = t("earlierSetUps-heading", { domain: props.domain });
  return page({ ...context, step: "earlier-set-ups", title, body });
}
