// The thread that writes to a SQLite file, so that the event loop of the service never waits for a disk.

import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { messageOf, NotBegunError } from "../lib/errors.ts";
import { type BatchItem, createBatchRunner, whenUnlocked } from "./sqlite-batch.ts";
import { durabilityOf, openLibrary } from "./sqlite-library.ts";
import {
  type ThreadData,
  WRITER_STATES,
  type WriterAnswer,
  type WriterMessage,
  type WriterRequest,
} from "./sqlite-thread.ts";

const { path, state } = workerData as ThreadData;
const enter = (name: keyof typeof WRITER_STATES) => {
  Atomics.store(state, 0, WRITER_STATES[name]);
};
const send = (message: WriterMessage) => parentPort?.postMessage(message);

const database = openLibrary(path);
const hooks = { onTry: () => enter("flushing"), onLocked: () => enter("locked") };
// A start waits for a lock as long as it takes.
await whenUnlocked(durabilityOf(database), Infinity, { onLocked: hooks.onLocked });
const runner = createBatchRunner(database);
/** Each text is sent once, and then named by its place. */
const texts: string[] = [];

parentPort?.on("message", async (request: WriterRequest | null) => {
  if (request === null) {
    runner.forget();
    database.close();
    parentPort?.close();
    return;
  }
  texts.push(...request.texts);
  const textAt = (place: number) => texts[place] ?? "";
  const batch = request.batch.map((item): BatchItem => {
    if (!("joined" in item)) {
      const [place, parameters, rows] = item;
      return { sql: textAt(place), parameters, rows };
    }
    const joined = item.joined.map(([place, parameters, when]) => ({
      sql: textAt(place),
      parameters,
      when,
    }));
    return { joined };
  });
  const answer: WriterAnswer = await runner.runBatch(batch, hooks).catch((cause) => ({
    failure: messageOf(cause),
    hasBegun: !(cause instanceof NotBegunError),
  }));
  enter("idle");
  send({ answer });
});
enter("idle");
send({ opened: threadIdOf() });

/** The name of this thread in `/proc/self/task`; empty where there is no such folder. */
function threadIdOf(): string {
  try {
    return basename(readlinkSync("/proc/thread-self"));
  } catch {
    return "";
  }
}
