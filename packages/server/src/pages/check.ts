// The front page, which says what this service is, and the page that checks a domain. Both are for strangers.

import { html } from "hono/html";
import { type PageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { alert, type CheckResult, checkStatus, type Notice } from "./notice.ts";
import { host } from "./parts.ts";

/** `issuerHost` is the host of the operator. */
export function homePage(context: PageContext, { issuerHost }: { readonly issuerHost: string }) {
  const { t } = context;
  const body = html`<p class="lead">${t("home-lead")}</p>
<p class="aside">${t.html("home-operator", { host: host(issuerHost) })}</p>
<p class="actions"><a class="button primary" id="account" href="/account">${t("home-account")}</a></p>
${checkForm(t, { value: "" }, { label: t("check-title"), kind: "" })}`;
  return page({ ...context, step: "home", title: t("home-title"), body });
}

export interface CheckPageProps {
  /** What was typed. */
  readonly value: string;
  /** Why nothing was looked up. */
  readonly notice?: Notice | undefined;
  /** Its summary is the verdict. */
  readonly result?: CheckResult | undefined;
}

export function checkPage(context: PageContext, props: CheckPageProps) {
  const { t } = context;
  const { notice, result } = props;
  const heading = html`${t("check-title")}`;
  const body = html`${result === undefined ? html`<p class="lead">${t("check-lead")}</p>` : checkStatus(t, result, undefined)}
${checkForm(t, props, { label: t("check-label"), kind: " primary" })}`;
  const title = result?.summary ?? t("check-title");
  return page({ ...context, step: "check", title, heading, isProblem: notice !== undefined, body });
}

/** Sends its field in the URL, so that a check can be reloaded and needs neither a cookie nor a script. */
function checkForm(
  t: Translate,
  { value, notice }: CheckPageProps,
  { label, kind }: { readonly label: string; readonly kind: "" | " primary" },
): PageHtml {
  const isProblem = notice !== undefined;
  return html`<form id="check-domain-form" method="get" action="/check">
${isProblem ? alert(t, "domain-problem", notice) : ""}
<label for="domain">${label}</label>
<input id="domain" name="domain" type="text" dir="ltr" class="domain-input" value="${value}"
 inputmode="url" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" maxlength="300" required
 aria-describedby="${isProblem ? "domain-problem domain-hint" : "domain-hint"}"${isProblem ? html` aria-invalid="true"` : ""}>
<p class="hint" id="domain-hint">${t("check-hint")}</p>
<button class="button${kind}">${t("check-submit")}</button>
</form>`;
}
