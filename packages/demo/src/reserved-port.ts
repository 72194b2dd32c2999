// A port that is openPort before its request handler exists.

import { DemoError } from "./demo-error.ts";
import { listenForWeb, type WebHandler, type WebListener } from "./web-listener.ts";

export interface ReservedPort extends WebListener {
  setHandler(handler: WebHandler): void;
}

const HOST = "127.0.0.1";

/** Answers 503 until `setHandler` is called. Without `port` the system chooses one. */
export async function reservePort(port: number | undefined): Promise<ReservedPort> {
  let currentHandler: WebHandler = () => new Response("starting", { status: 503 });
  const listener = await openPort(port, ({ port: requested = 0 }) =>
    listenForWeb((request, info) => currentHandler(request, info), { host: HOST, port: requested }),
  );
  return {
    ...listener,
    setHandler(handler) {
      currentHandler = handler;
    },
  };
}

/** Throws a `DemoError` that names the port if `open` fails. */
export async function openPort<Open>(
  port: number | undefined,
  open: (at: { port?: number }) => Promise<Open>,
): Promise<Open> {
  try {
    return await open(port === undefined ? {} : { port });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const advice = port === undefined ? "" : "; choose another with --port or --issuer-port";
    throw new DemoError(`the demo cannot listen on ${HOST}:${port ?? 0}: ${reason}${advice}`);
  }
}
