// Writes that must come although the database does not take them now: they are kept in memory and tried again.

import { setTimeout as sleep } from "node:timers/promises";

interface Debt {
  /** Milliseconds. */
  readonly since: number;
  /** A key keeps only its first debt with this text. Null if the debt is like no other. */
  readonly same: string | null;
  pay(): Promise<unknown>;
}

/** How many keys are written at once. */
const KEYS_AT_ONCE = 256;
/** Owed for one key. More would come only from somebody who sends one token again and again. */
const MAX_OF_KEY = 16;
/** Milliseconds before a write that the database did not take is tried again. */
const PAUSE_MS = 500;
/** Milliseconds that a close waits for them. */
const CLOSE_MS = 2000;

export function createDebts() {
  /** By key. What is owed for one key is written one after the other. */
  const debts = new Map<string, Debt[]>();
  const waiting = new Set<string>();
  let count = 0;
  let busy = 0;
  let isClosing = false;
  const watchers: (() => void)[] = [];

  function payNext(): void {
    for (const key of waiting) {
      if (busy === KEYS_AT_ONCE || isClosing) break;
      waiting.delete(key);
      busy++;
      void payAllOf(key);
    }
    if (count === 0) for (const done of watchers.splice(0)) done();
  }

  /** Never rejects. */
  async function payAllOf(key: string): Promise<void> {
    const owed = debts.get(key) ?? [];
    for (let [debt] = owed; debt !== undefined && !isClosing; [debt] = owed) {
      const isPaid = await debt.pay().then(
        () => true,
        () => false,
      );
      if (!isPaid) {
        await sleep(PAUSE_MS, undefined, { ref: false });
        continue;
      }
      owed.shift();
      count--;
    }
    if (owed.length === 0) debts.delete(key);
    busy--;
    payNext();
  }

  async function paid(): Promise<void> {
    if (count > 0) await new Promise<void>((resolve) => watchers.push(resolve));
  }

  return {
    count: () => count,
    has: (key: string) => debts.has(key),
    /** Calls `pay` until it resolves, unless the key owes the same already, or too much. Never fails. */
    owe(key: string, pay: () => Promise<unknown>, same: string | null = null): void {
      const debt = { since: performance.now(), same, pay };
      const owed = debts.get(key);
      if (owed === undefined) {
        debts.set(key, [debt]);
        waiting.add(key);
      } else {
        const isKnown = same !== null && owed.some((other) => other.same === same);
        if (isKnown || owed.length === MAX_OF_KEY) return;
        owed.push(debt);
      }
      count++;
      payNext();
    },
    /** For how many milliseconds the oldest has been owed; 0 if nothing is. */
    oldestMs(): number {
      const now = performance.now();
      let since = now;
      for (const [oldest] of debts.values()) since = Math.min(since, oldest?.since ?? now);
      return now - since;
    },
    /** Resolves when nothing is owed any more. */
    paid,
    /** Waits a little for what is owed, and tries nothing again afterwards. */
    async close(): Promise<void> {
      const late = sleep(CLOSE_MS, undefined, { ref: false });
      await Promise.race([paid(), late]);
      isClosing = true;
    },
  };
}
