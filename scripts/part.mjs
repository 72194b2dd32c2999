// Which part of a long run is to be done: `--parts 7` divides it, so that each day does another seventh, and `--part 3`
// chooses one in place of that of the day.

const DAY_MS = 86_400_000;

/**
 * `part` begins at 0. Throws `RangeError` for a part that there is not.
 *
 * @param now in milliseconds
 * @example
 * partOf({ parts: "7", part: "3" }); // { part: 2, parts: 7 }
 */
export function partOf({ parts: inAll, part }, now = Date.now()) {
  const parts = Math.max(1, Math.floor(Number(inAll)));
  if (part === undefined) return { part: Math.floor(now / DAY_MS) % parts, parts };
  const chosen = Number(part) - 1;
  if (Number.isInteger(chosen) && chosen >= 0 && chosen < parts) return { part: chosen, parts };
  throw new RangeError(`--part ${part}: the parts are 1 to ${parts}`);
}
