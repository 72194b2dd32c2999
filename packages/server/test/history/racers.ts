// Clients in processes of their own, who send the requests of a round at the same time.

import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Operation, operationOf, type Request } from "./history.ts";
import type { ServiceNode } from "./node-process.ts";
import { formOf } from "./seed.ts";

const PROGRAM = fileURLToPath(new URL("./racer.mjs", import.meta.url));
const PROCESSES = 2;

type RequestTo = Omit<Request, "who" | "node"> & { readonly to: ServiceNode };

interface Answers {
  readonly round: number;
  readonly answers: readonly { started: number; ended: number; status: number; body: string }[];
}

export interface Racers {
  /** Sends them all at once, spread over the processes. */
  race(requests: readonly RequestTo[]): Promise<Operation[]>;
  close(): void;
}

export function startRacers(clientId: string): Racers {
  const processes = Array.from({ length: PROCESSES }, () =>
    fork(PROGRAM, [], { stdio: "inherit" }),
  );
  const waiting = new Map<number, { done: (answers: Answers) => void; lost: () => void }>();
  let rounds = 0;
  for (const racer of processes) {
    racer.on("message", (answers: Answers) => {
      waiting.get(answers.round)?.done(answers);
      waiting.delete(answers.round);
    });
    racer.on("exit", () => {
      for (const { lost } of waiting.values()) lost();
    });
  }

  async function send(racer: ChildProcess, who: string, requests: readonly RequestTo[]) {
    const round = ++rounds;
    const { answers } = await new Promise<Answers>((done, reject) => {
      waiting.set(round, { done, lost: () => reject(new Error("a process of clients ended")) });
      const messages = requests.map(({ to, ...request }) => {
        return { port: to.port, ...formOf(request, clientId) };
      });
      racer.send({ round, requests: messages });
    });
    return requests.map(({ to, ...request }, index) => {
      const { started, ended, status, body } = answers[index] ?? {
        ...{ started: 0, ended: 0, status: 0, body: "" },
      };
      return operationOf(
        { ...request, who: `${who}/${index}`, node: to.name },
        { status, body },
        { started, ended },
      );
    });
  }

  return {
    async race(requests) {
      const all = processes.map((racer, place) => {
        const own = requests.filter((_, index) => index % PROCESSES === place);
        return own.length === 0 ? [] : send(racer, `racer ${place + 1}`, own);
      });
      return (await Promise.all(all)).flat();
    },
    close() {
      waiting.clear();
      for (const racer of processes) racer.kill();
    },
  };
}
