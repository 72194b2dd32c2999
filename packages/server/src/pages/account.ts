// The account page, for the owner of a domain, and the pages that lead to it.

import { html } from "hono/html";
import {
  type AccountLists,
  accountFields,
  appsSection,
  browsersSection,
  passkeysSection,
  type ShownPasskey,
  sessionsSection,
} from "./account-entries.ts";
import { historySection, type ShownHistory } from "./account-events.ts";
import { shownTime } from "./dates.ts";
import { displayDomain } from "./domain-display.ts";
import { type PageContext, page } from "./layout.ts";
import type { PageHtml } from "./messages.ts";
import { endedSessions, foundRecords, type ShownEnd } from "./notice.ts";
import {
  accountPath,
  buttonForm,
  displayedDomainTitle,
  domainName,
  host,
  inlineDomain,
  paragraphs,
  recordName,
  section,
  wayBack,
} from "./parts.ts";
import { FEW_CODES } from "./recovery-codes.ts";
import { otherAccounts, signOutAllForm, signOutForms } from "./sign-out.ts";

/** What only the person who controls the domain now sees and changes. */
export interface HeldAccount {
  /** The host of the service provider that signs the owner in, if it is another service. */
  readonly provider: string | null;
  readonly passkeys: readonly ShownPasskey[];
  readonly morePasskeys: string | null;
  /** How many are unused. */
  readonly recoveryCodes: number;
  readonly history: ShownHistory;
  /** The paths to authenticate and then change something. */
  readonly addPasskey: string;
  readonly newCodes: string;
  readonly deleteAccount: string;
}

/** What each page of an account shows, also if nobody is signed in. */
interface AnyAccountPageProps {
  readonly ended: readonly ShownEnd[];
  /** The path to sign in with another domain. */
  readonly signIn: string;
}

export interface AccountPageProps extends AnyAccountPageProps, AccountLists {
  /** Whether the record names the account. `former`: the domain was set up again. */
  readonly record:
    | { readonly state: "held"; readonly checkedAt: number }
    | { readonly state: "lost" | "unknown" | "former" };
  /** The name and the values of the sign-in records that DNS contains; null if it is not known. */
  readonly dns: { readonly name: string; readonly values: readonly string[] } | null;
  /** Null if the record does not name the account, or could not be looked up: then it is not shown. */
  readonly held: HeldAccount | null;
  readonly others: boolean;
  /** The paths of the pages of former accounts of this domain that are signed in in this browser. */
  readonly former: readonly string[];
}

export function accountPage(context: PageContext, props: AccountPageProps) {
  const { t } = context;
  const { domain, held, others, signIn } = props;
  const body = html`${endedSessions(t, props.ended)}${recordStatus(context, props)}${recordFound(context, props)}
${appsSection(context, props)}
${sessionsSection(context, props)}
${browsersSection(context, props)}
${held === null ? "" : proofs(context, domain, held)}
${signingOut(context, props)}
${held === null ? "" : historySection(context, held.history)}
${held === null || held.provider !== null ? "" : deletion(context, held)}
${formerAccounts(context, props)}
<p class="way-back"><a class="entry" href="${others ? "/account" : signIn}">${t(others ? "account-others" : "account-otherDomain")}</a></p>`;
  const titles = displayedDomainTitle(t, "account-heading", domain);
  return page({ ...context, ...titles, step: "account", body });
}

/** The links between the present account of a domain and its former accounts. */
function formerAccounts({ t }: PageContext, props: AccountPageProps): PageHtml {
  const domain = inlineDomain(props.domain);
  if (props.record.state === "former") {
    const path = accountPath(props.domain);
    return wayBack("present-account", path, t.html("account-present", { domain }));
  }
  return html`${props.former.map((path, index) => {
    const id = `former-account${index === 0 ? "" : `-${index + 1}`}`;
    return wayBack(id, path, t.html("account-former", { domain }));
  })}`;
}

function proofs(context: PageContext, domain: string, held: HeldAccount): PageHtml {
  if (held.provider !== null) return keptElsewhere(context, held.provider);
  return html`${passkeysSection(context, domain, held)}
${recoveryCodes(context, held)}`;
}

/** An account at another service provider: nothing that proves its owner can be changed here. */
function keptElsewhere({ t }: PageContext, provider: string): PageHtml {
  const body = html`<p id="provider">${t.html("account-provider", { sp: host(provider) })}</p>
<p>${t("account-providerDelete")}</p>`;
  return section("provider", t("account-providerTitle"), body);
}

