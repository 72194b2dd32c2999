// The end of the second step of a set-up: the record was found, and one button goes on.

import { html } from "hono/html";
import { passkeyScriptPath } from "./assets.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { NameIn, PageHtml, Translate } from "./messages.ts";
import { alert, type Notice } from "./notice.ts";
import { appNote, backLink, buttonForm, domainTitle } from "./parts.ts";
import { type LatePasskeyQuestion, type PasskeyQuestion, passkeyForm } from "./passkey.ts";

interface RecordFoundPageProps {
  readonly domain: string;
  /** The passkey of the set-up, whose assertion finishes it; without one, the URL at which a button finishes it. */
  readonly finish: PasskeyQuestion | LatePasskeyQuestion | { readonly action: string };
  readonly problem?: NameIn<"passkeyProblems"> | undefined;
  /** What DNS says, if that is why the set-up cannot be finished. */
  readonly notice?: Notice | undefined;
  readonly startOverAction: string;
  /** The key of the set-up whose record was found; undefined if its cookie is lost. */
  readonly setUp: string | undefined;
}

/** The script of the page that waits for the record shows this page in its place. */
export function recordFoundPage(
  context: ClientPageContext,
  step: "passkey" | "dns-setup",
  props: RecordFoundPageProps,
) {
  const { t, client } = context;
  const { domain, finish, problem, setUp } = props;
  const notice = problem ? { summary: t(`passkeyProblems-${problem}`) } : props.notice;
  const isProblem = notice !== undefined;
  const body = html`<p class="lead found">${t("dnsSetup-found")}</p>
${isProblem ? alert(t, "passkey-problem", notice) : ""}
${
  "options" in finish || "optionsAt" in finish
    ? passkeyForm(t, finish, {
        submit: t("dnsSetup-finish"),
        failed: t("passkey-failedSetUp"),
        unsupported: t("passkey-unsupportedSetUp"),
      })
    : buttonForm("check-form", finish.action, t("domain-submit"), { kind: "primary" })
}
<div class="more">
${startOverSection(t, props.startOverAction, setUp === undefined ? {} : { hidden: { set_up: setUp } })}
</div>
${appNote(context)}
${backLink(t, client)}`;
  const titles = domainTitle(t, isProblem ? "passkey-heading" : "dnsSetup-foundHeading", domain);
  const more = { isProblem, script: passkeyScriptPath, setUpStep: 2, isFound: true } as const;
  return page({ ...context, ...titles, ...more, step, body });
}

/** `more` is beside the button, such as other records of the same domain. */
export function startOverSection(
  t: Translate,
  action: string,
  { more = html``, hidden = {} }: { more?: PageHtml; hidden?: Readonly<Record<string, string>> },
): PageHtml {
  return html`<details id="start-over">
<summary>${t("dnsSetup-startOver-title")}</summary>
<p>${t("dnsSetup-startOver-explanation")}</p>
${buttonForm("start-over-form", action, t("dnsSetup-startOver-submit"), { hidden })}
${more}</details>`;
}
