// The lists of the account page: apps, browsers and passkeys.

import { html } from "hono/html";
import { scopeText } from "./consent.ts";
import { shownDate } from "./dates.ts";
import type { PageContext } from "./layout.ts";
import type { NameIn, PageHtml } from "./messages.ts";
import { browserName, buttonForm, clientName, closedSection, section } from "./parts.ts";

/** In characters. */
export const MAX_PASSKEY_NAME = 60;

/** The lists of which a page shows a part. */
export type MoreOf = NameIn<"account-more">;

/** Times are in epoch seconds. */
interface Used {
  readonly since: number;
  readonly lastUsedAt: number;
}

export interface ShownApp extends Used {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

export interface ShownSession extends Used {
  readonly sid: string;
  /** Of the browser, as it is stored. */
  readonly name: string;
  /** Whether it is the session of the browser that shows the page. */
  readonly isThis: boolean;
}

/** A browser that the account knows, and that is signed out. */
export interface ShownBrowser extends Used {
  readonly deviceId: string;
  readonly name: string;
}

export interface ShownPasskey {
  /** RFC 7638, as in `jkt` of a record. */
  readonly thumbprint: string;
  /** As it is stored: the browser in which it was made, until the owner renames it. */
  readonly name: string;
  readonly since: number;
  readonly lastUsedAt: number | null;
  /** The path to authenticate and then remove it. */
  readonly remove: string;
}

/** What every signed-in person sees. Each `more…` is the path to more entries, or null. */
export interface AccountLists {
  readonly domain: string;
  /** The `sid` that the forms send, if the domain alone names another account. */
  readonly session: string | null;
  /** Whether this browser can end other sessions, perhaps after an authentication. */
  readonly canEndOthers: boolean;
  readonly apps: readonly ShownApp[];
  readonly moreApps: string | null;
  readonly sessions: readonly ShownSession[];
  readonly moreSessions: string | null;
  readonly browsers: readonly ShownBrowser[];
  readonly moreBrowsers: string | null;
  /** Whether the person has asked for more browsers than the first page shows. */
  readonly showsMoreBrowsers: boolean;
}

export function accountFields({ domain, session }: AccountLists): Readonly<Record<string, string>> {
  return session === null ? { domain } : { domain, session };
}

export function appsSection(context: PageContext, props: AccountLists): PageHtml {
  const { t } = context;
  const title = t("account-appsTitle");
  if (props.apps.length === 0) return section("apps", title, html`<p>${t("account-noApps")}</p>`);
  const items = props.apps.map(({ clientId, name, scopes, ...used }, index) => {
    const id = `app-${index + 1}`;
    const about = html`<p class="aside">${t("account-appScopes")} ${allowed(context, scopes)}</p>
${usedSince(context, used)}`;
    const hidden = { ...accountFields(props), client_id: clientId };
    const options = { hidden, describedBy: id };
    const form = `revoke-${index + 1}-form`;
    const revoke = buttonForm(form, "/account/revoke", t("account-revoke"), options);
    return entry(id, clientName(name), about, revoke);
  });
  const body = html`<ul class="entries">${items}</ul>
${moreLink(context, "apps", props.moreApps)}
<p class="hint">${t("account-revokeEffect")}</p>`;
  return section("apps", title, body);
}

/** In the words of the consent page. Only the operator of an API has words for its scopes, so these are shown as names. */
function allowed({ t }: PageContext, scopes: readonly string[]): PageHtml {
  return html`${scopes.map((scope, index) => html`${index === 0 ? "" : "\u00a0· "}${scopeText(t, scope)}`)}`;
}

export function sessionsSection(context: PageContext, props: AccountLists): PageHtml {
  const { t } = context;
  const items = props.sessions.map((session, index) => {
    const { sid, isThis } = session;
    const id = `session-${index + 1}`;
    const mark = isThis ? html` <span class="aside">${t("account-thisBrowser")}</span>` : "";
    const name = html`${browserName(context, session.name)}${mark}`;
    const options = { hidden: { ...accountFields(props), sid }, describedBy: id };
    const form = `sign-out-${index + 1}-form`;
    const end = buttonForm(form, "/account/sign-out", t("account-signOutOther"), options);
    return entry(id, name, usedSince(context, session), isThis || !props.canEndOthers ? "" : end);
  });
  const body = html`<ul class="entries">${items}</ul>
${moreLink(context, "sessions", props.moreSessions)}`;
  return section("sessions", t("account-sessionsTitle"), body);
}

export function browsersSection(context: PageContext, props: AccountLists): PageHtml {
  const { t } = context;
  if (props.browsers.length === 0) return html``;
  const items = props.browsers.map((browser, index) => {
    const id = `browser-${index + 1}`;
    const hidden = { ...accountFields(props), browser: browser.deviceId };
    const options = { hidden, describedBy: id };
    const form = `forget-${index + 1}-form`;
    const forget = buttonForm(form, "/account/sign-out", t("account-forget"), options);
    const name = browserName(context, browser.name);
    return entry(id, name, usedSince(context, browser), props.canEndOthers ? forget : "");
  });
  const body = html`<p>${t("account-browsersWhy")}</p>
<ul class="entries">${items}</ul>
${moreLink(context, "browsers", props.moreBrowsers)}`;
  return closedSection("browsers", t("account-browsersTitle"), body, props.showsMoreBrowsers);
}

/** An entry with what is known of it and its form, whose button refers to its name by `id`. */
function entry(id: string, name: string | PageHtml, about: PageHtml, form: "" | PageHtml) {
  return html`<li>
<div><p class="summary" id="${id}">${name}</p>
${about}</div>
${form}</li>`;
}

function usedSince({ t, lang }: PageContext, { since, lastUsedAt }: Used): PageHtml {
  const dates = { since: shownDate(lang, since), last: shownDate(lang, lastUsedAt) };
  return html`<p class="aside">${t("account-usedSince", dates)}</p>`;
}

/** The link to the entries after those that the page shows. `path` is null if these are the last. */
function moreLink({ t }: PageContext, what: MoreOf, path: string | null): PageHtml {
  if (path === null) return html``;
  return html`<p><a id="more-${what}" class="entry" href="${path}">${t(`account-more-${what}`)}</a></p>`;
}

export function passkeysSection(
  context: PageContext,
  domain: string,
  props: {
    readonly passkeys: readonly ShownPasskey[];
    readonly morePasskeys: string | null;
    readonly addPasskey: string;
  },
): PageHtml {
  const { t } = context;
  const items = props.passkeys.map((passkey, index) =>
    passkeyEntry(context, domain, passkey, index + 1),
  );
  const body = html`${items.length === 0 ? "" : html`<ul class="entries">${items}</ul>`}
${moreLink(context, "passkeys", props.morePasskeys)}
<p><a id="add-passkey" class="entry" href="${props.addPasskey}">${t("account-addPasskey")}</a></p>`;
  return section("passkeys", t("account-passkeysTitle"), body);
}

function passkeyEntry(
  context: PageContext,
  domain: string,
  passkey: ShownPasskey,
  number: number,
): PageHtml {
  const { t } = context;
  const { thumbprint, since, lastUsedAt } = passkey;
  const name = browserName(context, passkey.name);
  // The name that it got by itself is translated, so it is not offered as the owner's text.
  const own = name === passkey.name ? name : "";
  return html`<li><div><p class="summary" id="passkey-${number}"><bdi>${name}</bdi></p>
${usedSince(context, { since, lastUsedAt: lastUsedAt ?? since })}
<details id="rename-passkey-${number}"><summary aria-describedby="passkey-${number}">${t("account-renamePasskey")}</summary>
<form id="rename-passkey-${number}-form" method="post" action="/account/rename-passkey">
<input type="hidden" name="domain" value="${domain}"><input type="hidden" name="passkey" value="${thumbprint}">
<label for="passkey-name-${number}">${t("account-passkeyName")}</label>
<input id="passkey-name-${number}" name="name" type="text" value="${own}" maxlength="${MAX_PASSKEY_NAME}" required autocomplete="off">
<button class="button">${t("account-savePasskeyName")}</button>
</form></details></div>
<a id="remove-passkey-${number}" class="entry" href="${passkey.remove}" aria-describedby="passkey-${number}">${t("account-removePasskey")}</a></li>`;
}
