// Replays attacks that kept people out against a build, each with its own numbers, and tells who is refused.
//
//   npm run build && node bench/attacks.mjs [dist/cli.js of another build]
//
// Minutes and hours pass by moving the clock of the service, not by waiting: only the limits that count minutes see them.

import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const args = ["run", "--project", "slow", "packages/server/test/slow/attacks.replay.ts"];
const cli = resolve(process.argv[2] ?? here("../packages/server/dist/cli.js"));
const vitest = here("../node_modules/vitest/vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, ...args], {
  cwd: here(".."),
  env: { ...process.env, ATTACKS_CLI: cli },
  stdio: "inherit",
});
process.exitCode = status ?? 1;
