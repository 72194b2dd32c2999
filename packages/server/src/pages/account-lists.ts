// The lists of the account page of which it shows a part.

import { html } from "hono/html";
import type { PageContext } from "./layout.ts";
import type { NameIn, PageHtml } from "./messages.ts";

/** The lists of which a page shows a part. */
export type MoreOf = NameIn<"account-more">;

/** The link to the entries after those that the page shows. `path` is null if these are the last. */
export function moreLink({ t }: PageContext, what: MoreOf, path: string | null): PageHtml {
  if (path === null) return html``;
  return html`<p><a id="more-${what}" class="entry" href="${path}">${t(`account-more-${what}`)}</a></p>`;
}
