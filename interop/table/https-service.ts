// The real service at an https issuer: behind a TLS proxy on loopback, which notes every exchange.

import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { buffer } from "node:stream/consumers";
import { inject } from "vitest";
import { startTestService, type TestService } from "../../packages/server/test/support/service.ts";
import type {} from "./trust-setup.ts";

/** One request that came through the proxy, and its response. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The body of the request, read as a form. */
  readonly form: URLSearchParams;
  readonly status: number;
  readonly response: string;
}

export interface HttpsService {
  readonly issuer: string;
  readonly inner: TestService;
  /** Of all requests so far, oldest first. */
  readonly exchanges: readonly Exchange[];
  close(): Promise<void>;
}

/** `database` as in the setting; SQLite in memory unless given. */
export async function startHttpsService(database?: string): Promise<HttpsService> {
  const exchanges: Exchange[] = [];
  let target: string | undefined;
  const proxy = await listenForTls((incoming, outgoing) => {
    if (target === undefined) outgoing.writeHead(503).end();
    else forward(target, incoming, outgoing, exchanges).catch(() => outgoing.destroy());
  });
  const issuer = `https://localhost:${proxy.port}`;
  const inner = await startTestService({
    ...(database !== undefined && { database }),
    config: { issuer, trustedProxies: ["127.0.0.1"] },
  });
  target = inner.issuer;
  return {
    issuer,
    inner,
    exchanges,
    async close() {
      await proxy.close();
      await inner.close();
    },
  };
}

export interface TlsListener {
  readonly port: number;
  close(): Promise<void>;
}

/** An https server for `localhost` on a free port. */
export async function listenForTls(
  handle: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Promise<TlsListener> {
  const { key, cert } = inject("trust");
  const server: Server = createServer({ key, cert }, handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was opened");
  return {
    port: address.port,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  exchanges: Exchange[],
): Promise<void> {
  const body = await buffer(incoming);
  const { pathname, searchParams } = new URL(incoming.url ?? "/", target);
  const { method = "GET" } = incoming;
  const forwarded = { "x-forwarded-for": incoming.socket.remoteAddress ?? "" };
  const sent = request(`${target}${incoming.url}`, {
    method,
    headers: { ...incoming.headers, ...forwarded },
    agent: false,
  });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const response = await buffer(answer);
  exchanges.push({
    ...{ method, path: pathname, query: searchParams, status: answer.statusCode ?? 0 },
    ...{ form: new URLSearchParams(body.toString()), response: response.toString() },
  });
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  outgoing.end(response);
}
