// A request as a handler sees it, from a web-standard one.

import { fromWeb } from "../../src/http/fetch-adaptor.ts";
import type { HttpRequest } from "../../src/http/message.ts";

export function httpRequest(
  request: Request,
  { clientAddress = "", params = {} }: Partial<Pick<HttpRequest, "clientAddress" | "params">> = {},
): HttpRequest {
  const http = fromWeb(request, clientAddress);
  if (http === null) throw new Error(`not a sound request: ${request.url}`);
  return { ...http, params };
}

/** A request with these headers, by their names in lower case, and nothing else that matters. */
export function requestWithHeaders(headers: Readonly<Record<string, string | null>>): HttpRequest {
  return {
    ...httpRequest(new Request("https://auth.example/")),
    header: (name) => headers[name] ?? null,
  };
}
