// The page on which a person saves recovery codes: those of a new account, or new ones.

import { html } from "hono/html";
import { sha256 } from "../lib/random.ts";
import { type ClientPageContext, type OwnerPageProps, page } from "./layout.ts";
import type { PageHtml } from "./messages.ts";
import { appNote, buttonForm, domainName, inlineDomain } from "./parts.ts";
import { copyButton } from "./record.ts";
import { signOutForms } from "./sign-out.ts";

/** With fewer, the person is offered new ones. */
export const FEW_CODES = 3;

interface RecoveryCodesPageProps extends OwnerPageProps {
  /** Empty if the browser has lost them. */
  readonly codes: readonly string[];
  readonly action: string;
  /** Whether they replace former ones. */
  readonly areNew?: boolean;
  /** Whether a sign-in offers them, because few are left: the person may keep those. */
  readonly areOffered?: boolean;
}

export function recoveryCodesPage(context: ClientPageContext, props: RecoveryCodesPageProps) {
  const { t } = context;
  const { domain, codes, action, areNew = false, areOffered = false } = props;
  const isLost = codes.length === 0;
  const heading = areNew ? "newCodes-heading" : "recoveryCodes-done";
  const body = html`${areOffered ? html`<p class="lead">${t("newCodes-few")}</p>` : ""}
${areNew ? html`<p class="${areOffered ? "" : "lead"}">${t("newCodes-lead")}</p>` : ""}
${appNote(context)}
<section aria-labelledby="codes-title" class="keep">
<h2 id="codes-title">${t("recoveryCodes-heading")}</h2>
${isLost ? html`<p>${t("recoveryCodes-lost")}</p>` : codeList(context, props)}
</section>
<div class="actions">
${buttonForm("recovery-codes-form", action, t(isLost ? "recoveryCodes-continue" : "recoveryCodes-saved"), { kind: "primary", ...(areNew && { hidden: { shown: fingerprintOf(codes) } }) })}
${areOffered ? buttonForm("keep-codes-form", action, t("newCodes-keep"), { hidden: { keep: "1" } }) : ""}
</div>
${signOutForms(context, [domain], props.query)}`;
  const titles = {
    title: t("recoveryCodes-heading"),
    heading: t.html(heading, { domain: domainName(domain) }),
  };
  return page({ ...context, ...titles, step: "recovery-codes", body });
}

/** Shows whether the saved codes are the codes that the page showed. */
export function fingerprintOf(codes: readonly string[]): string {
  return sha256(codes.join(" "));
}

function codeList({ t }: ClientPageContext, { domain, codes }: RecoveryCodesPageProps): PageHtml {
  return html`<p>${t.html("recoveryCodes-why", { domain: inlineDomain(domain) })}</p>
<ol class="codes" id="recovery-codes">${codes.map((code) => html`<li><code class="recovery-code">${code}</code></li>`)}</ol>
<div class="codes-foot">${copyButton(t, "recovery-codes", t("recoveryCodes-all"))}
<button type="button" class="copy" data-download="recovery-codes" data-file="recovery-codes-${domain}.txt" hidden>${t("recoveryCodes-download")}</button>
<button type="button" class="copy" data-print hidden>${t("recoveryCodes-print")}</button>
<p class="hint">${t("recoveryCodes-valid")}</p></div>`;
}
