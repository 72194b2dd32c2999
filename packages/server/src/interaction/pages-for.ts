// The language of the pages for a request, and the client that they name.

import type { HttpRequest } from "../http/message.ts";
import { chooseLanguage, contextIn } from "../pages/languages.ts";
import type { ClientPageContext, PageContext } from "../pages/layout.ts";
import type { PendingRequest } from "./pending-request.ts";

type LanguageSource = Pick<HttpRequest, "header" | "query">;

/** Uses the language of `ui_locales` in the authorization request, or of the browser. */
export function pagesFor(http: LanguageSource, request: PendingRequest): ClientPageContext {
  return { ...pagesWithout(http, request.query), client: request };
}

/** The same without a client. `query` is the query of the authorization request. */
export function pagesWithout(http: LanguageSource, query = http.query): PageContext {
  const locales = new URLSearchParams(query).get("ui_locales");
  return contextIn(chooseLanguage(locales, http.header("accept-language")));
}
