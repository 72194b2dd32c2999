// The language in which the person of a request is spoken to.

import type { HttpRequest } from "../http/message.ts";
import { chooseLanguage, contextIn } from "../pages/languages.ts";
import type { PageContext } from "../pages/layout.ts";

/** `pending` is the authorization request that a later step belongs to; it asks for the language. */
export function pagesFor(
  http: Pick<HttpRequest, "header" | "query">,
  pending?: { readonly query: string },
): PageContext {
  const parameters = new URLSearchParams(pending?.query ?? http.query);
  return contextIn(chooseLanguage(parameters.get("ui_locales"), http.header("accept-language")));
}
