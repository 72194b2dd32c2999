// How a page names the client and the domain, with the way back to the client.

import { html } from "hono/html";
import { displayDomain } from "./domain-display.ts";
import type { ClientPageContext, PageHtml, ShownClient } from "./layout.ts";
import type { Messages } from "./messages.ts";

/** The client's own name for itself: isolated, since it may hold characters that turn the direction of text. */
export function clientName(name: string): PageHtml {
  return html`<bdi class="client">${name}</bdi>`;
}

/** A host as such. That of the client is verified: the one part of its description that it cannot make up. */
export function host(name: string): PageHtml {
  return html`<span class="host" dir="ltr" translate="no">${name}</span>`;
}

/**
 * The domain as the centre of a page; a long one is set smaller so that it stays in sight as a whole.
 * Beside a name in letters of its own stands how DNS writes it, which nothing can be mistaken for.
 */
export function domainName(domain: string): PageHtml {
  const { shown, inDns } = displayDomain(domain);
  const name = html`<span class="${shown.length > 28 ? "domain-name long" : "domain-name"}" dir="ltr" translate="no">${shown}</span>`;
  return inDns === null
    ? name
    : html`${name} <span class="in-dns" dir="ltr" translate="no">${inDns}</span>`;
}

/** For which app a client that is a service itself signs people in: its own word, which we cannot check. */
export function through({ messages, client }: ClientPageContext): PageHtml {
  const { finalHost, clientHost } = client;
  if (finalHost === undefined) return html``;
  return html`<p class="through">${fill(messages.common.through, host(finalHost), host(clientHost))}</p>`;
}

/** The name of a record or a server inside a sentence. */
export function recordName(name: string): PageHtml {
  return html`<code dir="ltr" translate="no">${name}</code>`;
}

/** The domain inside a sentence; a short one stays on one line, where its hyphens cannot be mistaken. */
export function inlineDomain(domain: string): PageHtml {
  const { shown } = displayDomain(domain);
  return html`<span class="${shown.length > 22 ? "inline-domain" : "inline-domain short"}" dir="ltr" translate="no">${shown}</span>`;
}

/** A sentence of the catalogue with markup in its places, in whatever order the language puts them. */
export function fill(sentence: (...slots: string[]) => string, ...parts: PageHtml[]): PageHtml {
  const slots = parts.map((_, index) => String.fromCharCode(firstSlot + index));
  const pieces = sentence(...slots).split(/([\uE000-\uE00F])/u);
  return html`${pieces.map((piece) => {
    const index = slots.indexOf(piece);
    return index === -1 ? piece : parts[index];
  })}`;
}

/** Private-use characters: no sentence of a catalogue has one, and values are put in only after the split. */
const firstSlot = 0xe000;

/** The way out of every page: to the client by its name, where the page has named it. */
export function backLink(
  messages: Messages,
  { backToApp, clientName: name }: Pick<ShownClient, "backToApp"> & Partial<ShownClient>,
): PageHtml {
  const words =
    name === undefined ? messages.common.backToApp : fill(messages.common.backTo, clientName(name));
  return html`<p class="way-back"><a id="back-to-app" href="${backToApp}">${words}</a></p>`;
}
