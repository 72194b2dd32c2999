// The first step of a set-up: a passkey, before the record is shown, because the record names its key.

import { html } from "hono/html";
import { passkeyScriptPath } from "./assets.ts";
import { type ResumableSetUps, resumeForms } from "./earlier-set-ups.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { NameIn } from "./messages.ts";
import { alert, knownNotice } from "./notice.ts";
import { appNote, backLink, buttonForm, domainTitle } from "./parts.ts";
import { type PasskeyQuestion, passkeyForm } from "./passkey.ts";

interface SetUpPasskeyPageProps extends PasskeyQuestion, ResumableSetUps {
  readonly domain: string;
  readonly problem?: NameIn<"newPasskeyProblems"> | undefined;
  /** Whether the app shows the page in a window of its own, which has other cookies than the browser. */
  readonly isWebView: boolean;
  /** The URL of the former record, in a browser that an account of the domain knows. */
  readonly formerRecord: string | null;
  /** The URL at which a browser without script goes on. */
  readonly withoutScript: string;
}

/** The script goes on by itself where the browser does not support passkeys. */
export function setUpPasskeyPage(context: ClientPageContext, props: SetUpPasskeyPageProps) {
  const { t, client } = context;
  const { domain, action, problem, isWebView, formerRecord, withoutScript } = props;
  const isProblem = problem !== undefined;
  const without = { kind: "quiet", hidden: { without: "1" } };
  const body = html`<p class="lead">${t("setUpPasskey-lead")}</p>
${formerRecord === null ? "" : knownNotice(t, domain, formerRecord)}
${isProblem ? alert(t, "passkey-problem", { summary: t(`newPasskeyProblems-${problem}`) }) : ""}
${passkeyForm(t, props, {
  submit: t("newPasskey-submit"),
  failed: t("newPasskey-failed"),
  unsupported: "",
})}
${buttonForm("without-passkey-form", action, t("newPasskey-without-submit"), without)}
${resumeForms(t, props)}
${isWebView ? html`<p class="aside" id="web-view">${t("dnsSetup-webView")}</p>` : ""}
${appNote(context)}
${backLink(t, client)}`;
  const titles = domainTitle(t, "setUpPasskey-heading", domain);
  const more = { isProblem, script: passkeyScriptPath, withoutScript, setUpStep: 1 } as const;
  return page({ ...context, ...titles, ...more, step: "set-up-passkey", body });
}
