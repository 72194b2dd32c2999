// The page that adds a passkey to an account.

import { html } from "hono/html";
import { passkeyScriptPath } from "./assets.ts";
import { domainName } from "./client.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { NameIn } from "./messages.ts";
import { alert } from "./notice.ts";
import { passkeyForm } from "./passkey.ts";

export interface NewPasskeyPageProps {
  domain: string;
  /** The URL to which the registration is posted, as JSON in the field `credential`. */
  action: string;
  /** `PublicKeyCredentialCreationOptionsJSON`, which the script passes to the browser. */
  options: object;
  problem?: NameIn<"newPasskeyProblems"> | undefined;
}

export function newPasskeyPage(context: ClientPageContext, props: NewPasskeyPageProps) {
  const { t } = context;
  const { domain, problem } = props;
  const isProblem = problem !== undefined;
  const body = html`<h1>${t.html("newPasskey-heading", { domain: domainName(domain) })}</h1>
<p class="lead">${t("newPasskey-lead")}</p>
${isProblem ? alert(t, "passkey-problem", { summary: t(`newPasskeyProblems-${problem}`) }) : ""}
${passkeyForm(t, props, {
  submit: t("newPasskey-submit"),
  failed: t("newPasskey-failed"),
  unsupported: t("newPasskey-unsupported"),
})}
<p class="way-back"><a class="entry" href="/account?${new URLSearchParams({ domain }).toString()}">${t("newPasskey-back")}</a></p>`;
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
