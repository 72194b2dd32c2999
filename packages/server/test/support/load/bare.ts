// The least that a server does: a bare `node:http` server in a process of its own, and what a request costs it.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Job, Load } from "./load.ts";

export interface BareServer {
  /** Microseconds of processor time that each of so many requests takes. */
  cost(count: number): Promise<number>;
  close(): Promise<void>;
}

/** `way` is how the requests are sent, as in the measurements that it is compared with. */
export async function startBareServer(
  load: Load,
  way: Pick<Job, "connections" | "pipelined">,
): Promise<BareServer> {
  const child = fork(fileURLToPath(new URL("./bare-server.mjs", import.meta.url)), {
    execArgv: [],
  });
  const [port] = (await once(child, "message")) as [number];
  const cpuMs = async () => Number(await (await fetch(`http://127.0.0.1:${port}/cpu`)).text());
  return {
    async cost(count) {
      const before = await cpuMs();
      await load.run({ port, requests: [{ path: "/" }], count, ...way });
      return (((await cpuMs()) - before) * 1000) / count;
    },
    async close() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

/** Of several rounds: whatever else the machine does only adds to it. */
export function least(numbers: readonly number[]): number {
  return Math.min(...numbers);
}
