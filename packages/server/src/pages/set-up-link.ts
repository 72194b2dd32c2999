// The page that a handed-on link leads to: the record to publish, who asks for it, and its status.

import { html } from "hono/html";
import { shownDate } from "./dates.ts";
import { type PageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { type AutoCheck, autoCheckHint, type CheckResult, checkStatus } from "./notice.ts";
import { clientName, domainTitle, host, inlineDomain, section, warning } from "./parts.ts";
import { type RecordToPublish, recordSection } from "./record.ts";

type SetUpLinkPageProps = {
  readonly domain: string;
  readonly record: RecordToPublish;
  readonly issuerHost: string;
  /** The name of the client, as it was registered, and its host. */
  readonly client: string;
  readonly host: string;
  /** When the link ends, in epoch seconds. */
  readonly until: number;
} & SetUpStatus;

type SetUpStatus =
  | { readonly state: "waiting"; readonly result: CheckResult; readonly autoCheck: AutoCheck }
  /** The record is there; the account exists. */
  | { readonly state: "seen" | "done" };

export function setUpLinkPage(context: PageContext, props: SetUpLinkPageProps) {
  const { t, lang } = context;
  const { domain, state } = props;
  const asks = { client: clientName(props.client), host: host(props.host) };
  const body = html`<p class="lead">${t.html("setUpLink-lead", { ...asks, issuer: host(props.issuerHost) })}</p>
${warning(t.html("setUpLink-warning", { domain: inlineDomain(domain) }))}
${state === "done" ? "" : recordSection(t, t("dnsSetup-record"), props)}
${section("check", t("setUpLink-status"), setUpStatus(t, props))}
<p class="hint">${t("setUpLink-until", { date: shownDate(lang, props.until) })}</p>`;
  const titles = domainTitle(t, "setUpLink-heading", domain);
  const isWaiting = state === "waiting" && props.autoCheck.isOn;
  return page({ ...context, ...titles, step: "set-up-link", isWaiting, body });
}

function setUpStatus(t: Translate, status: SetUpStatus): PageHtml {
  if (status.state !== "waiting") {
    // With the same parts as while it waits: the script of a page that waits shows them.
    return checkStatus(t, { summary: t(`setUpLink-${status.state}`) }, undefined);
  }
  const { result, autoCheck } = status;
  return html`${checkStatus(t, result, autoCheck, "dns-checksEndedReload")}
${autoCheckHint(t, autoCheck)}`;
}
