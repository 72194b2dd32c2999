// Asks several resolvers the same question, as few as the verdict needs.

import { judge, type Rules, type Verdict, type Vote } from "./majority.ts";
import type { Unusable } from "./record-source.ts";

/** If a source has not answered after this time, another source is asked too. */
const LATE_MS = 400;
/** After this time, sources that have not answered count as silent. */
const TIMEOUT_MS = 1700;

/** Asks as many sources as must agree, in their order, and another for each that fails, is late or contradicts. */
export function askSources<Source, Answer extends Vote>(
  sources: readonly Source[],
  ask: (source: Source) => Promise<Answer | Unusable>,
  rules: Rules,
): Promise<Verdict<Answer>> {
  const voices: (Answer | Unusable)[] = [];
  let asked = 0;
  let pending = 0;
  let late = 0;
  let isOver = false;

  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => end(judge(voices, rules, { pending: 0, unasked: 0 })),
      TIMEOUT_MS,
    );

    function end(verdict: Verdict<Answer> | null): void {
      isOver = true;
      clearTimeout(timer);
      if (verdict) resolve(verdict);
    }

    function fail(error: unknown): void {
      end(null);
      reject(error);
    }

    function askNext(): void {
      const source = sources[asked];
      if (source === undefined) return;
      asked++;
      pending++;
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        late++;
        proceed();
      }, LATE_MS);
      ask(source).then((voice) => {
        clearTimeout(timer);
        pending--;
        if (isLate) late--;
        voices.push(voice);
        proceed();
      }, fail);
    }

    function proceed(): void {
      if (isOver) return;
      const unasked = sources.length - asked;
      const verdict = judge(voices, rules, { pending, unasked });
      if (verdict) end(verdict);
      else if (mostAlike(voices) + pending - late < rules.needed || pending === 0) askNext();
    }

    for (let count = 0; count < rules.needed; count++) askNext();
  });
}

/** The size of the largest group of answers that agree. */
function mostAlike(voices: readonly (Vote | Unusable)[]): number {
  const keys = voices.flatMap((voice) => ("key" in voice ? [voice.key] : []));
  return Math.max(0, ...keys.map((key) => keys.filter((other) => other === key).length));
}
