// The thread that writes to a SQLite file, so that the event loop of the service never waits for a disk.

import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../lib/errors.ts";
import { createBatchRunner } from "./sqlite-batch.ts";
import { makeDurable, openLibrary, waitBlocking } from "./sqlite-library.ts";
import type { WriterAnswer, WriterRequest } from "./sqlite-thread.ts";

const { path } = workerData as { path: string };
const database = openLibrary(path);
waitBlocking(database, "starting");
makeDurable(database);
waitBlocking(database, "serving");
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
  const batch = request.batch.map(([text, parameters]) => ({
    sql: texts[text] ?? "",
    parameters,
  }));
  const answer: WriterAnswer = await runner
    .runBatch(batch)
    .catch((cause) => ({ failure: messageOf(cause) }));
  parentPort?.postMessage(answer);
});