function deletion({ t }: PageContext, { deleteAccount }: HeldAccount): PageHtml {
  const body = html`<p><a id="delete-account" class="entry" href="${deleteAccount}">${t("account-delete")}</a></p>`;
  return section("delete", t("account-deleteTitle"), body);
}

function recordStatus({ t }: PageContext, { domain, record }: AccountPageProps): PageHtml {
  const values = { domain: displayDomain(domain).shown };
  if (record.state === "held") {
    return html`<p class="lead">${t("account-recordHeld", { time: shownTime(record.checkedAt) })}</p>`;
  }
  const { summary, details } = t.explanation(`account-record_${record.state}`, values);
  return html`<div class="notice warning" role="status"><p class="summary">${summary}</p>${paragraphs(details)}</div>`;
}

function recordFound({ t }: PageContext, { dns }: AccountPageProps): PageHtml {
  if (dns === null) return html``;
  if (dns.values.length === 0) {
    return html`<p id="dns-found">${t.html("account-recordNone", { name: recordName(dns.name) })}</p>`;
  }
  const records = dns.values.map((value) => ({ value, problems: [] }));
  return html`<div id="dns-found">${foundRecords(t, records)}</div>`;
}

function recoveryCodes({ t }: PageContext, held: HeldAccount): PageHtml {
  const count = held.recoveryCodes;
  const body = html`<p>${t("account-codesLeft", { count })}</p>
${count < FEW_CODES ? html`<div class="notice warning"><p class="summary">${t("account-fewCodes")}</p></div>` : ""}
<p><a id="new-codes" class="entry" href="${held.newCodes}">${t("account-newCodes")}</a></p>`;
  return section("codes", t("account-codesTitle"), body);
}

function signingOut({ t }: PageContext, props: AccountPageProps): PageHtml {
  const everywhere = "/account/sign-out-everywhere";
  const hidden = accountFields(props);
  const here = html`${buttonForm("sign-out-form", "/account/sign-out", t("account-signOutHere"), { hidden })}
${props.others ? signOutAllForm(t, queryOf(props.signIn)) : ""}`;
  const body = props.canEndOthers
    ? html`<p>${t("account-everywhereEffect")}</p>
<div class="actions">
${here}
${buttonForm("sign-out-everywhere-form", everywhere, t("account-signOutEverywhere"), { hidden })}
${buttonForm("sign-out-everywhere-apps-form", everywhere, t("account-everywhereApps"), { hidden: { ...hidden, apps: "yes" } })}
</div>`
    : html`<div class="actions">${here}</div>`;
  return section("sign-out", t("signOut-title"), body);
}

function queryOf(path: string): string {
  return path.slice(path.indexOf("?") + 1);
}

/** An account that is signed in in this browser. */
export interface AccountChoice {
  readonly domain: string;
  readonly path: string;
  readonly isFormer: boolean;
}

interface ChooseAccountPageProps extends AnyAccountPageProps {
  readonly accounts: readonly AccountChoice[];
}

/** Several domains are signed in: which one to show. */
export function chooseAccountPage(context: PageContext, props: ChooseAccountPageProps) {
  const { t } = context;
  const domains = [...new Set(props.accounts.map(({ domain }) => domain))];
  const body = html`${endedSessions(t, props.ended)}
<ul class="entries">${props.accounts.map(
    ({ domain, path, isFormer }) =>
      html`<li><a class="entry" href="${path}">${domainName(domain)}${isFormer ? html` <span class="aside">${t("account-isFormer")}</span>` : ""}</a></li>`,
  )}</ul>
<p class="way-back"><a class="entry" href="${props.signIn}">${t("account-otherDomain")}</a></p>
${signOutForms(context, domains, queryOf(props.signIn))}`;
  return page({ ...context, step: "account", title: t("account-choose"), body });
}

interface SignedOutPageProps extends AnyAccountPageProps {
  /** The domain that is not signed in, if other accounts are. */
  readonly notSignedIn: string | null;
}

export function signedOutPage(context: PageContext, props: SignedOutPageProps) {
  const { t } = context;
  const { signIn, ended, notSignedIn } = props;
  const titles =
    notSignedIn === null
      ? { title: t("account-signedOut") }
      : displayedDomainTitle(t, "account-notSignedIn", notSignedIn);
  const body = html`${endedSessions(t, ended)}
${notSignedIn === null ? html`<p class="lead">${t("account-signedOutLead")}</p>` : otherAccounts(t)}
<p><a id="sign-in" class="entry" href="${signIn}">${t("account-signIn")}</a></p>`;
  return page({ ...context, ...titles, step: "account", body });
}
