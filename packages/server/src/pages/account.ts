// The account page, for the owner of a domain, and the pages that lead to it.

import { html } from "hono/html";
import { historySection, type ShownHistory } from "./account-history.ts";
import { moreLink } from "./account-lists.ts";
import { passkeysSection, type ShownPasskey } from "./account-passkeys.ts";
import { browserName } from "./browser-name.ts";
import { buttonForm, clientName, domainName, host, inlineDomain, recordName } from "./client.ts";
import { shownDate, shownTime } from "./dates.ts";
import { displayDomain } from "./domain-display.ts";
import { type PageContext, page } from "./layout.ts";
import type { PageHtml } from "./messages.ts";
import { type EndedSession, endedSessions, foundRecords } from "./notice.ts";
import { FEW_CODES } from "./recovery-codes.ts";
import { otherAccounts, signOutAllForm, signOutForms } from "./sign-out.ts";

/** Times are in epoch seconds. */
export interface ShownApp {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly since: number;
  readonly lastUsedAt: number;
}

export interface ShownSession {
  readonly sid: string;
  /** Of the browser, as it is stored. */
  readonly name: string;
  readonly since: number;
  readonly lastUsedAt: number;
  /** Whether it is the session of the browser that shows the page. */
  readonly isThis: boolean;
}

/** A browser that the account knows, and that is signed out. */
export interface ShownBrowser extends Pick<ShownSession, "name" | "since" | "lastUsedAt"> {
  readonly deviceId: string;
}

/** What only the person sees and changes who controls the domain now. */
export interface HeldAccount {
  /** The host of the service provider that signs the owner in, if it is another one: it keeps what proves them. */
  readonly provider: string | null;
  readonly passkeys: readonly ShownPasskey[];
  /** The path of the page with more of them; null if these are the last. */
  readonly morePasskeys: string | null;
  /** The path to authenticate and then add a passkey. */
  readonly addPasskey: string;
  /** How many are unused. */
  readonly recoveryCodes: number;
  /** The path to authenticate and then make new recovery codes. */
  readonly newCodes: string;
  readonly history: ShownHistory;
  /** The path to authenticate and then delete the account. */
  readonly deleteAccount: string;
}

export interface AccountPageProps {
  readonly domain: string;
  /** The `sid` that the forms send, if the domain alone names another account. */
  readonly session: string | null;
  /**
   * What DNS says: the record names the account, or does not, or could not be looked up. Or the account is a
   * former one of its domain.
   */
  readonly record:
    | { readonly state: "held"; readonly checkedAt: number }
    | { readonly state: "lost" | "unknown" | "former" };
  /** The name and the values of the sign-in records that DNS contains; null if it is not known. */
  readonly dns: { readonly name: string; readonly values: readonly string[] } | null;
  /** Whether this browser can end other sessions, perhaps after an authentication. */
  readonly canEndOthers: boolean;
  readonly apps: readonly ShownApp[];
  /** As `morePasskeys`; below, too. */
  readonly moreApps: string | null;
  readonly sessions: readonly ShownSession[];
  readonly moreSessions: string | null;
  readonly browsers: readonly ShownBrowser[];
  readonly moreBrowsers: string | null;
  /** Null if the record does not name the account, or could not be looked up: then it is not shown. */
  readonly held: HeldAccount | null;
  readonly ended: readonly EndedSession[];
  /** Whether more domains are signed in in this browser. */
  readonly others: boolean;
  /** The paths of the pages of former accounts of this domain that are signed in in this browser. */
  readonly former: readonly string[];
  /** The path to sign in with another domain. */
  readonly signIn: string;
}

export function accountPage(context: PageContext, props: AccountPageProps) {
  const { t } = context;
  const { domain, held, others, signIn, ended } = props;
  const body = html`<h1>${t.html("account-heading", { domain: domainName(domain) })}</h1>
${endedSessions(t, ended)}${recordStatus(context, props)}${recordFound(context, props)}
${apps(context, props)}
${sessions(context, props)}
${browsers(context, props)}
${held === null ? "" : proofs(context, domain, held)}
${signingOut(context, props)}
${held === null ? "" : historySection(context, held.history)}
${held === null || held.provider !== null ? "" : deletion(context, held)}
${formerAccounts(context, props)}
<p class="way-back"><a class="entry" href="${others ? "/account" : signIn}">${t(others ? "account-others" : "account-otherDomain")}</a></p>`;
  const title = t("account-heading", { domain: displayDomain(domain).shown });
  return page({ ...context, step: "account", title, body });
}

/** The ways between the present account of a domain and its former ones. */
function formerAccounts(
  { t }: PageContext,
  { domain, record, former }: AccountPageProps,
): PageHtml {
  const shown = inlineDomain(domain);
  if (record.state === "former") {
    return html`<p class="way-back"><a id="present-account" class="entry" href="/account?${new URLSearchParams({ domain }).toString()}">${t.html("account-present", { domain: shown })}</a></p>`;
  }
  return html`${former.map(
    (path, index) =>
      html`<p class="way-back"><a id="former-account${index === 0 ? "" : `-${index + 1}`}" class="entry" href="${path}">${t.html("account-former", { domain: shown })}</a></p>`,
  )}`;
}

