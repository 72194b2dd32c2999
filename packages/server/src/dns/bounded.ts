// Limits the number of concurrent DNS tasks, in total and for each registrable domain.

import { ownedDomain } from "../lib/registrable-domain.ts";
import { createSlots } from "../lib/slots.ts";

/**
 * Runs the task once there is room, or resolves to null after half a second: a zone with slow servers must not keep
 * others waiting. The room is free again when the task and all promises passed to `hold` have settled.
 */
export type Bounded = <T>(
  domain: string,
  task: (hold: (asked: Promise<unknown>) => void) => Promise<T>,
  isKnown?: boolean,
) => Promise<T | null>;

const WAIT_MS = 500;

interface TaskLimits {
  readonly all: number;
  readonly each: number;
}

/** The tasks for domains that are not known have limits of their own too. */
export function createConcurrencyLimit(
  limits: TaskLimits & { readonly strangers?: TaskLimits },
): Bounded {
  const slots = createSlots(limits);
  const ofStrangers = createSlots(limits.strangers ?? limits);

  return (domain, task, isKnown = false) =>
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
      const owned = ownedDomain(domain);
      const enter = () => slots.run(owned, wait.signal, run);
      const done = isKnown ? enter() : ofStrangers.run(owned, wait.signal, enter);
      // Rejects only if the wait is over.
      done.catch(() => resolve(null));
    });
}
