// Adapts the service to a web-standard `fetch` handler, for hosts that mount it.

import {
  BodyTooLargeError,
  collectBody,
  type HttpRequest,
  type HttpResponse,
  pathAndQuery,
} from "./message.ts";

/** Answers a web-standard request through `handle`, or with an empty 400 if its URL is invalid. */
export async function answerFetch(
  request: Request,
  clientAddress: string,
  handle: (http: HttpRequest) => Promise<HttpResponse>,
): Promise<Response> {
  const http = fromWeb(request, clientAddress);
  if (http === null) return new Response(null, { status: 400 });
  const { status, headers, body } = await handle(http);
  return new Response(request.method === "HEAD" || body === "" ? null : body, {
    status,
    headers: webHeaders(headers),
  });
}

/** Converts the request to plain values. Null if its URL or Host header is invalid. */
export function fromWeb(request: Request, clientAddress: string): HttpRequest | null {
  const target = pathAndQuery(request.url);
  if (target === null || request.headers.get("host")?.includes(",")) return null;
  return {
    method: request.method,
    ...target,
    params: {},
    clientAddress,
    header: (name) => request.headers.get(name),
    body: (maxOctets) => readBody(request, maxOctets),
  };
}

async function readBody(request: Request, maxOctets: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length")) > maxOctets) throw new BodyTooLargeError();
  return collectBody(request.body ?? emptyBody(), maxOctets);
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

function webHeaders(values: HttpResponse["headers"]): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(values)) {
    for (const item of typeof value === "string" ? [value] : value) headers.append(name, item);
  }
  return headers;
}
