// The pages that delete an account: what is lost, and that it is done.

import { html } from "hono/html";
import { domainName, inlineDomain } from "./client.ts";
import { displayDomain } from "./domain-display.ts";
import { type PageContext, page } from "./layout.ts";
import { alert } from "./notice.ts";
import { signOutForms } from "./sign-out.ts";

export function deleteAccountPage(
  context: PageContext,
  props: {
    readonly domain: string;
    readonly action: string;
    /** The query of the authorization request. */
    readonly query: string;
    readonly isWrong: boolean;
  },
) {
  const { t } = context;
  const { domain, action, isWrong } = props;
  const body = html`<h1>${t.html("deleteAccount-heading", { domain: domainName(domain) })}</h1>
<p class="lead">${t("deleteAccount-lead")}</p>
${t.paragraphs("deleteAccount-paragraphs").map((paragraph) => html`<p>${paragraph}</p>`)}
${isWrong ? alert(t, "delete-problem", { summary: t("deleteAccount-wrong") }) : ""}
<form id="delete-account-form" method="post" action="${action}">
<label for="domain">${t.html("deleteAccount-confirm", { domain: inlineDomain(domain) })}</label>
<input id="domain" name="domain" type="text" dir="ltr" class="code-input" autocomplete="off" autocapitalize="none"
 autocorrect="off" spellcheck="false" maxlength="300" required${isWrong ? html` aria-invalid="true" aria-describedby="delete-problem"` : ""}>
<button class="button primary">${t("deleteAccount-submit")}</button>
</form>
<p class="way-back"><a id="account" class="entry" href="/account?${new URLSearchParams({ domain }).toString()}">${t("newPasskey-back")}</a></p>
${signOutForms(context, { domains: [domain], query: props.query })}`;
  const title = t("deleteAccount-heading", { domain: displayDomain(domain).shown });
  return page({ ...context, step: "account-change", title, isProblem: isWrong, body });
}

export function accountDeletedPage(context: PageContext, { domain }: { readonly domain: string }) {
  const { t } = context;
  const body = html`<h1>${t.html("deleteAccount-done", { domain: domainName(domain) })}</h1>
<p class="lead">${t("deleteAccount-doneLead")}</p>
<p><a id="sign-in" class="entry" href="/account">${t("account-signIn")}</a></p>`;
  const title = t("deleteAccount-done", { domain: displayDomain(domain).shown });
  return page({ ...context, step: "account-change", title, body });
}
