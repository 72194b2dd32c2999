// Limits how many tasks run at once, in all and for each key; the others wait for a slot.

export function createSlots(limits: { readonly all: number; readonly each: number }) {
  const taken = new Map<string, number>();
  const waiting = new Set<{ readonly key: string; readonly start: () => void }>();
  let all = 0;

  const isFree = (key: string) => all < limits.all && (taken.get(key) ?? 0) < limits.each;

  function giveBack(key: string): void {
    all--;
    const rest = (taken.get(key) ?? 0) - 1;
    if (rest > 0) taken.set(key, rest);
    else taken.delete(key);
    // A task that waits for its own key does not hold back tasks with another key.
    for (const waiter of waiting) if (isFree(waiter.key)) waiter.start();
  }

  function enter(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(waiter);
        reject(signal.reason);
      };
      const start = () => {
        waiting.delete(waiter);
        signal.removeEventListener("abort", giveUp);
        all++;
        taken.set(key, (taken.get(key) ?? 0) + 1);
        resolve();
      };
      const waiter = { key, start };
      if (signal.aborted) giveUp();
      else if (isFree(key)) start();
      else {
        waiting.add(waiter);
        signal.addEventListener("abort", giveUp);
      }
    });
  }

  return {
    /** Runs the task once a slot is free, in the order of the calls. The signal can end the wait, with its reason. */
    async run<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
      await enter(key, signal);
      try {
        return await task();
      } finally {
        giveBack(key);
      }
    },
  };
}
