// The helpers with which the rows of the table of planted faults are written.

export const src = (name) => `packages/server/src/${name}.ts`;
/** The unit test beside a source file. */
export const testOf = (name) => `packages/server/src/${name}.test.ts`;
export const flow = (name) => `packages/server/test/flows/${name}.test.ts`;
export const conformance = (name) => `packages/server/test/conformance/store/${name}.test.ts`;

/**
 * The rows of the faults in one file. `faults` maps the guard that a fault breaks to the other values of its row. Each
 * row has this test, unless the row names another. A row without `replace` removes the text that it finds.
 *
 * @example
 * inFile(src("store/grants"), conformance("grants"), {
 *   "a grant is revoked once": {
 *     find: "WHERE id = ?2 AND revoked_at IS NULL RETURNING id",
 *     replace: "WHERE id = ?2 RETURNING id",
 *   },
 * });
 */
export function inFile(file, test, faults) {
  const defaults = { file, test, replace: "" };
  return Object.entries(faults).map(([guard, fault]) => ({ guard, ...defaults, ...fault }));
}
