// Tries again when the service asks for it, as a person or an app does. On a busy machine that is no failure.

import { setTimeout as sleep } from "node:timers/promises";

/** Only ends what would never succeed. No deadline in seconds, which a slow machine could miss. */
const MAX_TRIES = 100;
const PAUSE_MS = 2000;
const MAX_PAUSE_MS = 60_000;

export type Pause = (milliseconds: number) => Promise<unknown>;

/** Does not keep a demo alive that was stopped. */
const pauseUnref: Pause = (milliseconds) => sleep(milliseconds, undefined, { ref: false });

/** Calls `act` until `waitOf` returns null for its result, and pauses between for the milliseconds that it returns. */
export type Patience = <Result>(
  act: (previous: Result | undefined) => Promise<Result>,
  waitOf: (result: Result) => number | null,
) => Promise<Result>;

/** `onWait` is called before each pause. Returns the last result, whatever it is, after a hundred tries. */
export function createPatience(
  onWait: (milliseconds: number) => void = () => {},
  pause: Pause = pauseUnref,
): Patience {
  return async (act, waitOf) => {
    let result = await act(undefined);
    for (let tries = 1; tries < MAX_TRIES; tries++) {
      const wait = waitOf(result);
      if (wait === null) return result;
      onWait(wait);
      await pause(wait);
      result = await act(result);
    }
    return result;
  };
}

/** How long the response asks its reader to wait before the same request is sent again; null if it does not ask. */
export function waitAskedBy({
  status,
  headers,
}: {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}): number | null {
  if (status !== 503 && status !== 429) return null;
  const seconds = headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(seconds) ? Math.min(Number(seconds) * 1000, MAX_PAUSE_MS) : PAUSE_MS;
}

/** How long a person waits before they press a button again. */
export const PRESSED_AGAIN_MS = PAUSE_MS;
