// Whether an account is in order: the first line of its page, and what DNS contains.

import { html } from "hono/html";
import { displayDomain } from "./domain-display.ts";
import type { PageContext } from "./layout.ts";
import type { Explanation, PageHtml } from "./messages.ts";
import { foundRecords, shownAgo } from "./notice.ts";
import { closedSection, inlineDomain, paragraphs, recordName } from "./parts.ts";
import { copyButton } from "./record.ts";
import { FEW_CODES } from "./recovery-codes.ts";

/** Whether the record names the account. `former`: the domain was set up again. Times are in epoch seconds. */
export type NamedBy =
  | { readonly state: "held"; readonly checkedAt: number }
  | { readonly state: "lost" | "unknown" | "former" };

/** The sign-in records that DNS contains. */
export interface ShownDns {
  readonly name: string;
  readonly values: readonly string[];
  readonly checkedAt: number;
  /**
   * What the record should or could read, and why: the record is lost, or the zone is signed and the record does not
   * list the keys of this service. Null if the record is as it should be.
   */
  readonly better: { readonly reason: "lost" | "signed"; readonly value: string } | null;
}

export interface AccountState {
  readonly domain: string;
  readonly record: NamedBy;
  /** Null if it is not known. */
  readonly dns: ShownDns | null;
}

/** How the owner can authenticate at this service. Null for an account at another service provider. */
export interface OwnProofs {
  readonly passkeys: readonly unknown[];
  /** How many are unused. */
  readonly recoveryCodes: number;
}

/** That all is in order; or else the worst of what is not, and what to do. */
export function firstLine(
  context: PageContext,
  { domain, record }: AccountState,
  proofs: OwnProofs | null,
): PageHtml {
  const { t } = context;
  const values = { domain: displayDomain(domain).shown };
  if (record.state === "lost") return line("", t.explanation("account-record_lost", values));
  if (record.state !== "held") {
    return line("warning", t.explanation(`account-record_${record.state}`, values));
  }
  if (proofs !== null && proofs.recoveryCodes < FEW_CODES) {
    return line("warning", t.explanation("account-fewCodes"));
  }
  if (proofs !== null && proofs.passkeys.length === 0) {
    return line("warning", t.explanation("account-noPasskey", values));
  }
  return html`<div class="notice good" id="first-line" role="status">
<p class="summary">${t.html("account-inOrder", { domain: inlineDomain(domain) })}</p>
<p class="aside">${t.html("account-recordHeld", { time: shownAgo(record.checkedAt) })}</p>
</div>`;
}

function line(kind: "" | "warning", { summary, details }: Explanation): PageHtml {
  return html`<div class="${`notice ${kind}`.trimEnd()}" id="first-line" role="status">
<p class="summary">${summary}</p>
${paragraphs(details)}
</div>`;
}

/** Open if the owner has to publish the record again. */
export function dnsSection(context: PageContext, { dns }: AccountState): PageHtml {
  if (dns === null) return html``;
  const { t } = context;
  const { name, values, checkedAt, better } = dns;
  const records = values.map((value) => ({ value, problems: [] }));
  const found =
    records.length === 0
      ? html`<p>${t.html("account-recordNone", { name: recordName(name) })}</p>`
      : html`<p>${recordName(name)}</p>
${foundRecords(t, records)}`;
  const body = html`${found}
<p class="aside">${t.html("dns-checkedAt", { time: shownAgo(checkedAt) })}</p>
${better === null ? "" : betterRecord(context, better)}`;
  const isLost = better?.reason === "lost";
  return closedSection("dns-record", t("account-recordTitle"), body, isLost);
}

function betterRecord({ t }: PageContext, better: NonNullable<ShownDns["better"]>): PageHtml {
  return html`<div id="better-record">
<p>${t(`account-betterRecord_${better.reason}`)}</p>
<dl class="record"><div><dt>${t("dns-value")}</dt><dd><span dir="ltr" translate="no"><code id="dns-value">${better.value}</code></span>${copyButton(t, "dns-value", t("dns-value"))}</dd></div></dl>
</div>`;
}
