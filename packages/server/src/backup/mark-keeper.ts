// Keeps the mark file up to date: writes it after each change that an older copy of the database must not undo.

import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Store } from "../store/store.ts";
import { type Mark, readMark, writeMark } from "./mark.ts";

export interface MarkEvents {
  markNotWritten(fields: { path: string; cause: unknown }): void;
}

/** `store` is the one that is not wrapped. */
export function createMarkKeeper({
  path,
  store,
  clock,
  events,
}: {
  readonly path: string;
  readonly store: Store;
  readonly clock: Pick<Clock, "seconds">;
  readonly events: MarkEvents;
}) {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function write({ databaseId, counter }: Pick<Mark, "databaseId" | "counter">) {
    const former = readMark(path);
    if (former !== null && former.databaseId !== databaseId) {
      throw new OperatorError(
        `the mark file ${path} is of database ${former.databaseId}, and this is ${databaseId}`,
      );
    }
    // Another process has written it since this one moved the counter.
    if (former !== null && former.counter > counter) return;
    const endedKeys = await store.keys.endedKeys();
    const endedSecrets = await store.registrations.endedSecrets();
    await writeMark(path, { databaseId, counter, at: clock.seconds(), endedKeys, endedSecrets });
  }

  /** The database first. If the process ends in between, the database is ahead of its mark, which is fine. */
  async function moveNow(): Promise<void> {
    const moved = (await store.installation.moveCounter()) ?? (await startNow());
    if (moved !== null) await write(moved);
  }

  /** The counter stays 0 until there is a mark file: a database with a counter and without a mark is not served. */
  async function startNow() {
    const installation = await store.installation.readInstallation();
    if (installation === null || installation.counter > 0) return null;
    await write(installation);
    return store.installation.startCounter();
  }

  const begin = () =>
    moveNow()
      .catch((cause: unknown) => events.markNotWritten({ path, cause }))
      .finally(() => {
        running = null;
      });

  return {
    /**
     * Moves the counter, and then writes the file. Callers share one write that begins after their call. Never
     * rejects: a failure is an event, and the change that the caller has made stands.
     */
    move(): Promise<void> {
      if (running === null) {
        running = begin();
        return running;
      }
      next ??= running.then(() => {
        next = null;
        running = begin();
        return running;
      });
      return next;
    },
  };
}

interface EndingVerb {
  (...values: unknown[]): Promise<unknown>;
  hasEnded(result: unknown): boolean;
}

const isEnding = (verb: unknown): verb is EndingVerb =>
  typeof verb === "function" && "hasEnded" in verb;

/** The same store, whose verbs that end something (see `store/ending`) answer only after the mark was moved. */
export function movingMark(
  store: Store,
  mark: {
    move(): Promise<void>;
    /** Rejects if nothing may be changed yet. */
    before?(): Promise<void>;
  },
): Store {
  const moving =
    (verb: EndingVerb) =>
    async (...values: unknown[]) => {
      await mark.before?.();
      const result = await verb(...values);
      if (verb.hasEnded(result)) await mark.move();
      return result;
    };
  const aggregates = Object.entries(store).map(([name, aggregate]) => {
    const verbs = Object.entries(aggregate).filter(([, verb]) => isEnding(verb));
    if (verbs.length === 0) return [name, aggregate];
    return [
      name,
      { ...aggregate, ...Object.fromEntries(verbs.map(([verb, ends]) => [verb, moving(ends)])) },
    ];
  });
  return { ...store, ...Object.fromEntries(aggregates) };
}
