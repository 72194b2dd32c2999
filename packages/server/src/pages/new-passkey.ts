// The page that adds a passkey to an account: for a change of the account page, or after a recovery.

import { html } from "hono/html";
import { passkeyScriptPath } from "./assets.ts";
import { backLink, buttonForm, domainName, inlineDomain } from "./client.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { NameIn, PageHtml } from "./messages.ts";
import { alert } from "./notice.ts";
import { passkeyForm } from "./passkey.ts";
import { signOutForms } from "./sign-out.ts";

export interface NewPasskeyPageProps {
  domain: string;
  /** The URL to which the registration is posted, as JSON in the field `credential`. */
  action: string;
  /** The query of the authorization request. */
  query: string;
  /** `PublicKeyCredentialCreationOptionsJSON`, which the script passes to the browser. */
  options: object;
  problem?: NameIn<"newPasskeyProblems"> | undefined;
  /** After a recovery: what it was for. A sign-in can go on without a passkey, a change of the account cannot. */
  recovery?: "sign-in" | "change" | undefined;
}

export function newPasskeyPage(context: ClientPageContext, props: NewPasskeyPageProps) {
  const { t } = context;
  const { domain, problem, recovery } = props;
  const isProblem = problem !== undefined;
  const body = html`<h1>${t.html("newPasskey-heading", { domain: domainName(domain) })}</h1>
<p class="lead">${t(recovery === undefined ? "newPasskey-lead" : "newPasskey-leadRecovery")}</p>
${recovery === "change" ? html`<p>${t("newPasskey-beforeChange")}</p>` : ""}
${isProblem ? alert(t, "passkey-problem", { summary: t(`newPasskeyProblems-${problem}`) }) : ""}
${passkeyForm(t, props, {
  submit: t("newPasskey-submit"),
  failed: t("newPasskey-failed"),
  exists: t.html("newPasskey-exists", { domain: inlineDomain(domain) }),
  unsupported: t(recovery === "sign-in" ? "newPasskey-unsupportedHere" : "newPasskey-unsupported"),
})}
${recovery === "sign-in" ? withoutPasskey(context, props) : backToAccount(context, domain)}
${signOutForms(context, { domains: [domain], query: props.query })}`;
  const title = t("newPasskey-heading", { domain });
  return page({
    ...context,
    step: "new-passkey",
    title,
    isProblem,
    script: passkeyScriptPath,
    body,
  });
}

/** For a browser or a device that does not support passkeys. */
function withoutPasskey(
  { t, client }: ClientPageContext,
  { action }: NewPasskeyPageProps,
): PageHtml {
  const hidden = { continue: "1" };
  return html`<p class="hint" id="without-passkey">${t("newPasskey-without")}</p>
${buttonForm("without-passkey-form", action, t("newPasskey-without-submit"), { hidden, describedBy: "without-passkey" })}
${backLink(t, client)}`;
}

function backToAccount({ t }: ClientPageContext, domain: string): PageHtml {
  return html`<p class="way-back"><a class="entry" href="/account?${new URLSearchParams({ domain }).toString()}">${t("newPasskey-back")}</a></p>`;
}
