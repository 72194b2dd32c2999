// Work in the background that waits until the test ends its waits, in place of the time.

import type { Sleep } from "../../src/lib/background.ts";

export interface HeldSleep {
  readonly sleep: Sleep;
  /** Ends the waits whose length in milliseconds is chosen, then lets what they held up begin. */
  end(isChosen: (milliseconds: number) => boolean): Promise<void>;
  /** Whether something waits as long as that. */
  has(isChosen: (milliseconds: number) => boolean): boolean;
  count(isChosen: (milliseconds: number) => boolean): number;
}

export function heldSleep(): HeldSleep {
  const waits = new Set<{ readonly milliseconds: number; end(): void }>();
  return {
    sleep: (milliseconds, signal) =>
      new Promise<void>((resolve, reject) => {
        const abort = () => reject(new Error("aborted"));
        const end = () => {
          signal.removeEventListener("abort", abort);
          resolve();
        };
        waits.add({ milliseconds, end });
        if (signal.aborted) abort();
        signal.addEventListener("abort", abort);
      }),
    has: (isChosen) => [...waits].some(({ milliseconds }) => isChosen(milliseconds)),
    count: (isChosen) => [...waits].filter(({ milliseconds }) => isChosen(milliseconds)).length,
    async end(isChosen) {
      for (const wait of waits) {
        if (!isChosen(wait.milliseconds)) continue;
        waits.delete(wait);
        wait.end();
      }
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
