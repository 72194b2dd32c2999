// The page for a domain whose record names this service with a setup that another browser started, or finished.

import { html } from "hono/html";
import { backLink, buttonForm, clientNote, domainName, inlineDomain } from "./client.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";

export interface OwnUnknownPageProps {
  domain: string;
  /** The URL to which "start over with a new record" is posted. */
  startOverAction: string;
  /** The URL of the page for people whose domain had an account before. */
  formerRecord?: string;
  /** Whether somebody finished the set-up that this browser began. */
  isFinished?: boolean;
}

export function ownUnknownPage(context: ClientPageContext, props: OwnUnknownPageProps) {
  const { t, client } = context;
  const heading = props.isFinished ? "ownUnknown-finishedHeading" : "ownUnknown-heading";
  const body = html`<h1>${t.html(heading, { domain: domainName(props.domain) })}</h1>
<p class="lead">${t(props.isFinished ? "ownUnknown-finished" : "ownUnknown-lead")}</p>
${clientNote(context, "ownUnknown-client")}
${props.isFinished ? "" : finishThere(t)}
<section aria-labelledby="start-over-title">
<h2 id="start-over-title">${t(props.isFinished ? "dnsSetup-startOver-title" : "ownUnknown-startOver-title")}</h2>
<p>${t.html("ownUnknown-startOver-explanation", { domain: inlineDomain(props.domain) })}</p>
${buttonForm("start-over-form", props.startOverAction, t("ownUnknown-startOver-submit"))}
</section>
${props.formerRecord === undefined ? "" : html`<p class="elsewhere"><a id="former" href="${props.formerRecord}">${t("dnsSetup-former")}</a></p>`}
${backLink(t, client)}`;
  const title = t(heading, { domain: props.domain });
  return page({ ...context, step: "problem", title, body });
}

function finishThere(t: Translate): PageHtml {
  return html`<section aria-labelledby="finish-title">
<h2 id="finish-title">${t("ownUnknown-finish-title")}</h2>
<p>${t("ownUnknown-finish-explanation")}</p>
</section>`;
}
