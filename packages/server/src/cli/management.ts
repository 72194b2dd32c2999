// The management listener: metrics and health for whoever runs the service, and nobody else.

import { type Listener, listen } from "../lib/listen.ts";
import type { Metrics } from "../lib/metrics.ts";
import type { Service } from "../service.ts";

const ALLOWED = ["GET", "HEAD"];

/** Rejects when the address cannot be had. */
export function openManagement(
  at: { readonly host: string; readonly port: number },
  { service, metrics }: { service: Pick<Service, "fetch">; metrics: Metrics },
): Promise<Listener> {
  const onPath = new Map<string, Parameters<typeof listen>[0]>([
    ["/metrics", ({ method }) => metricsAnswer(method, metrics)],
    ["/livez", service.fetch],
    ["/readyz", service.fetch],
  ]);
  return listen((request, info) => {
    const { method, url } = request;
    const answer = onPath.get(URL.canParse(url) ? new URL(url).pathname : "");
    if (answer === undefined) return text(404, "404 not found\n");
    if (ALLOWED.includes(method)) return answer(request, info);
    return text(405, "405 method not allowed\n", { allow: ALLOWED.join(", ") });
  }, at);
}

async function metricsAnswer(method: string, metrics: Metrics): Promise<Response> {
  const headers = { "content-type": metrics.contentType, "cache-control": "no-store" };
  return new Response(method === "HEAD" ? null : await metrics.text(), { headers });
}

function text(status: number, body: string, headers: Record<string, string> = {}): Response {
  return new Response(body, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", ...headers },
  });
}
