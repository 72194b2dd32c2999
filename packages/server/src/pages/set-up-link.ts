// The page that a handed-on link leads to: the record to publish, who asks for it, and its status.

import { html } from "hono/html";
import { shownDate } from "./dates.ts";
import { type PageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { type AutoCheck, autoCheckHint, type CheckResult, checkStatus } from "./notice.ts";
import { clientName, domainTitle, host, inlineDomain, section, warning } from "./parts.ts";
import { type RecordToPublish, recordSection } from "./record.ts";

/** The app that the sender wants to sign in to: its name, or its host if nobody vetted it. Null if it is unknown here. */
export type AskingApp = { readonly name: string } | { readonly host: string } | null;

type SetUpLinkPageProps = {
  readonly domain: string;
  readonly issuerHost: string;
  readonly app: AskingApp;
  /** When the link ends, in epoch seconds. */
  readonly until: number;
} & SetUpStatus;

type SetUpStatus =
  | {
      readonly state: "waiting";
      readonly record: RecordToPublish;
      readonly result: CheckResult;
      readonly autoCheck: AutoCheck;
    }
  | { readonly state: "seen"; readonly record: RecordToPublish }
  /** The account exists; or this service has withdrawn a key of the record, so that nobody should publish it. */
  | { readonly state: "done" | "outdated" };

export function setUpLinkPage(context: PageContext, props: SetUpLinkPageProps) {
  const { t, lang } = context;
  const { domain, state } = props;
  const body = html`<p class="lead">${lead(t, props)}</p>
${warning(t.html("setUpLink-warning", { domain: inlineDomain(domain) }))}
${state === "waiting" || state === "seen" ? recordSection(t, t("dnsSetup-record"), props) : ""}
${section("check", t("setUpLink-status"), setUpStatus(t, props))}
${state === "outdated" ? "" : html`<p class="hint">${t("setUpLink-until", { date: shownDate(lang, props.until) })}</p>`}`;
  const titles = domainTitle(t, "setUpLink-heading", domain);
  const isWaiting = state === "waiting" && props.autoCheck.isOn;
  return page({ ...context, ...titles, step: "set-up-link", isWaiting, body });
}

function lead(t: Translate, { app, issuerHost }: SetUpLinkPageProps): PageHtml {
  const issuer = host(issuerHost);
  if (app === null) return t.html("setUpLink-leadUnknownApp", { issuer });
  const client = "name" in app ? clientName(app.name) : host(app.host);
  return t.html("setUpLink-lead", { client, issuer });
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
