// An app that refreshes its tokens at a fixed rate, whatever else happens, and how long each refresh takes.

import { setTimeout as sleep } from "node:timers/promises";
import { refresh } from "../sign-in.ts";
import type { ServedWorld } from "./served-world.ts";

export interface HonestApp {
  /** Milliseconds of each refresh in so much time, sorted. Each must succeed. */
  refreshFor(ms: number): Promise<number[]>;
}

/** So many people are signed in. */
const GRANTS = 10;

export async function startHonestApp(world: ServedWorld, perSecond: number): Promise<HonestApp> {
  const tokens: string[] = [];
  while (tokens.length < GRANTS) {
    tokens.push(String((await world.signIn(`h${tokens.length}.alice.test`)).refresh_token));
  }

  async function rotate(index: number): Promise<void> {
    const { status, body } = await world.token(refresh(tokens[index] ?? ""));
    if (status !== 200) throw new Error(`a refresh got ${status} ${JSON.stringify(body)}`);
    tokens[index] = String(body.refresh_token);
  }

  return {
    async refreshFor(ms) {
      const times: number[] = [];
      const interval = 1000 / perSecond;
      const start = performance.now();
      // The refreshes of one grant follow one another, those of others do not wait for them.
      const latest = tokens.map(() => Promise.resolve());
      for (let count = 0; count * interval < ms; count++) {
        const due = start + count * interval;
        await sleep(Math.max(0, due - performance.now()));
        const grant = count % GRANTS;
        // From when it was due: a refresh that had to wait for another one is late too.
        latest[grant] =
          latest[grant]
            ?.then(() => rotate(grant))
            .then(() => {
              times.push(performance.now() - due);
            }) ?? Promise.resolve();
      }
      await Promise.all(latest);
      return times.sort((one, other) => one - other);
    },
  };
}

/** The median of sorted times. */
export function at50(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Of sorted times. */
export function at99(sorted: readonly number[]): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN;
}

/** The usual figures of sorted times, as text. */
export function figures(sorted: readonly number[]): string {
  const middle = at50(sorted);
  const [most = Number.NaN] = sorted.slice(-1);
  const [p50, p99, longest] = [middle, at99(sorted), most].map((ms) => `${ms.toFixed(1)} ms`);
  return `${sorted.length} refreshes: median ${p50}, p99 ${p99}, longest ${longest}`;
}
