// `domain-signin serve`: runs the service until a stop signal.

import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { requireDatabaseOfMark } from "../backup/mark-check.ts";
import { readServeConfig } from "../config/config.ts";
import { markPathOf } from "../config/mark-path.ts";
import { makeSecretFile } from "../config/secret-file.ts";
import { SETTINGS, type SettingKey } from "../config/settings.ts";
import type { Guard } from "../database/guard.ts";
import { guardForService } from "../database/open.ts";
import { CLOSE_TIMEOUTS, type ListenAt, type Listener, listen } from "../http/listen.ts";
import type { Handler } from "../http/message.ts";
import { OperatorError } from "../lib/errors.ts";
import { createService, type Service } from "../service.ts";
import { standardError } from "../telemetry/log-sink.ts";
import { type CommandContext, STATUS, type Status } from "./command-context.ts";
import { withDatabase } from "./command-database.ts";
import { openLog } from "./log.ts";
import { openManagement } from "./management.ts";
import { type GivenOptions, settingOptions, sourcesOf } from "./setting-options.ts";
import type { Terminal } from "./terminal.ts";

/** File descriptor of the first socket (`sd_listen_fds(3)`). */
const FIRST_SOCKET_FD = 3;

export function addCommand(command: Command, { terminal, action }: CommandContext): void {
  settingOptions(command, Object.keys(SETTINGS) as SettingKey[])
    .option(
      "--new-database",
      "start with an empty database although the mark file says that there was another one",
    )
    .option("--json", "print one line of JSON when the service is listening")
    .action(action((options: GivenOptions) => serve(options, terminal)));
}

/** Listens until SIGTERM or SIGINT, then finishes pending requests and returns. */
async function serve(options: GivenOptions, terminal: Terminal): Promise<Status> {
  const config = readServeConfig(sourcesOf(options, terminal));
  const { issuer, management } = config;
  // First, because the first process of a container ignores signals without a handler.
  const stopped = terminal.stopSignal();
  const at = inheritedSocket(terminal.env) ?? { host: config.host, port: config.port };
  const metrics =
    management &&
    (await import("../telemetry/metrics.ts")).createMetrics(standardError().droppedLines);
  const log = openLog(terminal, config.logLevel);
  const events = metrics ? metrics.measured(log) : log;
  // Before the database is opened or created, so that a port in use leaves no files behind.
  let service: Service | null = null;
  const handle: Handler = (http) => service?.handle(http) ?? { status: 503, headers: {}, body: "" };
  const listener = await listen(handle, at).catch(cannotListen(at));
  let managementListener: Listener | null = null;
  let guard: Guard | null = null;
  try {
    const newDatabase = options.newDatabase === true;
    requireDatabaseOfMark(config.database, { mark: markPathOf(config), newDatabase });
    // Before the database is read or migrated: another version may be serving it.
    guard = guardForService(config.database);
    const secret = config.secret ?? (await makeFirstSecret(config.database, stopped));
    if (secret === null) return STATUS.done;
    // Again, because the secret file decides where the mark is.
    const mark = markPathOf(config) ?? undefined;
    service = createService({ ...config, secret, mark, newDatabase }, { events });
    // A start may wait for the database as long as it takes.
    const isReady = await Promise.race([service.ready().then(() => true), stopped]);
    if (isReady !== true) return STATUS.done;
    if (management && metrics) {
      managementListener = await openManagement(management, { service, metrics }).catch(
        cannotListen(management),
      );
    }
    const { port } = listener;
    events.listening({
      issuer,
      port,
      ...(managementListener && { managementPort: managementListener.port }),
    });
    if (options.json) {
      const more = managementListener && { management_port: managementListener.port };
      terminal.out(`${JSON.stringify({ issuer, port, ...more, pid: process.pid })}\n`);
    }
    await stopped;
    events.stopping({ delay: config.stopDelay });
    service.stopping();
    // Gives load balancers time to stop sending requests.
    if (config.stopDelay > 0) await sleep(config.stopDelay * 1000);
    await listener.close(CLOSE_TIMEOUTS);
    events.stopped();
    return STATUS.done;
  } finally {
    await listener.close();
    // Closed last, so that /readyz and the final metrics can still be read.
    await managementListener?.close({ idleMs: 0, totalMs: 500 });
    // An open database connection would keep the process running.
    await service?.close();
    guard?.release();
  }
}

/**
 * Makes a secret for a new database; null if it is `stopped` first. If the database has keys, their secret is missing:
 * rejects.
 */
async function makeFirstSecret(database: string, stopped: Promise<void>): Promise<string | null> {
  const hasKeys = await withDatabase(
    database,
    async ({ store, ready }) => {
      if ((await Promise.race([ready.then(() => true), stopped])) !== true) return null;
      return (await store.readKeys()).length > 0;
    },
    { make: true },
  );
  if (hasKeys === null) return null;
  if (!hasKeys) return makeSecretFile();
  throw new OperatorError(
    "the secret that encrypts the keys in the database is missing: restore ./domain-signin.secret, or set DOMAIN_SIGNIN_SECRET or DOMAIN_SIGNIN_SECRET_FILE",
  );
}

function cannotListen(at: ListenAt): (cause: Error) => never {
  return (cause) => {
    const address = "fd" in at ? `file descriptor ${at.fd}` : `${at.host}:${at.port}`;
    throw new OperatorError(`cannot listen on ${address}: ${cause.message}`);
  };
}

/**
 * The socket passed by systemd (`sd_listen_fds(3)`), or null. Connections made while no process runs
 * wait in its queue. Removes the variables, so that child processes do not inherit them.
 */
function inheritedSocket(env: NodeJS.ProcessEnv): ListenAt | null {
  const { LISTEN_PID: pid, LISTEN_FDS: count } = env;
  for (const name of ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]) delete env[name];
  if (pid !== String(process.pid) || (count ?? "0") === "0") return null;
  // Connections to any other socket would never be accepted.
  if (count !== "1") throw new OperatorError(`LISTEN_FDS is ${count}: it must be 1`);
  return { fd: FIRST_SOCKET_FD };
}
