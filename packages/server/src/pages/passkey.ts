// The page that asks the owner of a domain for their passkey.

import { html } from "hono/html";
import { passkeyScriptPath } from "./assets.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { NameIn, PageHtml, Translate } from "./messages.ts";
import { alert, type Notice } from "./notice.ts";
import { backLink, buttonForm, clientNote, domainTitle } from "./parts.ts";
import { type PasskeySignals, passkeySignals } from "./passkey-signals.ts";

/** What a page asks of an authenticator. */
export interface PasskeyQuestion {
  /** The URL to which the credential is posted, as JSON in the field `credential`. */
  readonly action: string;
  /** `PublicKeyCredentialRequestOptionsJSON` or `…CreationOptionsJSON`, which the script passes to the browser. */
  readonly options: object;
}

/** The same of a page that may stay open for long: the script takes the options from the page at `optionsAt`. */
export interface LatePasskeyQuestion {
  readonly action: string;
  readonly optionsAt: string;
}

export interface PasskeyPageProps extends PasskeyQuestion {
  readonly domain: string;
  readonly problem?: NameIn<"passkeyProblems"> | undefined;
  /** What DNS says, if that is why the sign-in cannot continue. */
  readonly notice?: Notice | undefined;
  readonly withoutPasskeyAction: string;
  readonly signals?: PasskeySignals | undefined;
}

export function passkeyPage(context: ClientPageContext, props: PasskeyPageProps) {
  const { t, client } = context;
  const { problem } = props;
  const notice = problem ? { summary: t(`passkeyProblems-${problem}`) } : props.notice;
  const isProblem = notice !== undefined;
  const body = html`<p class="lead">${t("passkey-lead")}</p>
${clientNote(context, "passkey-client")}
${isProblem ? alert(t, "passkey-problem", notice) : ""}
${passkeyForm(t, props, {
  submit: t("passkey-submit"),
  failed: t("passkey-failed"),
  unsupported: t("passkey-unsupported"),
})}
${withoutPasskey(t, props)}
${backLink(t, client)}
${passkeySignals(props.signals)}`;
  const titles = domainTitle(t, "passkey-heading", props.domain);
  const script = passkeyScriptPath;
  return page({ ...context, ...titles, step: "passkey", isProblem, script, body });
}

function withoutPasskey(t: Translate, props: PasskeyPageProps): PageHtml {
  const action = props.withoutPasskeyAction;
  return html`<details id="without-passkey">
<summary>${t("passkey-without-title")}</summary>
<p>${t("passkey-without-explanation")}</p>
${buttonForm("without-passkey-form", action, t("passkey-without-submit"))}
</details>`;
}

/** The form that the script of these pages answers with a credential, and what it says if it cannot. */
export function passkeyForm(
  t: Translate,
  question: PasskeyQuestion | LatePasskeyQuestion,
  texts: {
    readonly submit: string;
    readonly failed: string;
    /** Where the authenticators that already have a passkey are excluded. */
    readonly exists?: PageHtml;
    readonly unsupported: string;
    readonly kind?: "primary" | "";
  },
): PageHtml {
  const { kind = "primary", exists } = texts;
  const options =
    "options" in question
      ? html`data-options="${JSON.stringify(question.options)}"`
      : html`data-options-at="${question.optionsAt}"`;
  return html`<form id="passkey-form" method="post" action="${question.action}" ${options}>
<input type="hidden" name="credential" value="">
<button class="${`button ${kind}`.trimEnd()}">${texts.submit}</button>
</form>
<p class="hint" id="passkey-status" role="status"></p>
<p id="passkey-failed" hidden>${texts.failed}</p>${exists === undefined ? "" : html`\n<p id="passkey-exists" hidden>${exists}</p>`}
<p id="passkey-unsupported" hidden>${texts.unsupported}</p>
<noscript><p class="hint">${t("passkey-noScript")}</p></noscript>`;
}
