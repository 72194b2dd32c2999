// Connections that another process holds open.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./hold.mjs", import.meta.url));

export interface Held {
  readonly port: number;
  readonly count: number;
  /** Sent at once on each connection; null for nothing. */
  readonly first: string | null;
  /** Sent again and again on each connection; null for nothing. */
  readonly piece: string | null;
  readonly everyMs: number;
  /** Whether it reads responses. */
  readonly reads: boolean;
}

export interface Holder {
  /** Resolves to the number of connections that were accepted. */
  hold(held: Held): Promise<number>;
  /** Closes all. Resolves to the number of those that the service had closed before. */
  release(): Promise<number>;
  close(): Promise<void>;
}

export function startHolder(): Holder {
  const child = fork(PROGRAM, { execArgv: [] });
  const gone = once(child, "exit");
  async function ask(message: object): Promise<Record<string, number>> {
    const answered = once(child, "message");
    child.send(message);
    const [answer] = (await answered) as [Record<string, number>];
    return answer;
  }
  return {
    hold: async (held) => (await ask(held)).opened ?? 0,
    release: async () => (await ask({})).closed ?? 0,
    async close() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
