// A balancer in front of the nodes, on the port of the issuer: each request goes to the next node.

import { once } from "node:events";
import { createServer, request } from "node:http";
import { buffer } from "node:stream/consumers";

export interface Target {
  readonly name: string;
  readonly port: number;
}

export interface Balancer {
  /** Requests from now on go to these, the next one to the first. */
  use(targets: readonly Target[]): void;
  /** Where the next request should go. */
  next(): Target;
  close(): Promise<void>;
}

export async function startBalancer(port: number, first: readonly Target[]): Promise<Balancer> {
  let targets = first;
  let count = 0;
  const next = () => {
    const target = targets[count++ % targets.length];
    if (target === undefined) throw new Error("there is no node");
    return target;
  };
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const { method, url: path, headers } = incoming;
    // One connection for each request, so that none is lost with a node that stops.
    const at = { host: "127.0.0.1", port: next().port, agent: false };
    const own = { ...headers, connection: "close" };
    const forwarded = request({ ...at, method, path, headers: own }, async (answer) => {
      const { connection: _, "keep-alive": __, "transfer-encoding": ___, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, kept).end(await buffer(answer));
    });
    forwarded.on("error", ({ message }) => outgoing.writeHead(502).end(message));
    forwarded.end(body);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    use(others) {
      targets = others;
      count = 0;
    },
    next,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
