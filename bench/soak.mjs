// Runs the soak of packages/server/test/slow/soak.test.ts for ten minutes, or for as many seconds as are given.
//
//   npm run build && node bench/soak.mjs [seconds]

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const args = [vitest, "run", "--project", "slow", "packages/server/test/slow/soak.test.ts"];
const { status } = spawnSync(process.execPath, args, {
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  env: { ...process.env, SOAK_SECONDS: process.argv[2] ?? "600" },
  stdio: "inherit",
});
process.exitCode = status ?? 1;
