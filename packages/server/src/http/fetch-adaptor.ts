// Adapts the service to a web-standard `fetch` handler, for hosts that mount it.

import { collectBody, type HttpRequest, type HttpResponse, pathAndQuery } from "./message.ts";

/** Answers a web-standard request through `handle`, or with an empty 400 if its URL is invalid. */
export async function answerFetch(
  request: Request,
  clientAddress: string,
  handle: (http: HttpRequest) => Promise<HttpResponse>,
): Promise<Response> {
  const http = fromWeb(request, clientAddress);
  if (http === null) return new Response(null, { status: 400 });
  const leftAt = noteAbort(request.signal);
  const { status, headers: values, body, octets, undelivered } = await handle(http);
  const left = leftAt();
  if (left !== null) undelivered?.(left);
  const headers = new Headers();
  for (const [name, value] of Object.entries(values)) {
    for (const item of [value].flat()) headers.append(name, item);
  }
  const content = octets ?? body;
  const hasBody = request.method !== "HEAD" && content.length > 0;
  return new Response(hasBody ? content : null, { status, headers });
}

/** Tells when the client has given up, by `performance.now()`; null if it has not. */
function noteAbort(signal: AbortSignal): () => number | null {
  let leftAt: number | null = null;
  const note = () => {
    leftAt = performance.now();
  };
  signal.addEventListener("abort", note, { once: true });
  return () => {
    signal.removeEventListener("abort", note);
    return leftAt;
  };
}

/** Converts the request to plain values. Null if its URL or Host header is invalid. */
export function fromWeb(request: Request, clientAddress: string): HttpRequest | null {
  const target = pathAndQuery(request.url);
  if (target === null || request.headers.get("host")?.includes(",")) return null;
  const declaredOctets = Number(request.headers.get("content-length"));
  let body: Promise<Uint8Array> | undefined;
  return {
    method: request.method,
    ...target,
    params: {},
    clientAddress,
    header: (name) => request.headers.get(name),
    body: (maxOctets) => {
      body ??= collectBody(request.body ?? [], declaredOctets, maxOctets);
      return body;
    },
  };
}
