// The page for a domain of which this browser has begun as many set-ups as it keeps: continue one, or start over.

import { html } from "hono/html";
import { type ClientPageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { backLink, buttonForm, clientNote, domainTitle, inlineDomain, section } from "./parts.ts";

export interface ResumableSetUps {
  readonly earlier: readonly EarlierSetUp[];
  readonly resumeAction: string;
}

export interface EarlierSetUp {
  /** Distinguishes the set-ups of this browser. */
  readonly key: string;
  /** When it began, in words. */
  readonly date: string;
  /** The name of the client for which it began; undefined for one that began before the names were kept. */
  readonly client: string | undefined;
}

interface EarlierSetUpsPageProps extends ResumableSetUps {
  readonly domain: string;
  /** The set-up that starting over drops, which may be of another domain, and when it began, in words. */
  readonly dropped: { readonly domain: string; readonly date: string };
  readonly formerRecord: string;
  readonly startOverAction: string;
}

export function earlierSetUpsPage(context: ClientPageContext, props: EarlierSetUpsPageProps) {
  const { t, client } = context;
  const { dropped, startOverAction } = props;
  const values = { domain: inlineDomain(dropped.domain), date: html`${dropped.date}` };
  const startOver = html`<p>${t.html("earlierSetUps-startOver", values)}</p>
${buttonForm("start-over-form", startOverAction, t("dnsSetup-startOver-submit"))}`;
  const body = html`<p class="lead">${t("earlierSetUps-lead", { count: props.earlier.length })}</p>
${clientNote(context, "ownUnknown-client")}
${resumeForms(t, props)}
${section("start-over", t("dnsSetup-startOver-title"), startOver)}
<p class="elsewhere"><a id="former" href="${props.formerRecord}">${t("dnsSetup-former")}</a></p>
${backLink(t, client)}`;
  const titles = domainTitle(t, "earlierSetUps-heading", props.domain);
  return page({ ...context, ...titles, step: "earlier-set-ups", body });
}

export function resumeForms(t: Translate, { earlier, resumeAction }: ResumableSetUps): PageHtml {
  if (earlier.length === 0) return html``;
  const forms = earlier.map(({ key, date, client }, index) => {
    const label =
      client === undefined
        ? t("dnsSetup-resume", { date })
        : t("dnsSetup-resumeFor", { date, client });
    return buttonForm(`resume-${index + 1}-form`, resumeAction, label, { hidden: { set_up: key } });
  });
  return html`<div class="actions">${forms}</div>`;
}
