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
  /**
   * Why the set-up that this browser began is over: somebody finished it, its account has ended, or a backup was
   * restored since it began.
   */
  over?: "finished" | "ended" | "restored";
}

export function ownUnknownPage(context: ClientPageContext, props: OwnUnknownPageProps) {
  const { t, client } = context;
  const { over } = props;
  const heading =
    over === undefined ? "ownUnknown-heading" : (`ownUnknown-${over}Heading` as const);
  const body = html`<h1>${t.html(heading, { domain: domainName(props.domain) })}</h1>
<p class="lead">${t(over === undefined ? "ownUnknown-lead" : `ownUnknown-${over}`)}</p>
${clientNote(context, "ownUnknown-client")}
${over === undefined ? finishThere(t) : ""}
<section aria-labelledby="start-over-title">
<h2 id="start-over-title">${t(over === undefined ? "ownUnknown-startOver-title" : "dnsSetup-startOver-title")}</h2>
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
