// The set-up page: the record to publish, and the result of checking it in DNS.

import { html } from "hono/html";
import { passkeyScriptPath } from "./assets.ts";
import { type ResumableSetUps, resumeForms } from "./earlier-set-ups.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { NameIn, PageHtml, Translate } from "./messages.ts";
import { type AutoCheck, alert, type CheckResult, checkSection } from "./notice.ts";
import { backLink, buttonForm, clientNote, domainTitle, inlineDomain, warning } from "./parts.ts";
import { type PasskeyQuestion, passkeyForm } from "./passkey.ts";
import { type RecordToPublish, recordSection } from "./record.ts";

/** What the page says about a passkey, which its script shows if the browser supports them. */
export interface PasskeyOffer extends PasskeyQuestion {
  /** Whether the record already names one. */
  readonly isMade: boolean;
  readonly problem?: NameIn<"newPasskeyProblems"> | undefined;
}

interface DnsSetupPageProps extends ResumableSetUps {
  readonly domain: string;
  readonly passkey?: PasskeyOffer | undefined;
  readonly record: RecordToPublish;
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
  const { domain, passkey } = props;
  const check = { ...props, submit: t("dnsSetup-submit") };
  const body = html`<p class="lead">${t("dnsSetup-lead")}</p>
${clientNote(context, "dnsSetup-client")}
${warning(t.html("dnsSetup-warning", { domain: inlineDomain(domain) }))}
${props.isKnown ? knownNotice(t, props) : ""}
${passkey === undefined ? "" : passkeySection(t, passkey)}
${recordSection(t, t("dnsSetup-record"), props)}
<p class="elsewhere"><a id="hand-on" href="${props.handOn}">${t("dnsSetup-handOn")}</a></p>
${checkSection(t, t("dnsSetup-check"), check)}
<details id="start-over">
<summary>${t("dnsSetup-startOver-title")}</summary>
<p>${t("dnsSetup-startOver-explanation")}</p>
${buttonForm("start-over-form", props.startOverAction, t("dnsSetup-startOver-submit"))}
</details>
<p class="elsewhere"><a id="former" href="${props.formerRecord}">${t("dnsSetup-former")}</a></p>
${resumeForms(t, props)}
${backLink(t, client)}`;
  const titles = domainTitle(t, "dnsSetup-heading", domain);
  const script = passkey && { script: passkeyScriptPath };
  const isWaiting = props.autoCheck.isOn;
  return page({ ...context, ...titles, ...script, step: "dns-setup", isWaiting, body });
}

/** So that nobody replaces their account without knowing it. */
function knownNotice(t: Translate, { domain, formerRecord }: DnsSetupPageProps): PageHtml {
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
