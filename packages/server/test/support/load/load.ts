// Load from another process, so that sending it does not slow down what a test measures.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./load.mjs", import.meta.url));

/** In path, headers and body, `{n}` is the number of the request; `{random}` and `{address}` are new for each. */
export interface LoadRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Job {
  readonly port: number;
  /** Sent in turn. */
  readonly requests: readonly LoadRequest[];
  /** Endless without. */
  readonly count?: number;
  readonly connections: number;
  /** Requests that a connection sends at once, 1 by default. */
  readonly pipelined?: number;
  /** Milliseconds between a response and the next request of its connection. */
  readonly pauseMs?: number;
  /** A response with this status ends the job. */
  readonly until?: number;
}

export interface JobResult {
  /** How many responses had which status; 0 is a connection that was closed. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly sent: number;
  readonly ms: number;
}

export interface Load {
  /** One at a time. */
  run(job: Job): Promise<JobResult>;
  /** Ends the present job. */
  stop(): void;
  close(): Promise<void>;
}

export function startLoad(): Load {
  const child = fork(PROGRAM, { execArgv: [] });
  const gone = once(child, "exit");
  return {
    async run(job) {
      const answered = once(child, "message");
      child.send(job);
      const ended = gone.then(() => {
        throw new Error("the load has ended");
      });
      const [result] = (await Promise.race([answered, ended])) as [JobResult];
      return result;
    },
    stop: () => void child.send("stop"),
    async close() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

/** As a proxy on this machine forwards a request of this client. */
export function from(address: string): Record<string, string> {
  return { "x-forwarded-for": address };
}

/** A client that nobody has seen before, for each request. */
export const ANYBODY = from("{address}");
