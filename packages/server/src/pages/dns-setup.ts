// The second step of a set-up: the record to publish, and whether DNS has it.

import { html } from "hono/html";
import { passkeyScriptPath } from "./assets.ts";
import { type ResumableSetUps, resumeForms } from "./earlier-set-ups.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { type AutoCheck, type CheckResult, checkLive, knownNotice } from "./notice.ts";
import { appNote, backLink, domainTitle, inlineDomain } from "./parts.ts";
import {
  panelLine,
  type RecordToPublish,
  recordHelp,
  recordTable,
  type ShownPanel,
} from "./record.ts";
import { startOverSection } from "./record-found.ts";

interface DnsSetupPageProps extends ResumableSetUps {
  readonly domain: string;
  readonly record: RecordToPublish;
  /** Where the owner edits the zone, if it is known. */
  readonly panel?: ShownPanel | null;
  readonly isWebView?: boolean;
  readonly handOn: string;
  readonly formerRecord: string;
  /** Whether an account of the domain knows this browser. */
  readonly isKnown?: boolean;
  readonly action: string;
  readonly result: CheckResult;
  readonly autoCheck: AutoCheck;
  readonly startOverAction: string;
}

export function dnsSetupPage(context: ClientPageContext, props: DnsSetupPageProps) {
  const { t, client } = context;
  const { domain, panel = null, isWebView = false } = props;
  const effect = html`<p class="aside effect">${t.html("dnsSetup-effect", { domain: inlineDomain(domain) })}</p>`;
  const body = html`${props.isKnown ? knownNotice(t, domain, props.formerRecord) : ""}
${panel === null ? "" : panelLine(t, panel)}
${recordTable(t, { ...props, panel, under: effect })}
${isWebView ? html`<p class="aside" id="web-view">${t("dnsSetup-webView")}</p>` : ""}
${checkLive(t, { ...props, submit: t("dnsSetup-submit"), help: recordHelp(t, { ...props, panel }), more: others(t, props) })}
${appNote(context)}
${backLink(t, client)}`;
  const titles = domainTitle(t, "dnsSetup-heading", domain);
  // The script is for the button with which the page goes on once the record is found.
  const more = {
    script: passkeyScriptPath,
    isWaiting: props.autoCheck.isOn,
    setUpStep: 2,
  } as const;
  return page({ ...context, ...titles, ...more, step: "dns-setup", body });
}

/** What else a person can do about the record. */
function others(t: Translate, props: DnsSetupPageProps): PageHtml {
  const former = html`<p class="elsewhere"><a id="former" href="${props.formerRecord}">${t("dnsSetup-former")}</a></p>
${resumeForms(t, props)}`;
  return html`<p class="row"><a id="hand-on" href="${props.handOn}">${t("dnsSetup-handOn")}</a></p>
${startOverSection(t, props.startOverAction, { more: former })}`;
}
