// Limits the number of concurrent DNS tasks, in total and for each registrable domain.

import { createSlots } from "../outgoing/slots.ts";
import { ownedDomain } from "./registrable-domain.ts";

/**
 * Runs the task as soon as there is room for it, or resolves to null after half a second: one zone whose
 * servers are slow must not keep others waiting. The room is free again when the task and all promises
 * passed to `hold` have settled.
 */
export type Bounded = <T>(
  domain: string,
  task: (hold: (asked: Promise<unknown>) => void) => Promise<T>,
) => Promise<T | null>;

const WAIT_MS = 500;

export function createBounded(limits: { readonly all: number; readonly each: number }): Bounded {
  const slots = createSlots(limits);

  return (domain, task) =>
    new Promise((resolve, reject) => {
      const wait = new AbortController();
      const timer = setTimeout(() => wait.abort(), WAIT_MS);
      const held: Promise<unknown>[] = [];
      const run = async () => {
        clearTimeout(timer);
        const done = task((asked) => void held.push(asked));
        done.then(resolve, reject);
        await Promise.allSettled([done]);
        await Promise.allSettled(held);
      };
      // Rejects only if the wait is over.
      slots.run(ownedDomain(domain), wait.signal, run).catch(() => resolve(null));
    });
}
