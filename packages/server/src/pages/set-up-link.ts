// The page that a handed-on link leads to: the record to publish, who asks for it, and its status.

import { html } from "hono/html";
import { clientName, domainName, host, inlineDomain } from "./client.ts";
import { shownDate } from "./dates.ts";
import { type PageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { type AutoCheck, autoCheckHint, type CheckResult, checkStatus } from "./notice.ts";
import { type RecordToPublish, recordSection } from "./record.ts";

export type SetUpLinkPageProps = {
  domain: string;
  record: RecordToPublish;
  issuerHost: string;
  /** The name of the client, as it was registered, and its host. */
  client: string;
  host: string;
  /** When the link ends, in epoch seconds. */
  until: number;
} & (
  | { state: "waiting"; result: CheckResult; autoCheck: AutoCheck }
  /** The record is there; the account exists. */
  | { state: "seen" | "done" }
);

export function setUpLinkPage(context: PageContext, props: SetUpLinkPageProps) {
  const { t, lang } = context;
  const asks = { client: clientName(props.client), host: host(props.host) };
  const body = html`<h1>${t.html("setUpLink-heading", { domain: domainName(props.domain) })}</h1>
<p class="lead">${t.html("setUpLink-lead", { ...asks, issuer: host(props.issuerHost) })}</p>
<div class="notice warning">
<p class="summary">${t.html("setUpLink-warning", { domain: inlineDomain(props.domain) })}</p>
</div>
${props.state === "done" ? "" : recordSection(t, t("dnsSetup-record"), props)}
<section aria-labelledby="check-title">
<h2 id="check-title">${t("setUpLink-status")}</h2>
${status(t, props)}
</section>
<p class="hint">${t("setUpLink-until", { date: shownDate(lang, props.until) })}</p>`;
  const title = t("setUpLink-heading", { domain: props.domain });
  const isWaiting = props.state === "waiting" && props.autoCheck.isOn;
  return page({ ...context, step: "set-up-link", title, isWaiting, body });
}

function status(t: Translate, props: SetUpLinkPageProps): PageHtml {
  if (props.state !== "waiting") {
    // With the same parts as while it waits: the script of a page that waits shows them.
    return checkStatus(t, { summary: t(`setUpLink-${props.state}`) }, undefined);
  }
  return html`${checkStatus(t, props.result, props.autoCheck, "dns-checksEndedReload")}
${autoCheckHint(t, props.autoCheck)}`;
}
