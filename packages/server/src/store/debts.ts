// Writes that must come although the database does not take them now: they are kept in memory and tried again.

import { setTimeout as sleep } from "node:timers/promises";

interface Debt {
  /** Milliseconds. */
  readonly since: number;
  pay(): Promise<unknown>;
}

const DEBTS_AT_ONCE = 256;
/** Milliseconds before writes are tried again that the database did not take. */
const PAUSE_MS = 500;
/** Milliseconds that a close waits for them. */
const CLOSE_MS = 2000;

export function createDebts() {
  /** By key. What is owed for one key is written one after the other. */
  const debts = new Map<string, Debt[]>();
  let count = 0;
  let paying: Promise<void> | null = null;
  let isClosing = false;

  async function payAll(): Promise<void> {
    while (count > 0 && !isClosing) {
      const some = [...debts].slice(0, DEBTS_AT_ONCE);
      const paid = await Promise.all(
        some.map(([key, [debt]]) =>
          debt?.pay().then(
            () => forget(key, debt),
            () => false,
          ),
        ),
      );
      if (!paid.includes(true)) await sleep(PAUSE_MS, undefined, { ref: false });
    }
    paying = null;
  }

  function forget(key: string, debt: Debt): boolean {
    const others = debts.get(key)?.filter((other) => other !== debt) ?? [];
    count--;
    if (others.length > 0) debts.set(key, others);
    else debts.delete(key);
    return true;
  }

  return {
    count: () => count,
    has: (key: string) => debts.has(key),
    /** Calls `pay` until it resolves. Never fails. */
    owe(key: string, pay: () => Promise<unknown>): void {
      debts.set(key, [...(debts.get(key) ?? []), { since: performance.now(), pay }]);
      count++;
      paying ??= payAll();
    },
    /** For how many milliseconds the oldest has been owed; 0 if nothing is. */
    oldestMs(): number {
      const [[oldest] = []] = debts.values();
      return oldest === undefined ? 0 : performance.now() - oldest.since;
    },
    /** Resolves when nothing is owed any more. */
    paid: async (): Promise<void> => {
      await paying;
    },
    /** Waits a little for what is owed, and tries nothing again afterwards. */
    async close(): Promise<void> {
      const late = sleep(CLOSE_MS, undefined, { ref: false });
      if (paying !== null) await Promise.race([paying, late]);
      isClosing = true;
    },
  };
}
