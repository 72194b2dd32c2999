// Starts the demo without its walk, from the sources, and starts it again whenever one of its files changes.
//
//   npm run dev [-- --port 4001 --issuer-port 9080]
//
// A change of TypeScript bundles the sources first; types are left to `npm run check`. A change of a message or an asset
// only needs the restart. Ports, accounts, cookies and DNS records survive restarts, and are deleted at the end.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, watch as watchFolder } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { watch } from "rolldown";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const demo = join(root, "packages/demo");
const server = join(root, "packages/server");
const data = mkdtempSync(join(tmpdir(), "domain-signin-dev-"));
/** The last one of an option counts. */
const options = ["--port", "3001", "--issuer-port", "8080", ...process.argv.slice(2)];

/** The source of each import of another package of ours. */
const OWN_PACKAGES = [
  [/^domain-signin$/, "packages/server/src/service.ts"],
  [/^domain-signin-verify$/, "packages/verify/src/index.ts"],
  [/^domain-signin-verify\/(.*)$/, "packages/verify/src/$1.ts"],
];

/** The demo that runs, or that has ended by itself. */
let child = null;
let isStopping = false;
/** Restarts one after another: each needs the ports of the one before. */
let turn = Promise.resolve();

function restart(at) {
  turn = turn.then(async () => {
    await end(child);
    if (!isStopping) await start(at);
  });
}

/** Resolves when the demo answers, or has ended. */
async function start(at) {
  const command = [join(demo, ".dev/cli.js"), "--json", "--data", data, ...options];
  // In a process group of its own, so that Ctrl-C reaches it through this process alone.
  child = spawn(process.execPath, ["--enable-source-maps", ...command], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    once(child, "exit").then(() => []),
  ]);
  if (isStopping) return;
  if (line === undefined) return console.log("The demo has ended. Waiting for a change …");
  const { app, zone_editor, issuer } = JSON.parse(line);
  console.log(`App ${app}   Zone editor ${zone_editor}   Service ${issuer}`);
  console.log(`Ready in ${((Date.now() - at) / 1000).toFixed(1)} s. Waiting for a change …`);
}

async function end(ending) {
  if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
  ending.kill("SIGTERM");
  await once(ending, "exit");
}

const bundler = watch({
  cwd: root,
  input: {
    cli: "packages/demo/src/cli.ts",
    // A file of its own, which a thread of the service runs.
    "sqlite-writer": "packages/server/src/database/sqlite-writer.ts",
  },
  platform: "node",
  external: (id) => id.startsWith("node:") || /^(?!domain-signin|@oxc-project\/)[@a-z]/.test(id),
  plugins: [{ name: "own-packages", resolveId: sourceOf }],
  output: { dir: join(demo, ".dev"), sourcemap: true, cleanDir: true },
});

function sourceOf(id) {
  const found = OWN_PACKAGES.find(([pattern]) => pattern.test(id));
  return found ? join(root, id.replace(...found)) : null;
}

let changedAt = Date.now();
bundler.on("event", async ({ code, error, result }) => {
  if (code === "BUNDLE_START") changedAt = Date.now();
  // The demo that runs stays up.
  if (code === "ERROR") {
    console.error(error.message);
    console.log("Waiting for a change …");
  }
  if (code === "BUNDLE_END") restart(changedAt);
  await result?.close();
});

/** Events of one change are a few milliseconds apart. */
const SETTLE_MS = 50;
let settling;
const watchers = ["messages", "assets", "data"].map((folder) =>
  watchFolder(join(server, folder), (_, name) => {
    if (!/\.(ftl|css|js|svg|json)$/.test(name ?? "")) return;
    clearTimeout(settling);
    settling = setTimeout(afterChange, SETTLE_MS, name, Date.now());
  }),
);

function afterChange(name, at) {
  // Only prints mistakes: a page without a wrong message can be shown.
  if (name.endsWith(".ftl"))
    spawn(process.execPath, [join(server, "scripts/check-messages.mjs")], { stdio: "inherit" });
  restart(at);
}

process.on("exit", () => rmSync(data, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);

/** npm repeats the signal of a Ctrl-C, which this process has already received from the terminal. */
const REPEATED_MS = 500;
let stoppedAt = 0;

/** Another signal ends everything at once. */
async function stop() {
  if (isStopping) {
    if (Date.now() - stoppedAt < REPEATED_MS) return;
    child?.kill("SIGKILL");
    process.exit(1);
  }
  [isStopping, stoppedAt] = [true, Date.now()];
  clearTimeout(settling);
  for (const watcher of watchers) watcher.close();
  await Promise.all([bundler.close(), end(child), turn]);
}
