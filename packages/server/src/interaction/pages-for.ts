// The language in which the person of a request is spoken to, and the client that the pages name.

import type { HttpRequest } from "../http/message.ts";
import { chooseLanguage, contextIn } from "../pages/languages.ts";
import type { ClientPageContext, PageContext } from "../pages/layout.ts";
import type { PendingRequest } from "./pending-request.ts";

type Asked = Pick<HttpRequest, "header" | "query">;

/** In the language that the authorization request asks for by `ui_locales`, or else the browser. */
export function pagesFor(http: Asked, request: PendingRequest): ClientPageContext {
  return { ...pagesWithout(http, request.query), client: request };
}

/** The same where there may be no client to name. `query` is that of the authorization request. */
export function pagesWithout(http: Asked, query = http.query): PageContext {
  const locales = new URLSearchParams(query).get("ui_locales");
  return contextIn(chooseLanguage(locales, http.header("accept-language")));
}
