// The pages that delete an account: what is lost, and that it is done.

import { html } from "hono/html";
import { passkeyScriptPath } from "./assets.ts";
import { type OwnerPageProps, type PageContext, page } from "./layout.ts";
import { alert } from "./notice.ts";
import { accountLink, displayedDomainTitle, inlineDomain, paragraphs } from "./parts.ts";
import { type PasskeySignals, passkeySignals } from "./passkey-signals.ts";
import { signOutForms } from "./sign-out.ts";

interface DeleteAccountPageProps extends OwnerPageProps {
  readonly action: string;
  readonly isWrong: boolean;
}

export function deleteAccountPage(context: PageContext, props: DeleteAccountPageProps) {
  const { t } = context;
  const { domain, action, query, isWrong } = props;
  const body = html`<p class="lead">${t("deleteAccount-lead")}</p>
${paragraphs(t.paragraphs("deleteAccount-paragraphs"))}
${isWrong ? alert(t, "delete-problem", { summary: t("deleteAccount-wrong") }) : ""}
<form id="delete-account-form" method="post" action="${action}">
<label for="domain">${t.html("deleteAccount-confirm", { domain: inlineDomain(domain) })}</label>
<input id="domain" name="domain" type="text" dir="ltr" class="code-input" autocomplete="off" autocapitalize="none"
 autocorrect="off" spellcheck="false" maxlength="300" required${isWrong ? html` aria-invalid="true" aria-describedby="delete-problem"` : ""}>
<button class="button primary">${t("deleteAccount-submit")}</button>
</form>
${accountLink(t, domain)}
${signOutForms(context, [domain], query)}`;
  const titles = displayedDomainTitle(t, "deleteAccount-heading", domain);
  return page({ ...context, ...titles, step: "account-change", isProblem: isWrong, body });
}

export function accountDeletedPage(
  context: PageContext,
  { domain, signals }: { readonly domain: string; readonly signals: PasskeySignals | undefined },
) {
  const { t } = context;
  const body = html`<p class="lead">${t("deleteAccount-doneLead")}</p>
<p><a id="sign-in" class="entry" href="/account">${t("account-signIn")}</a></p>
${passkeySignals(signals)}`;
  const titles = displayedDomainTitle(t, "deleteAccount-done", domain);
  return page({ ...context, ...titles, step: "account-change", script: passkeyScriptPath, body });
}
