// Parts that several pages share: names of clients, domains and browsers, sections, forms, and the ways on and back.

import { html } from "hono/html";
import { BROWSER_NAMES, SYSTEM_NAMES } from "../lib/user-agent.ts";
import { displayDomain } from "./domain-display.ts";
import type { ClientPageContext, PageContext, ShownClient } from "./layout.ts";
import type { DomainMessage, PageHtml, Translate } from "./messages.ts";

/** The client's self-chosen name, isolated because it can contain characters that change the text direction. */
export function clientName(name: string): PageHtml {
  return html`<bdi class="client">${name}</bdi>`;
}

/**
 * The name of a browser, or of a passkey, which is named after the browser in which it was made. `name` as stored:
 * `firefox linux`, with the words of `readUserAgent`; or the text of an owner, which is returned unchanged.
 */
export function browserName({ t }: PageContext, name: string): string {
  const [word = "", systemWord = "", ...more] = name.split(" ");
  const isStored = BROWSER_NAMES.has(word) || word === "unknown";
  const isSystem = SYSTEM_NAMES.has(systemWord) || systemWord === "unknown";
  if (!isStored || !isSystem || more.length > 0) return name;
  const browser = BROWSER_NAMES.get(word) ?? t("account-unknownBrowser");
  const system = SYSTEM_NAMES.get(systemWord);
  return system === undefined ? browser : t("account-browserOn", { browser, system });
}

/** A host name. The client's host is verified, unlike the rest of its description. */
export function host(name: string): PageHtml {
  return html`<span class="host" dir="ltr" translate="no">${name}</span>`;
}

/** For a heading: smaller if it is long. A-labels, which nobody can confuse, follow U-labels. */
export function domainName(domain: string): PageHtml {
  const { shown, inDns } = displayDomain(domain);
  const name = html`<span class="${shown.length > 28 ? "domain-name long" : "domain-name"}" dir="ltr" translate="no">${shown}</span>`;
  return inDns === null
    ? name
    : html`${name} <span class="in-dns" dir="ltr" translate="no">${inDns}</span>`;
}

/** The domain inside a sentence; a short one is not wrapped, so that its hyphens are unambiguous. */
export function inlineDomain(domain: string): PageHtml {
  const { shown } = displayDomain(domain);
  return html`<span class="${shown.length > 22 ? "inline-domain" : "inline-domain short"}" dir="ltr" translate="no">${shown}</span>`;
}

export function recordName(name: string): PageHtml {
  return html`<code dir="ltr" translate="no">${name}</code>`;
}

/** The title and the heading of a page about a domain. `inTitle` is the domain in the title. */
export function domainTitle(t: Translate, id: DomainMessage, domain: string, inTitle = domain) {
  return {
    title: t(id, { domain: inTitle }),
    heading: t.html(id, { domain: domainName(domain) }),
  };
}

/** The same, with the domain in U-labels in the title where that is safe. */
export function displayedDomainTitle(t: Translate, id: DomainMessage, domain: string) {
  return domainTitle(t, id, domain, displayDomain(domain).shown);
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
  id: "passkey-client" | "dnsChallenge-client" | "ownUnknown-client",
): PageHtml {
  const { t, client } = context;
  const values = { client: clientName(client.clientName), host: host(client.clientHost) };
  return html`<p class="aside">${t.html(id, values)}</p>
${appNote(context)}`;
}

export function backLink(t: Translate, client: ShownClient): PageHtml {
  const name = clientName(client.clientName);
  return backToApp(client.backToApp, t.html("common-backTo", { client: name }));
}

export function backToApp(url: string, text: string | PageHtml): PageHtml {
  return html`<p class="way-back"><a id="back-to-app" href="${url}">${text}</a></p>`;
}

export function accountPath(domain: string): string {
  return `/account?${new URLSearchParams({ domain }).toString()}`;
}

/** A link at the end of a page, to a page of an account. */
export function wayBack(id: string, href: string, text: string | PageHtml): PageHtml {
  return html`<p class="way-back"><a id="${id}" class="entry" href="${href}">${text}</a></p>`;
}

/** The link back to the account page, from a change of the account. */
export function accountLink(t: Translate, domain: string): PageHtml {
  return wayBack("account", accountPath(domain), t("newPasskey-back"));
}

export function section(id: string, title: string | PageHtml, body: PageHtml): PageHtml {
  return html`<section aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}
</section>`;
}

/** What a person rarely needs: closed, unless the person has asked for a part of it. */
export function closedSection(
  id: string,
  title: string | PageHtml,
  body: PageHtml,
  isOpen = false,
): PageHtml {
  return html`<details id="${id}"${isOpen ? html` open` : ""}>
<summary id="${id}-title">${title}</summary>
${body}
</details>`;
}

export function warning(summary: PageHtml, explanations: PageHtml = html``): PageHtml {
  return html`<div class="notice warning">
<p class="summary">${summary}</p>
${explanations}</div>`;
}

export function paragraphs(texts: readonly string[]): PageHtml {
  return html`${texts.map((text) => html`<p>${text}</p>`)}`;
}

export function errorIdLine(t: Translate, errorId: string): PageHtml {
  return html`<p class="error-id">${t("problem-errorId")} <code id="error-id">${errorId}</code></p>`;
}

/** A form with hidden fields alone, posted to `action` by its button. */
export function buttonForm(
  id: string,
  action: string,
  label: string,
  options: {
    kind?: string;
    hidden?: Readonly<Record<string, string>>;
    /** Further hidden fields. */
    more?: PageHtml;
    /** The id of what the button is about, where several have the same label. */
    describedBy?: string;
  } = {},
): PageHtml {
  const { kind = "", hidden = {}, more, describedBy } = options;
  const fields = Object.entries(hidden).map(([name, value]) => hiddenField(name, value));
  return html`<form id="${id}" method="post" action="${action}">${fields}${more}
<button class="${`button ${kind}`.trimEnd()}"${describedBy === undefined ? "" : html` aria-describedby="${describedBy}"`}>${label}</button>
</form>`;
}

export function hiddenField(name: string, value: string): PageHtml {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}
