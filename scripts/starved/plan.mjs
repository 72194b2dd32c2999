// What `npm run test:starved` runs on a day, and what its last line says.

import { partOf } from "../part.mjs";

export const THIRDS = 3;

/** The third of a day: another one each day. `now` is in milliseconds. */
export function thirdOfDay(now) {
  return partOf({ parts: String(THIRDS) }, now).part;
}

/** The files of the given thirds. The order of `files` changes nothing. */
export function filesOf(files, thirds) {
  return files.toSorted().filter((_, index) => thirds.includes(index % THIRDS));
}

/**
 * The last line and the exit status. A part in which nothing ran has failed, unless it was skipped.
 *
 * @param parts for each part the numbers of steps or tests that passed and failed, and whether it was skipped
 */
export function summarize(parts) {
  const sum = (key) => parts.reduce((total, part) => total + part[key], 0);
  const empty = parts.filter(
    ({ passed, failed, isSkipped }) => passed + failed === 0 && !isSkipped,
  );
  const [passed, failed] = [sum("passed"), sum("failed") + empty.length];
  return { line: `starved: ${passed} passed, ${failed} failed`, status: failed === 0 ? 0 : 1 };
}
