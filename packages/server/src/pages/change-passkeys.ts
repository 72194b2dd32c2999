// The pages that remove a passkey, and that show the record after a change of passkeys.

import { html } from "hono/html";
import { passkeyScriptPath } from "./assets.ts";
import { type OwnerPageProps, type PageContext, page } from "./layout.ts";
import { accountLink, browserName, buttonForm, displayedDomainTitle } from "./parts.ts";
import { type PasskeySignals, passkeySignals } from "./passkey-signals.ts";
import { type RecordToPublish, recordSection } from "./record.ts";
import { signOutForms } from "./sign-out.ts";

interface RemovePasskeyPageProps extends OwnerPageProps {
  readonly action: string;
  readonly name: string;
  /** Whether the account then has no passkey. */
  readonly isLast: boolean;
}

export function removePasskeyPage(context: PageContext, props: RemovePasskeyPageProps) {
  const { t } = context;
  const { domain, action, query } = props;
  const name = html`<bdi>${browserName(context, props.name)}</bdi>`;
  const body = html`<p class="lead">${t.html("removePasskey-lead", { name })}</p>
${props.isLast ? html`<p>${t("removePasskey-last")}</p>` : ""}
<div class="actions">
${buttonForm("remove-passkey-form", action, t("removePasskey-submit"), { kind: "primary" })}
</div>
${accountLink(t, domain)}
${signOutForms(context, [domain], query)}`;
  const titles = displayedDomainTitle(t, "removePasskey-heading", domain);
  return page({ ...context, ...titles, step: "account-change", body });
}

interface PasskeyChangedPageProps extends OwnerPageProps {
  readonly change: "added" | "removed";
  readonly record: RecordToPublish;
  readonly continueAction?: string | undefined;
  readonly signals: PasskeySignals | undefined;
}

export function passkeyChangedPage(context: PageContext, props: PasskeyChangedPageProps) {
  const { t } = context;
  const { domain, change, continueAction, query } = props;
  const options = { kind: "primary", hidden: { continue: "1" } };
  const proceed = (action: string) => html`<div class="actions">
${buttonForm("continue-form", action, t("passkeyChanged-continue"), options)}
</div>`;
  const body = html`<p class="lead">${t(`passkeyChanged-${change}_effect`)}</p>
${recordSection(t, t("passkeyChanged-record"), props)}
${continueAction === undefined ? accountLink(t, domain) : proceed(continueAction)}
${signOutForms(context, [domain], query)}
${passkeySignals(props.signals)}`;
  const title = t(`passkeyChanged-${change}`);
  return page({ ...context, step: "account-change", title, script: passkeyScriptPath, body });
}
