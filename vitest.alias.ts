// Where tests find the packages: also for tests that have a configuration of their own.

import { fileURLToPath } from "node:url";

/** Packages are read from their sources, so that a test never runs against a stale build of them. */
export const alias = [
  {
    find: /^domain-signin$/,
    replacement: fileURLToPath(new URL("./packages/server/src/service.ts", import.meta.url)),
  },
  {
    find: /^domain-signin-demo\/(.*)$/,
    replacement: fileURLToPath(new URL("./packages/demo/src/$1.ts", import.meta.url)),
  },
  {
    find: /^domain-signin-resource$/,
    replacement: fileURLToPath(new URL("./packages/resource/src/index.ts", import.meta.url)),
  },
  {
    find: /^domain-signin-verify\/(.*)$/,
    replacement: fileURLToPath(new URL("./packages/verify/src/$1.ts", import.meta.url)),
  },
  {
    find: /^domain-signin-verify$/,
    replacement: fileURLToPath(new URL("./packages/verify/src/index.ts", import.meta.url)),
  },
];
