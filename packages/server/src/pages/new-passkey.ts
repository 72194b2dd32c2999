// The page that adds a passkey to an account: for a change of the account page, or after a recovery.

import { html } from "hono/html";
import { passkeyScriptPath } from "./assets.ts";
import { type ClientPageContext, type OwnerPageProps, page } from "./layout.ts";
import type { NameIn } from "./messages.ts";
import { alert } from "./notice.ts";
import { accountPath, backLink, buttonForm, domainTitle, inlineDomain } from "./parts.ts";
import { type PasskeyQuestion, passkeyForm } from "./passkey.ts";
import { signOutForms } from "./sign-out.ts";

interface NewPasskeyPageProps extends OwnerPageProps, PasskeyQuestion {
  readonly problem?: NameIn<"newPasskeyProblems"> | undefined;
  /** After a recovery: what it was for. A sign-in can go on without a passkey, a change of the account cannot. */
  readonly recovery?: "sign-in" | "change" | undefined;
}

export function newPasskeyPage(context: ClientPageContext, props: NewPasskeyPageProps) {
  const { t, client } = context;
  const { domain, problem, recovery } = props;
  const isProblem = problem !== undefined;
  const options = { hidden: { continue: "1" }, describedBy: "without-passkey" };
  const body = html`<p class="lead">${t(recovery === undefined ? "newPasskey-lead" : "newPasskey-leadRecovery")}</p>
${recovery === "change" ? html`<p>${t("newPasskey-beforeChange")}</p>` : ""}
${isProblem ? alert(t, "passkey-problem", { summary: t(`newPasskeyProblems-${problem}`) }) : ""}
${passkeyForm(t, props, {
  submit: t("newPasskey-submit"),
  failed: t("newPasskey-failed"),
  exists: t.html("newPasskey-exists", { domain: inlineDomain(domain) }),
  unsupported: t(recovery === "sign-in" ? "newPasskey-unsupportedHere" : "newPasskey-unsupported"),
})}
${
  recovery === "sign-in"
    ? html`<p class="hint" id="without-passkey">${t("newPasskey-without")}</p>
${buttonForm("without-passkey-form", props.action, t("newPasskey-without-submit"), options)}
${backLink(t, client)}`
    : html`<p class="way-back"><a class="entry" href="${accountPath(domain)}">${t("newPasskey-back")}</a></p>`
}
${signOutForms(context, [domain], props.query)}`;
  const titles = domainTitle(t, "newPasskey-heading", domain);
  const script = passkeyScriptPath;
  return page({ ...context, ...titles, step: "new-passkey", isProblem, script, body });
}
