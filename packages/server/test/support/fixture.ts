// Something that the tests of a file need: started before them, closed after them, and used like a constant.

import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

/**
 * Registers the hooks that start something for the file, or for each test, and close it if it can be closed.
 * Returns a stand-in, which has the members of what was started last.
 *
 * @example
 * const world = fixture(startFederatedWorld);
 */
export function fixture<T extends object>(
  start: () => Promise<T>,
  scope: "file" | "test" = "file",
): T {
  let current: T | undefined;
  const [before, after] = scope === "file" ? [beforeAll, afterAll] : [beforeEach, afterEach];
  before(async () => {
    current = await start();
  });
  after(async () => {
    const ended = current;
    current = undefined;
    if (ended !== undefined && "close" in ended && typeof ended.close === "function")
      await ended.close();
  });
  return standIn(() => {
    if (current === undefined) throw new Error("a fixture is used before its hooks have run");
    return current;
  });
}

/** An object that has the members of what `current` returns when they are used. */
export function standIn<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(current(), name),
    set: (_, name, value) => Reflect.set(current(), name, value),
    has: (_, name) => Reflect.has(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => ({
      ...Object.getOwnPropertyDescriptor(current(), name),
      // What is not a member of the stand-in itself must be configurable.
      configurable: true,
    }),
  });
}
