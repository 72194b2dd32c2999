// The page on which a person saves recovery codes: those of a new account, or new ones.

import { html } from "hono/html";
import { sha256 } from "../lib/random.ts";
import { type ClientPageContext, type OwnerPageProps, page } from "./layout.ts";
import type { PageHtml } from "./messages.ts";
import { appNote, buttonForm, domainName } from "./parts.ts";
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
  /** Whether the account has a passkey, which is lost only with all devices. */
  readonly hasPasskey?: boolean;
  /** Whether a sign-in offers them, because few are left: the person may keep those. */
  readonly areOffered?: boolean;
}

export function recoveryCodesPage(context: ClientPageContext, props: RecoveryCodesPageProps) {
  const { t } = context;
  const { domain, codes, action, areNew = false, areOffered = false } = props;
  const isLost = codes.length === 0;
  const body = html`${lead(context, props)}
${appNote(context)}
${isLost ? "" : codeList(context, props)}
<div class="actions">
${buttonForm("recovery-codes-form", action, t(isLost ? "recoveryCodes-continue" : "recoveryCodes-saved"), areNew ? { hidden: { shown: fingerprintOf(codes) } } : {})}
${areOffered ? buttonForm("keep-codes-form", action, t("newCodes-keep"), { hidden: { keep: "1" } }) : ""}
</div>
${signOutForms(context, [domain], props.query)}`;
  const heading = t.html(areNew ? "newCodes-heading" : "recoveryCodes-done", {
    domain: domainName(domain),
  });
  const titles = {
    title: t("recoveryCodes-heading"),
    heading: areNew ? heading : html`<span class="done">${heading}</span>`,
  };
  const place = areNew ? {} : ({ setUpStep: 3 } as const);
  return page({ ...context, ...titles, ...place, step: "recovery-codes", body });
}

function lead({ t }: ClientPageContext, props: RecoveryCodesPageProps): PageHtml {
  const { codes, areNew, areOffered, hasPasskey } = props;
  if (codes.length === 0) return html`<p class="lead">${t("recoveryCodes-lost")}</p>`;
  const few = areOffered ? html`<p class="lead">${t("newCodes-few")}</p>\n` : "";
  const why = t(hasPasskey ? "recoveryCodes-whyPasskey" : "recoveryCodes-why");
  return html`${few}${areNew ? html`<p class="${areOffered ? "" : "lead"}">${t("newCodes-lead")}</p>` : html`<p class="lead">${why}</p>`}`;
}

/** Shows whether the saved codes are the codes that the page showed. */
export function fingerprintOf(codes: readonly string[]): string {
  return sha256(codes.join(" "));
}

/** The file comes first: it is what a person is most likely to find again. */
function codeList({ t }: ClientPageContext, { domain, codes }: RecoveryCodesPageProps): PageHtml {
  return html`<p class="keep"><button type="button" class="button primary" data-download="recovery-codes" data-file="recovery-codes-${domain}.txt" hidden>${t("recoveryCodes-download")}</button>
${copyButton(t, "recovery-codes", t("recoveryCodes-all"))}
<button type="button" class="copy" data-print hidden>${t("recoveryCodes-print")}</button></p>
<ol class="codes" id="recovery-codes" translate="no">${codes.map((code) => html`<li><code class="recovery-code">${code}</code></li>`)}</ol>`;
}
