// A port of the demo, opened before it is known what answers there.

import { DemoError } from "./demo-error.ts";
import { listenForWeb, type WebHandler, type WebListener } from "./web-listener.ts";

export interface Door extends WebListener {
  answerWith(handler: WebHandler): void;
}

const host = "127.0.0.1";

/** Answers 503 until it is told with what. Without `port` the system chooses one. */
export async function openDoor(port: number | undefined): Promise<Door> {
  let answer: WebHandler = () => new Response("starting", { status: 503 });
  const listener = await opened(port, ({ port: wanted = 0 }) =>
    listenForWeb((request, info) => answer(request, info), { host, port: wanted }),
  );
  return {
    ...listener,
    answerWith(handler) {
      answer = handler;
    },
  };
}

/** Opens a wanted port, or says in words that it cannot be had. */
export async function opened<Open>(
  port: number | undefined,
  open: (at: { port?: number }) => Promise<Open>,
): Promise<Open> {
  try {
    return await open(port === undefined ? {} : { port });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DemoError(`the demo cannot listen on ${host}:${port ?? 0}: ${reason}`);
  }
}
