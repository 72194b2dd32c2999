// The passkeys on the account page: add, rename, remove.

import { html } from "hono/html";
import { moreLink } from "./account-lists.ts";
import { browserName } from "./browser-name.ts";
import { shownDate } from "./dates.ts";
import type { PageContext } from "./layout.ts";
import type { PageHtml } from "./messages.ts";

/** In characters. */
export const MAX_PASSKEY_NAME = 60;

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

export function passkeysSection(
  context: PageContext,
  props: {
    readonly domain: string;
    readonly passkeys: readonly ShownPasskey[];
    readonly morePasskeys: string | null;
    readonly addPasskey: string;
  },
): PageHtml {
  const { t } = context;
  const items = props.passkeys.map((passkey, index) =>
    entry(context, { ...passkey, domain: props.domain, number: index + 1 }),
  );
  return html`<section aria-labelledby="passkeys-title">
<h2 id="passkeys-title">${t("account-passkeysTitle")}</h2>
<p>${t("account-passkeysWhy")}</p>
${items.length === 0 ? "" : html`<ul class="entries">${items}</ul>`}
${moreLink(context, "passkeys", props.morePasskeys)}
<p><a id="add-passkey" class="entry" href="${props.addPasskey}">${t("account-addPasskey")}</a></p>
</section>`;
}

function entry(
  context: PageContext,
  passkey: ShownPasskey & { readonly domain: string; readonly number: number },
): PageHtml {
  const { t, lang } = context;
  const { number, domain, thumbprint, since, lastUsedAt, remove } = passkey;
  const name = browserName(context, passkey.name);
  // The name that it got by itself is translated, so it is not offered as the owner's text.
  const own = name === passkey.name ? name : "";
  const dates = { since: shownDate(lang, since), last: shownDate(lang, lastUsedAt ?? since) };
  return html`<li><div><p class="summary" id="passkey-${number}"><bdi>${name}</bdi></p>
<p class="aside">${t("account-usedSince", dates)}</p>
<details id="rename-passkey-${number}"><summary aria-describedby="passkey-${number}">${t("account-renamePasskey")}</summary>
<form id="rename-passkey-${number}-form" method="post" action="/account/rename-passkey">
<input type="hidden" name="domain" value="${domain}"><input type="hidden" name="passkey" value="${thumbprint}">
<label for="passkey-name-${number}">${t("account-passkeyName")}</label>
<input id="passkey-name-${number}" name="name" type="text" value="${own}" maxlength="${MAX_PASSKEY_NAME}" required autocomplete="off">
<button class="button">${t("account-savePasskeyName")}</button>
</form></details></div>
<a id="remove-passkey-${number}" class="entry" href="${remove}" aria-describedby="passkey-${number}">${t("account-removePasskey")}</a></li>`;
}
