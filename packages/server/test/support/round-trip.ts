// A round trip on this machine, measured again and again while a test runs: the unit in which a promise
// about time may be overdrawn.

import { Worker } from "node:worker_threads";

export interface RoundTrips {
  /** Milliseconds that may be taken here and now by what takes `promisedMs` on an idle machine. */
  limit(promisedMs: number): number;
  close(): Promise<void>;
}

/** So many times the slowest round trip may be added, and so many milliseconds on any machine. */
const ALLOWED_TRIPS = 15;
const ALLOWED_MS = 300;
/** Milliseconds between two trips. */
const PAUSE = 20;
const WARM_UP_TRIPS = 5;

/**
 * One trip is some work for the processor, a new connection over loopback, an octet there and back.
 * The numbers that are shared: trips so far, milliseconds of the slowest, start of the present one.
 */
const PROGRAM = `
  const { createHash } = require("node:crypto");
  const { connect, createServer } = require("node:net");
  const { workerData } = require("node:worker_threads");
  const shared = new Float64Array(workerData.shared);
  const now = () => Number(process.hrtime.bigint()) / 1e6;
  const work = Buffer.alloc(2 ** 20);
  const server = createServer((socket) => socket.pipe(socket));
  server.listen(0, "127.0.0.1", goAgain);
  function goAgain() {
    const begun = now();
    if (shared[0] > workerData.warmUp) shared[2] = begun;
    createHash("sha256").update(work).digest();
    const socket = connect(server.address().port, "127.0.0.1", () => socket.write("a"));
    socket.once("data", () => {
      socket.destroy();
      if (shared[0]++ > workerData.warmUp) shared[1] = Math.max(shared[1], now() - begun);
      setTimeout(goAgain, ${PAUSE});
    });
  }`;

/**
 * Measures in a thread of its own, from now until `close()`: other programs that use this machine slow
 * it down, and a service that blocks its own thread does not.
 */
export async function startRoundTrips(): Promise<RoundTrips> {
  const memory = new SharedArrayBuffer(3 * Float64Array.BYTES_PER_ELEMENT);
  const shared = new Float64Array(memory);
  const workerData = { shared: memory, warmUp: WARM_UP_TRIPS };
  const worker = new Worker(PROGRAM, { eval: true, workerData });
  const failed = new Promise<never>((_, reject) => worker.once("error", reject));
  failed.catch(() => {});
  while ((shared[1] ?? 0) === 0) {
    await Promise.race([new Promise((resolve) => setTimeout(resolve, 10)), failed]);
  }
  return {
    limit(promisedMs) {
      const [, slowest = 0, begun = 0] = shared;
      // One that has not come back yet counts for as long as it has been away.
      const away = Number(process.hrtime.bigint()) / 1e6 - begun - PAUSE;
      return promisedMs + ALLOWED_MS + ALLOWED_TRIPS * Math.max(slowest, away);
    },
    async close() {
      await worker.terminate();
    },
  };
}
