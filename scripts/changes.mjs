// Which files `npm run check` lints, and whose tests it runs.

/** A change of one of these can break any test. */
const EVERYWHERE =
  /^(package(-lock)?\.json|vitest\.(config|alias)\.ts|(.*\/)?tsconfig[^/]*\.json|biome\.jsonc)$/;
/** Files that sources read, and the sources that read them. */
const READERS = [
  [/^packages\/server\/messages\//, "packages/server/src/pages/messages.ts"],
  [/^packages\/server\/assets\//, "packages/server/src/pages/assets.ts"],
  [/^packages\/server\/data\//, "packages/server/src/dns/panels.ts"],
];

/**
 * `lint`: the paths to lint. `tested`: sources and tests, whose related tests have to run; null if all tests have to.
 *
 * @example
 * planCheck(["docs/storage.md"], { isWhole: false }) // { lint: ["docs/storage.md"], tested: [] }
 */
export function planCheck(changed, { isWhole }) {
  if (isWhole || changed.some((path) => EVERYWHERE.test(path)))
    return { lint: ["."], tested: null };
  const sources = changed.filter((path) => /\.(ts|mjs)$/.test(path));
  const readers = READERS.flatMap(([pattern, reader]) =>
    changed.some((path) => pattern.test(path)) ? [reader] : [],
  );
  return { lint: changed, tested: [...sources, ...readers] };
}
