// How a page names the client and the domain, with the way back to the client.

import { html } from "hono/html";
import type { PageHtml } from "./layout.ts";
import type { Messages } from "./messages/en.ts";

/** The client's own name for itself: isolated, since it may hold characters that turn the direction of text. */
export function clientName(name: string): PageHtml {
  return html`<bdi class="client">${name}</bdi>`;
}

/** The verified host of the client: the one part of its description that it cannot make up. */
export function host(name: string): PageHtml {
  return html`<span class="host">${name}</span>`;
}

/** The domain as the centre of a page; a long one is set smaller so that it stays in sight as a whole. */
export function domainName(domain: string): PageHtml {
  return html`<span class="${domain.length > 28 ? "domain-name long" : "domain-name"}" translate="no">${domain}</span>`;
}

/** The domain inside a sentence; a short one stays on one line, where its hyphens cannot be mistaken. */
export function inlineDomain(domain: string): PageHtml {
  return html`<span class="${domain.length > 22 ? "inline-domain" : "inline-domain short"}" translate="no">${domain}</span>`;
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

/** The way out of every page; without a proven target there is none. */
export function backLink(
  messages: Messages,
  {
    backToApp,
    clientName: name,
  }: { backToApp?: string | undefined; clientName?: string | undefined },
): PageHtml {
  if (backToApp === undefined) return html``;
  const words =
    name === undefined ? messages.common.backToApp : fill(messages.common.backTo, clientName(name));
  return html`<p class="way-back"><a id="back-to-app" href="${backToApp}">${words}</a></p>`;
}