/** What proves the owner. */
function proofs(context: PageContext, domain: string, held: HeldAccount): PageHtml {
  const { provider, passkeys, morePasskeys, addPasskey } = held;
  if (provider !== null) return keptElsewhere(context, provider);
  return html`${passkeysSection(context, { domain, passkeys, morePasskeys, addPasskey })}
${recoveryCodes(context, held)}`;
}

/** An account at another service provider: nothing that proves its owner can be changed here. */
function keptElsewhere({ t }: PageContext, provider: string): PageHtml {
  return html`<section aria-labelledby="provider-title">
<h2 id="provider-title">${t("account-providerTitle")}</h2>
<p id="provider">${t.html("account-provider", { sp: host(provider) })}</p>
<p>${t("account-providerDelete")}</p>
</section>`;
}

function deletion({ t }: PageContext, { deleteAccount }: HeldAccount): PageHtml {
  return html`<section aria-labelledby="delete-title">
<h2 id="delete-title">${t("account-deleteTitle")}</h2>
<p><a id="delete-account" class="entry" href="${deleteAccount}">${t("account-delete")}</a></p>
</section>`;
}

function recordStatus({ t }: PageContext, { domain, record }: AccountPageProps): PageHtml {
  const shown = { domain: displayDomain(domain).shown };
  if (record.state === "held") {
    return html`<p class="lead">${t("account-recordHeld", { time: shownTime(record.checkedAt) })}</p>`;
  }
  const { summary, details } = t.explanation(`account-record_${record.state}`, shown);
  return html`<div class="notice warning" role="status"><p class="summary">${summary}</p>${details.map(
    (detail) => html`<p>${detail}</p>`,
  )}</div>`;
}

function recordFound({ t }: PageContext, { dns }: AccountPageProps): PageHtml {
  if (dns === null) return html``;
  if (dns.values.length === 0) {
    return html`<p id="dns-found">${t.html("account-recordNone", { name: recordName(dns.name) })}</p>`;
  }
  const records = dns.values.map((value) => ({ value, problems: [] }));
  return html`<div id="dns-found">${foundRecords(t, records)}</div>`;
}

function apps(context: PageContext, props: AccountPageProps): PageHtml {
  const { t, lang } = context;
  const items = props.apps.map(
    ({ clientId, name, scopes, since, lastUsedAt }, index) => html`<li>
<div><p class="summary" id="app-${index + 1}">${clientName(name)}</p>
<p class="aside">${t("account-appScopes")} ${scopes.map((scope) => html`<code>${scope}</code> `)}</p>
<p class="aside">${t("account-usedSince", { since: shownDate(lang, since), last: shownDate(lang, lastUsedAt) })}</p></div>
${buttonForm(`revoke-${index + 1}-form`, "/account/revoke", t("account-revoke"), {
  hidden: { ...named(props), client_id: clientId },
  describedBy: `app-${index + 1}`,
})}</li>`,
  );
  return html`<section aria-labelledby="apps-title">
<h2 id="apps-title">${t("account-appsTitle")}</h2>
${
  items.length === 0
    ? html`<p>${t("account-noApps")}</p>`
    : html`<ul class="entries">${items}</ul>
${moreLink(context, "apps", props.moreApps)}
<p class="hint">${t("account-revokeEffect")}</p>`
}
</section>`;
}

function sessions(context: PageContext, props: AccountPageProps): PageHtml {
  const { t, lang } = context;
  const items = props.sessions.map((session, index) => {
    const { sid, since, lastUsedAt, isThis } = session;
    const name = browserName(context, session.name);
    return html`<li>
<div><p class="summary" id="session-${index + 1}">${name}${isThis ? html` <span class="aside">${t("account-thisBrowser")}</span>` : ""}</p>
<p class="aside">${t("account-usedSince", { since: shownDate(lang, since), last: shownDate(lang, lastUsedAt) })}</p></div>
${
  isThis || !props.canEndOthers
    ? ""
    : buttonForm(`sign-out-${index + 1}-form`, "/account/sign-out", t("account-signOutOther"), {
        hidden: { ...named(props), sid },
        describedBy: `session-${index + 1}`,
      })
}</li>`;
  });
  return html`<section aria-labelledby="sessions-title">
<h2 id="sessions-title">${t("account-sessionsTitle")}</h2>
<ul class="entries">${items}</ul>
${moreLink(context, "sessions", props.moreSessions)}
</section>`;
}

