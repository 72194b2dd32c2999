// The setup page: the record to publish, and the result of checking it in DNS.

import { html } from "hono/html";
import { passkeyScriptPath } from "./assets.ts";
import { backLink, buttonForm, clientNote, domainName, inlineDomain } from "./client.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { NameIn, PageHtml, Translate } from "./messages.ts";
import { type AutoCheck, alert, autoCheckHint, type CheckResult, checkStatus } from "./notice.ts";
import { passkeyForm } from "./passkey.ts";
import { type RecordToPublish, recordSection } from "./record.ts";
import { type EarlierSetUp, resumeForms } from "./resume.ts";

/** What the page says about a passkey, which its script shows if the browser supports them. */
export interface PasskeyOffer {
  /** The URL to which the registration is posted, as JSON in the field `credential`. */
  action: string;
  /** `PublicKeyCredentialCreationOptionsJSON`, which the script passes to the browser. */
  options: object;
  /** Whether the record already names one. */
  isMade: boolean;
  problem?: NameIn<"newPasskeyProblems"> | undefined;
}

export interface DnsSetupPageProps {
  domain: string;
  passkey?: PasskeyOffer | undefined;
  record: RecordToPublish;
  /** The URL of the page with a link for whoever manages the DNS. */
  handOn: string;
  /** The URL of the page for people whose domain had an account before. */
  formerRecord: string;
  /** Whether an account of the domain knows this browser. */
  isKnown?: boolean;
  /** The URL to which "check now" is posted. */
  action: string;
  result: CheckResult;
  autoCheck: AutoCheck;
  /** The URL to which the request for a new record is posted. */
  startOverAction: string;
  /** Set-ups of this browser for the domain that were begun earlier. */
  earlier: readonly EarlierSetUp[];
  /** The URL to which the request for one of them is posted. */
  resumeAction: string;
}

export function dnsSetupPage(context: ClientPageContext, props: DnsSetupPageProps) {
  const { t, client } = context;
  const body = html`<h1>${t.html("dnsSetup-heading", { domain: domainName(props.domain) })}</h1>
<p class="lead">${t("dnsSetup-lead")}</p>
${clientNote(context, "dnsSetup-client")}
<div class="notice warning">
<p class="summary">${t.html("dnsSetup-warning", { domain: inlineDomain(props.domain) })}</p>
</div>
${props.isKnown ? knownNotice(t, props) : ""}
${props.passkey === undefined ? "" : passkeySection(t, props.passkey)}
${recordSection(t, t("dnsSetup-record"), props)}
<p class="elsewhere"><a id="hand-on" href="${props.handOn}">${t("dnsSetup-handOn")}</a></p>
<section aria-labelledby="check-title">
<h2 id="check-title">${t("dnsSetup-check")}</h2>
${checkStatus(t, props.result, props.autoCheck)}
<form id="check-form" method="post" action="${props.action}">
<button class="button primary" aria-describedby="look">${t("dnsSetup-submit")}</button>
</form>
${autoCheckHint(t, props.autoCheck)}
</section>
<details id="start-over">
<summary>${t("dnsSetup-startOver-title")}</summary>
<p>${t("dnsSetup-startOver-explanation")}</p>
${buttonForm("start-over-form", props.startOverAction, t("dnsSetup-startOver-submit"))}
</details>
<p class="elsewhere"><a id="former" href="${props.formerRecord}">${t("dnsSetup-former")}</a></p>
${resumeForms(t, props)}
${backLink(t, client)}`;
  const title = t("dnsSetup-heading", { domain: props.domain });
  return page({
    ...context,
    step: "dns-setup",
    title,
    isWaiting: props.autoCheck.isOn,
    ...(props.passkey && { script: passkeyScriptPath }),
    body,
  });
}

/** So that nobody replaces their account without knowing it. */
function knownNotice(
  t: Translate,
  { domain, formerRecord }: Pick<DnsSetupPageProps, "domain" | "formerRecord">,
): PageHtml {
  return html`<div class="notice warning" id="known-account">
<p class="summary">${t.html("dnsSetup-known", { domain: inlineDomain(domain) })}</p>
<p>${t("dnsSetup-knownEffect")}</p>
<p><a class="button" href="${formerRecord}">${t("dnsSetup-restore")}</a></p>
</div>`;
}

/** Before the record, because the record names the key. */
function passkeySection(t: Translate, passkey: PasskeyOffer): PageHtml {
  const { isMade, problem } = passkey;
  const texts = {
    submit: t(isMade ? "dnsSetup-passkeyAgain" : "newPasskey-submit"),
    failed: t("newPasskey-failed"),
    unsupported: "",
    kind: isMade ? "" : "primary",
  } as const;
  return html`<section id="passkey" aria-labelledby="passkey-title"${isMade || problem ? "" : html` hidden`}>
<h2 id="passkey-title">${t("dnsSetup-passkey")}</h2>
${problem === undefined ? "" : alert(t, "passkey-problem", { summary: t(`newPasskeyProblems-${problem}`) })}
<p>${t(isMade ? "dnsSetup-passkeyMade" : "dnsSetup-passkeyWhy")}</p>
<p class="hint">${t("dnsSetup-passkeyEffect")}</p>
${passkeyForm(t, passkey, texts)}
</section>`;
}
