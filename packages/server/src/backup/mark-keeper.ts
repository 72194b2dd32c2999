// Keeps the mark file up to date: writes it after each change that an older copy of the database must not undo.

import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Store } from "../store/store.ts";
import { type Mark, readMark, writeMark } from "./mark.ts";

/** The operations of the store that move the counter, and whether their result says that something has changed. */
const MOVING: { readonly [Name in keyof Store]?: (result: unknown) => boolean } = {
  // Access that was revoked.
  revokeGrant: isTrue,
  revokeGrantsOf: always,
  forgetConsents: isTrue,
  removeClient: isTrue,
  // Sign-outs, and the ends of accounts.
  endSession: isTrue,
  endReusedSession: isTrue,
  endSessionsOf: always,
  forgetBrowser: isTrue,
  forgetBrowsersOf: always,
  endAccount: isTrue,
  endAccountNow: isTrue,
  // Keys.
  addKey: isTrue,
  changeCurrentFrom: isTrue,
  removeKey: isTrue,
  removeEndedKey: isTrue,
  // Passkeys, recovery codes and client secrets.
  enrol: always,
  addPasskey: (result) => result === "added",
  removePasskey: (result) => result === "removed",
  renewRecoveryCodes: (result) => result === "renewed",
  authenticate: usedCode,
  rotateClientSecret: isTrue,
  endFormerSecret: isTrue,
};

function isTrue(result: unknown): boolean {
  return result === true;
}

function always(): boolean {
  return true;
}

/** Of an interaction that was authenticated: by a recovery code, which is used up. */
function usedCode(result: unknown): boolean {
  return typeof result === "object" && result !== null && "usedCode" in result && !!result.usedCode;
}

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
    const endedKeys = await store.endedKeys();
    const endedSecrets = await store.endedSecrets();
    await writeMark(path, { databaseId, counter, at: clock.seconds(), endedKeys, endedSecrets });
  }

  /** The database first. If the process ends in between, the database is ahead of its mark, which is fine. */
  async function moveNow(): Promise<void> {
    const moved = (await store.moveCounter()) ?? (await startNow());
    if (moved !== null) await write(moved);
  }

  /** The counter stays 0 until there is a mark file: a database with a counter and without a mark is not served. */
  async function startNow() {
    const installation = await store.readInstallation();
    if (installation === null || installation.counter > 0) return null;
    await write(installation);
    return store.startCounter();
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

/** The same store, whose operations in the table above answer only after the mark was moved. */
export function movingMark(
  store: Store,
  mark: {
    move(): Promise<void>;
    /** Rejects if nothing may be changed yet. */
    before?(): Promise<void>;
  },
): Store {
  const moving = Object.entries(MOVING).map(([name, hasChanged]) => {
    const operation = store[name as keyof Store] as (...values: unknown[]) => Promise<unknown>;
    const wrapped = async (...values: unknown[]) => {
      await mark.before?.();
      const result = await operation(...values);
      if (hasChanged(result)) await mark.move();
      return result;
    };
    return [name, wrapped];
  });
  return { ...store, ...Object.fromEntries(moving) };
}
