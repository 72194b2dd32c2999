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
import { type AccountState, dnsSection, firstLine } from "./account-state.ts";
import { passkeyScriptPath } from "./assets.ts";
import { type PageContext, page } from "./layout.ts";
import type { PageHtml } from "./messages.ts";
import { endedSessions, type ShownEnd } from "./notice.ts";
import {
  accountPath,
  buttonForm,
  displayedDomainTitle,
  domainName,
  host,
  inlineDomain,
  section,
  wayBack,
} from "./parts.ts";
import { type PasskeySignals, passkeySignals } from "./passkey-signals.ts";
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
  readonly signals: PasskeySignals | undefined;
}

/** What each page of an account shows, also if nobody is signed in. */
interface AnyAccountPageProps {
  readonly ended: readonly ShownEnd[];
  /** The path to sign in with another domain. */
  readonly signIn: string;
}

export interface AccountPageProps extends AnyAccountPageProps, AccountLists, AccountState {
  /** Null if the record does not name the account, or could not be looked up: then it is not shown. */
  readonly held: HeldAccount | null;
  readonly others: boolean;
  /** The paths of the pages of former accounts of this domain that are signed in in this browser. */
  readonly former: readonly string[];
}

export function accountPage(context: PageContext, props: AccountPageProps) {
  const { t } = context;
  const { domain, held, others, signIn } = props;
  const isOwn = held !== null && held.provider === null;
  const body = html`${endedSessions(t, props.ended)}${firstLine(context, props, isOwn ? held : null)}
${dnsSection(context, props)}
${held === null ? "" : proofs(context, domain, held)}
${sessionsSection(context, props)}
${browsersSection(context, props)}
${appsSection(context, props)}
${signingOut(context, props)}
${held === null ? "" : historySection(context, held.history)}
${isOwn ? html`<p><a id="delete-account" class="entry" href="${held.deleteAccount}">${t("account-delete")}</a></p>` : ""}
${formerAccounts(context, props)}
<p class="way-back"><a class="entry" href="${others ? "/account" : signIn}">${t(others ? "account-others" : "account-otherDomain")}</a></p>
${passkeySignals(held?.signals)}`;
  const titles = displayedDomainTitle(t, "account-heading", domain);
  const script = held?.signals === undefined ? {} : { script: passkeyScriptPath };
  return page({ ...context, ...titles, step: "account", ...script, body });
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

function recoveryCodes({ t }: PageContext, { recoveryCodes: count, newCodes }: HeldAccount) {
  const body = html`<ul class="entries"><li>
<div><p>${t("account-codesLeft", { count })}</p></div>
<a id="new-codes" class="entry" href="${newCodes}">${t("account-newCodes")}</a></li></ul>`;
  return section("codes", t("account-codesTitle"), body);
}

function signingOut({ t }: PageContext, props: AccountPageProps): PageHtml {
  const everywhere = "/account/sign-out-everywhere";
  const hidden = accountFields(props);
  const here = html`${buttonForm("sign-out-form", "/account/sign-out", t("account-signOutHere"), { hidden })}
${props.others ? signOutAllForm(t, queryOf(props.signIn)) : ""}`;
  const body = props.canEndOthers
    ? html`<div class="actions">
${here}
${buttonForm("sign-out-everywhere-form", everywhere, t("account-signOutEverywhere"), { hidden })}
${buttonForm("sign-out-everywhere-apps-form", everywhere, t("account-everywhereApps"), { hidden: { ...hidden, apps: "yes" } })}
</div>
<p class="hint">${t("account-everywhereEffect")}</p>`
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
