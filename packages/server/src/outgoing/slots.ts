// How many may be at work at once, in all and for each key; whoever comes later waits for a turn.

export type Slots = {
  /** What gives the slot back, to be called once; null if the signal came first. First come, first served. */
  enter(key: string, signal: AbortSignal): Promise<(() => void) | null>;
};

export function createSlots(limits: { readonly all: number; readonly each: number }): Slots {
  const taken = new Map<string, number>();
  const waiting = new Set<{ readonly key: string; readonly start: () => void }>();
  let all = 0;

  const fits = (key: string) => all < limits.all && (taken.get(key) ?? 0) < limits.each;

  function take(key: string): () => void {
    all++;
    taken.set(key, (taken.get(key) ?? 0) + 1);
    return () => {
      all--;
      const rest = (taken.get(key) ?? 0) - 1;
      if (rest > 0) taken.set(key, rest);
      else taken.delete(key);
      startWaiting();
    };
  }

  // One that waits for its own key holds back nobody who waits for another.
  function startWaiting(): void {
    for (const waiter of waiting) {
      if (all >= limits.all) return;
      if (!fits(waiter.key)) continue;
      waiting.delete(waiter);
      waiter.start();
    }
  }

  return {
    async enter(key, signal) {
      if (signal.aborted) return null;
      if (fits(key)) return take(key);
      return new Promise((resolve) => {
        const giveUp = () => {
          waiting.delete(waiter);
          resolve(null);
        };
        const start = () => {
          signal.removeEventListener("abort", giveUp);
          resolve(take(key));
        };
        const waiter = { key, start };
        waiting.add(waiter);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
  };
}
