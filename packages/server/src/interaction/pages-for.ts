// The language in which the person of a request is spoken to.

import type { Exchange } from "../http/channels.ts";
import { chooseLanguage, contextIn } from "../pages/languages.ts";
import type { PageContext } from "../pages/layout.ts";

/** `pending` is the authorization request that a later step belongs to; it asks for the language. */
export function pagesFor(
  { request, query }: Pick<Exchange, "request" | "query">,
  pending?: { readonly query: string },
): Promise<PageContext> {
  const parameters = new URLSearchParams(pending?.query ?? query);
  return contextIn(
    chooseLanguage(parameters.get("ui_locales"), request.headers.get("accept-language")),
  );
}
