// Page parts that show the client and the domain, and the ways on and back.

import { html } from "hono/html";
import { displayDomain } from "./domain-display.ts";
import type { ClientPageContext, ShownClient } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";

/** The client's self-chosen name, isolated because it can contain characters that change the text direction. */
export function clientName(name: string): PageHtml {
  return html`<bdi class="client">${name}</bdi>`;
}

/** A host name. The client's host is verified, unlike the rest of its description. */
export function host(name: string): PageHtml {
  return html`<span class="host" dir="ltr" translate="no">${name}</span>`;
}

/**
 * The domain as the main content of a page; a long one is set smaller to stay visible as a whole.
 * A domain in U-labels is followed by its A-labels, which cannot be confused with another domain.
 */
export function domainName(domain: string): PageHtml {
  const { shown, inDns } = displayDomain(domain);
  const name = html`<span class="${shown.length > 28 ? "domain-name long" : "domain-name"}" dir="ltr" translate="no">${shown}</span>`;
  return inDns === null
    ? name
    : html`${name} <span class="in-dns" dir="ltr" translate="no">${inDns}</span>`;
}

/** Names the app for which the client, itself a sign-in service, signs people in. We cannot verify that claim. */
export function appNote({ t, client }: ClientPageContext): PageHtml {
  const { finalHost, clientHost } = client;
  if (finalHost === undefined) return html``;
  return html`<p class="through">${t.html("common-through", { app: host(finalHost), service: host(clientHost) })}</p>`;
}

/** The client to which the owner of the domain signs in, in the words of the page. */
export function clientNote(
  context: ClientPageContext,
  id: "dnsSetup-client" | "passkey-client" | "dnsChallenge-client" | "ownUnknown-client",
): PageHtml {
  const { t, client } = context;
  const values = { client: clientName(client.clientName), host: host(client.clientHost) };
  return html`<p class="aside">${t.html(id, values)}</p>
${appNote(context)}`;
}

/** The name of a record or server inside a sentence. */
export function recordName(name: string): PageHtml {
  return html`<code dir="ltr" translate="no">${name}</code>`;
}

/** The domain inside a sentence; a short one is not wrapped, so that its hyphens are unambiguous. */
export function inlineDomain(domain: string): PageHtml {
  const { shown } = displayDomain(domain);
  return html`<span class="${shown.length > 22 ? "inline-domain" : "inline-domain short"}" dir="ltr" translate="no">${shown}</span>`;
}

/** The link back to the client, with the client's name if the page shows it. */
export function backLink(
  t: Translate,
  { backToApp, clientName: name }: Pick<ShownClient, "backToApp"> & Partial<ShownClient>,
): PageHtml {
  const text =
    name === undefined
      ? t("common-backToApp")
      : t.html("common-backTo", { client: clientName(name) });
  return html`<p class="way-back"><a id="back-to-app" href="${backToApp}">${text}</a></p>`;
}

/** A form with hidden fields alone, posted to `action` by its button. */
export function buttonForm(
  id: string,
  action: string,
  label: string,
  options: {
    kind?: string;
    hidden?: Readonly<Record<string, string>>;
    /** The id of what the button is about, where several have the same label. */
    describedBy?: string;
  } = {},
): PageHtml {
  const { kind = "", hidden = {}, describedBy } = options;
  const fields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form id="${id}" method="post" action="${action}">${fields}
<button class="${`button ${kind}`.trimEnd()}"${describedBy === undefined ? "" : html` aria-describedby="${describedBy}"`}>${label}</button>
</form>`;
}