function browsers(context: PageContext, props: AccountPageProps): PageHtml {
  const { t, lang } = context;
  if (props.browsers.length === 0) return html``;
  const items = props.browsers.map((browser, index) => {
    const { deviceId, name, since, lastUsedAt } = browser;
    const dates = { since: shownDate(lang, since), last: shownDate(lang, lastUsedAt) };
    return html`<li>
<div><p class="summary" id="browser-${index + 1}">${browserName(context, name)}</p>
<p class="aside">${t("account-usedSince", dates)}</p></div>
${
  props.canEndOthers
    ? buttonForm(`forget-${index + 1}-form`, "/account/sign-out", t("account-forget"), {
        hidden: { ...named(props), browser: deviceId },
        describedBy: `browser-${index + 1}`,
      })
    : ""
}</li>`;
  });
  return html`<section aria-labelledby="browsers-title">
<h2 id="browsers-title">${t("account-browsersTitle")}</h2>
<p>${t("account-browsersWhy")}</p>
<ul class="entries">${items}</ul>
${moreLink(context, "browsers", props.moreBrowsers)}
</section>`;
}

function recoveryCodes({ t }: PageContext, { recoveryCodes, newCodes }: HeldAccount): PageHtml {
  return html`<section aria-labelledby="codes-title">
<h2 id="codes-title">${t("account-codesTitle")}</h2>
<p>${t("account-codesLeft", { count: recoveryCodes })}</p>
${recoveryCodes < FEW_CODES ? html`<div class="notice warning"><p class="summary">${t("account-fewCodes")}</p></div>` : ""}
<p><a id="new-codes" class="entry" href="${newCodes}">${t("account-newCodes")}</a></p>
</section>`;
}

/** The fields by which a form names the account. */
function named({
  domain,
  session,
}: Pick<AccountPageProps, "domain" | "session">): Readonly<Record<string, string>> {
  return session === null ? { domain } : { domain, session };
}

function signingOut({ t }: PageContext, props: AccountPageProps): PageHtml {
  const everywhere = "/account/sign-out-everywhere";
  const hidden = named(props);
  const here = html`${buttonForm("sign-out-form", "/account/sign-out", t("account-signOutHere"), { hidden })}
${props.others ? signOutAllForm(t, queryOf(props.signIn)) : ""}`;
  if (!props.canEndOthers) {
    return html`<section aria-labelledby="sign-out-title">
<h2 id="sign-out-title">${t("signOut-title")}</h2>
<div class="actions">${here}</div>
</section>`;
  }
  return html`<section aria-labelledby="sign-out-title">
<h2 id="sign-out-title">${t("signOut-title")}</h2>
<p>${t("account-everywhereEffect")}</p>
<div class="actions">
${here}
${buttonForm("sign-out-everywhere-form", everywhere, t("account-signOutEverywhere"), { hidden })}
${buttonForm("sign-out-everywhere-apps-form", everywhere, t("account-everywhereApps"), { hidden: { ...hidden, apps: "yes" } })}
</div>
</section>`;
}

/** Of the authorization request with this path. */
function queryOf(path: string): string {
  return path.slice(path.indexOf("?") + 1);
}

/** An account that is signed in in this browser. */
export interface AccountChoice {
  readonly domain: string;
  readonly path: string;
  readonly isFormer: boolean;
}

/** Several domains are signed in: which one to show. */
export function chooseAccountPage(
  context: PageContext,
  props: { readonly accounts: readonly AccountChoice[] } & Pick<
    AccountPageProps,
    "ended" | "signIn"
  >,
) {
  const { t } = context;
  const domains = [...new Set(props.accounts.map(({ domain }) => domain))];
  const body = html`<h1>${t("account-choose")}</h1>
${endedSessions(t, props.ended)}
<ul class="entries">${props.accounts.map(
    ({ domain, path, isFormer }) =>
      html`<li><a class="entry" href="${path}">${domainName(domain)}${isFormer ? html` <span class="aside">${t("account-isFormer")}</span>` : ""}</a></li>`,
  )}</ul>
<p class="way-back"><a class="entry" href="${props.signIn}">${t("account-otherDomain")}</a></p>
${signOutForms(context, { domains, query: queryOf(props.signIn) })}`;
  return page({ ...context, step: "account", title: t("account-choose"), body });
}

/** Nobody is signed in; or, if there is `notSignedIn`, other accounts are, but not that domain. */
export function signedOutPage(
  context: PageContext,
  {
    signIn,
    ended,
    notSignedIn,
  }: Pick<AccountPageProps, "signIn" | "ended"> & { readonly notSignedIn: string | null },
) {
  const { t } = context;
  const [heading, title] =
    notSignedIn === null
      ? [t("account-signedOut"), t("account-signedOut")]
      : [
          t.html("account-notSignedIn", { domain: domainName(notSignedIn) }),
          t("account-notSignedIn", { domain: displayDomain(notSignedIn).shown }),
        ];
  const body = html`<h1>${heading}</h1>
${endedSessions(t, ended)}
${notSignedIn === null ? html`<p class="lead">${t("account-signedOutLead")}</p>` : otherAccounts(t)}
<p><a id="sign-in" class="entry" href="${signIn}">${t("account-signIn")}</a></p>`;
  return page({ ...context, step: "account", title, body });
}
