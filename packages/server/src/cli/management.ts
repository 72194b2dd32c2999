// The management listener: metrics and health checks, on an address of its own.

import { type Listener, listen } from "../http/listen.ts";
import type { Handler, HttpResponse } from "../http/message.ts";
import type { Metrics } from "../telemetry/metrics.ts";

const ALLOWED = ["GET", "HEAD"];

/** Rejects if it cannot listen on the address. */
export function openManagement(
  at: { readonly host: string; readonly port: number },
  handle: Handler,
  metrics: Metrics,
): Promise<Listener> {
  const onPath = new Map<string, Handler>([
    ["/metrics", () => metricsResponse(metrics)],
    ["/livez", handle],
    ["/readyz", handle],
  ]);
  return listen((http) => {
    const answer = onPath.get(http.path);
    if (answer === undefined) return text(404, "404 not found\n");
    if (ALLOWED.includes(http.method)) return answer(http);
    return text(405, "405 method not allowed\n", { allow: ALLOWED.join(", ") });
  }, at);
}

async function metricsResponse(metrics: Metrics): Promise<HttpResponse> {
  const headers = { "content-type": metrics.contentType, "cache-control": "no-store" };
  return { status: 200, headers, body: await metrics.text() };
}

function text(status: number, body: string, headers: Record<string, string> = {}): HttpResponse {
  return { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers }, body };
}
