// Which part of a long run to do. `--parts 7` divides the run into seven parts, of which each day does another one.
// `--part 3` chooses the third part instead.

const DAY_MS = 86_400_000;

/**
 * `part` begins at 0. Throws `RangeError` for a number that is none, and if there is no such part.
 *
 * @param now in milliseconds
 * @example
 * partOf({ parts: "7", part: "3" }); // { part: 2, parts: 7 }
 */
export function partOf({ parts: inAll, part }, now = Date.now()) {
  const parts = Number(inAll);
  // Otherwise nothing would be run, and nothing would fail.
  if (!Number.isInteger(parts) || parts < 1) {
    throw new RangeError(`--parts ${inAll}: must be a whole number from 1`);
  }
  if (part === undefined) return { part: Math.floor(now / DAY_MS) % parts, parts };
  const chosen = Number(part) - 1;
  if (Number.isInteger(chosen) && chosen >= 0 && chosen < parts) return { part: chosen, parts };
  throw new RangeError(`--part ${part}: the parts are 1 to ${parts}`);
}
