// Limits how many tasks run at once: a task without a slot waits for one.

/** Takes a slot, and returns how to give it back. Null if none is free. */
export type TakeSlot<Key, Slot> = (key: Key) => TakenSlot<Slot> | null;

interface TakenSlot<Slot> {
  readonly slot: Slot;
  readonly giveBack: () => void;
}

/** Runs tasks in order, except that a task that waits for its key does not hold back other keys. */
export function createSlotQueue<Key, Slot>(take: TakeSlot<Key, Slot>) {
  /** Each tries to start its task, which removes it. */
  const waiting = new Set<() => void>();

  function enter(key: Key, signal: AbortSignal): Promise<TakenSlot<Slot>> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(start);
        reject(signal.reason);
      };
      const start = () => {
        const taken = take(key);
        if (taken === null) return;
        waiting.delete(start);
        signal.removeEventListener("abort", giveUp);
        resolve(taken);
      };
      if (signal.aborted) return giveUp();
      waiting.add(start);
      signal.addEventListener("abort", giveUp);
      start();
    });
  }

  return {
    /** Runs the task once it has a slot. The signal can end the wait, with its reason. */
    async run<T>(key: Key, signal: AbortSignal, task: (slot: Slot) => Promise<T>): Promise<T> {
      const { slot, giveBack } = await enter(key, signal);
      try {
        return await task(slot);
      } finally {
        giveBack();
        for (const start of waiting) start();
      }
    },
  };
}

/** Slots with a limit in all and for each key. */
export function createSlots(limits: { readonly all: number; readonly each: number }) {
  const taken = new Map<string, number>();
  let all = 0;

  return createSlotQueue<string, null>((key) => {
    const count = taken.get(key) ?? 0;
    if (all >= limits.all || count >= limits.each) return null;
    all++;
    taken.set(key, count + 1);
    const giveBack = () => {
      all--;
      const rest = (taken.get(key) ?? 0) - 1;
      if (rest > 0) taken.set(key, rest);
      else taken.delete(key);
    };
    return { slot: null, giveBack };
  });
}
