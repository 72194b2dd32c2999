// `domain-signin serve`: runs the service until a stop signal.

import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { requireDatabaseOfMark } from "../backup/mark-keeper.ts";
import { markPathOf, readServeConfig } from "../config/config.ts";
import { makeSecretFile } from "../config/secret-file.ts";
import { SETTING_KEYS } from "../config/settings.ts";
import type { Guard } from "../database/guard.ts";
import { guardForService } from "../database/open.ts";
import { CLOSE_TIMEOUTS, type ListenAt, type Listener, listen } from "../http/listen.ts";
import type { Handler } from "../http/message.ts";
import { OperatorError } from "../lib/errors.ts";
import { createService, type Service } from "../service.ts";
import { standardError } from "../telemetry/log-sink.ts";
import { withDatabase } from "./command-database.ts";
import {
  type Call,
  type CommandContext,
  STATUS,
  type Status,
  settingOptions,
} from "./command-frame.ts";
import { openLog } from "./log.ts";
import { openManagement } from "./management.ts";

/** File descriptor of the first socket (`sd_listen_fds(3)`). */
const FIRST_SOCKET_FD = 3;

export function addCommand(command: Command, context: CommandContext): void {
  settingOptions(command, SETTING_KEYS)
    .option(
      "--new-database",
      "start with an empty database although the mark file says that there was another one",
    )
    .option("--json", "print one line of JSON when the service is listening");
  context.onCall(command, (call) => serve(call, context));
}

/** What is open, in the order in which it is closed after the listener. */
interface OpenParts {
  management: Listener | null;
  service: Service | null;
  guard: Guard | null;
}

/** Listens until SIGTERM or SIGINT, then finishes pending requests and returns. */
async function serve({ options, sources }: Call, { terminal }: CommandContext): Promise<Status> {
  const config = readServeConfig(sources);
  const { issuer, database, managementHost, managementPort } = config;
  const managementAt =
    managementPort === undefined ? null : { host: managementHost, port: managementPort };
  // First, because the first process of a container ignores signals without a handler.
  const stopped = terminal.stopSignal();
  const at = inheritedSocket(terminal.env) ?? { host: config.host, port: config.port };
  const opened: OpenParts = { management: null, service: null, guard: null };
  const limits = () => opened.service?.limits() ?? [];
  const metrics =
    managementAt &&
    (await import("../telemetry/metrics.ts")).createMetrics(standardError().droppedLines, limits);
  const log = openLog(terminal, config.logLevel);
  const events = metrics ? metrics.measured(log) : log;
  const handle: Handler = (http) =>
    opened.service?.handle(http) ?? { status: 503, headers: {}, body: "" };
  // Before the database is opened or created, so that a port in use leaves no files behind.
  const listener = await listen(handle, at).catch(cannotListen(at));

  /** Null if the process is stopped first. */
  async function start(): Promise<Service | null> {
    const newDatabase = options.newDatabase === true;
    requireDatabaseOfMark({ database, mark: markPathOf(config), newDatabase });
    // Before the database is read or migrated: another version may be serving it.
    opened.guard = guardForService(database);
    const secret = config.secret ?? (await makeFirstSecret(database, stopped));
    if (secret === null) return null;
    // Again, because the secret file decides where the mark is.
    const mark = markPathOf(config) ?? undefined;
    const service = createService({ ...config, secret, mark, newDatabase }, { events });
    opened.service = service;
    // A start may wait for the database as long as it takes.
    const isReady = await Promise.race([service.ready().then(() => true), stopped]);
    return isReady === true ? service : null;
  }

  function announce({ port }: Listener, management: Listener | null): void {
    events.listening({ issuer, port, ...(management && { managementPort: management.port }) });
    if (!options.json) return;
    const more = management && { management_port: management.port };
    terminal.out(`${JSON.stringify({ issuer, port, ...more, pid: process.pid })}\n`);
  }

  try {
    const service = await start();
    if (service === null) return STATUS.done;
    if (managementAt && metrics) {
      const opening = openManagement(managementAt, service.handle, metrics);
      opened.management = await opening.catch(cannotListen(managementAt));
    }
    announce(listener, opened.management);
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
    // After the listener, so that /readyz and the final metrics can still be read.
    await opened.management?.close({ idleMs: 0, totalMs: 500 });
    // An open database connection would keep the process running.
    await opened.service?.close();
    opened.guard?.release();
  }
}

/** For a new database. Null if `stopped` comes first. Rejects if keys exist but no secret. */
async function makeFirstSecret(database: string, stopped: Promise<void>): Promise<string | null> {
  const hasKeys = await withDatabase(
    database,
    async ({ store, ready }) => {
      if ((await Promise.race([ready.then(() => true), stopped])) !== true) return null;
      return (await store.keys.readKeys()).length > 0;
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
 * The socket of systemd (`sd_listen_fds(3)`), or null. Its queue keeps connections made while no process runs. Removes
 * the variables, so that child processes do not inherit them.
 */
function inheritedSocket(env: NodeJS.ProcessEnv): ListenAt | null {
  const { LISTEN_PID: pid, LISTEN_FDS: count } = env;
  for (const name of ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]) delete env[name];
  if (pid !== String(process.pid) || (count ?? "0") === "0") return null;
  // Connections to any other socket would never be accepted.
  if (count !== "1") throw new OperatorError(`LISTEN_FDS is ${count}: it must be 1`);
  return { fd: FIRST_SOCKET_FD };
}
