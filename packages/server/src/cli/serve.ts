// `domain-signin serve`: the service, until it is told to stop.

import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { readServeConfig } from "../config/config.ts";
import { makeSecretFile } from "../config/secret-file.ts";
import { SETTINGS, type SettingKey } from "../config/settings.ts";
import { CLOSE_TIMEOUTS, type ListenAt, type Listener, listen } from "../http/listen.ts";
import type { Handler } from "../http/message.ts";
import { OperatorError } from "../lib/errors.ts";
import { createService, type Service } from "../service.ts";
import { jsonEvents } from "../telemetry/events.ts";
import type { CommandContext } from "./command-context.ts";
import { withDatabase } from "./database.ts";
import { STATUS, type Status } from "./exit-status.ts";
import { openManagement } from "./management.ts";
import { type GivenOptions, settingOptions, sourcesOf } from "./setting-options.ts";
import type { Terminal } from "./terminal.ts";

/** Where `sd_listen_fds(3)` has the first socket. */
const FIRST_SOCKET = 3;

export function addServeCommand(command: Command, { terminal, action }: CommandContext): void {
  settingOptions(command, Object.keys(SETTINGS) as SettingKey[])
    .option("--json", "print one JSON line once listening")
    .action(action((options: GivenOptions) => serve(options, terminal)));
}

/** Listens until SIGTERM or SIGINT, then answers what is under way and ends. */
async function serve(options: GivenOptions, terminal: Terminal): Promise<Status> {
  const config = readServeConfig(sourcesOf(options, terminal));
  const { issuer, management } = config;
  // First of all: a container's first process would not notice a signal that nobody waits for.
  const stopped = terminal.stopSignal();
  const at = givenSocket(terminal.env) ?? { host: config.host, port: config.port };
  // Loaded only where somebody asks for it.
  const metrics = management && (await import("../telemetry/metrics.ts")).createMetrics();
  const log = jsonEvents(terminal.log);
  const events = metrics ? metrics.measured(log) : log;
  // Before the database is made or touched: a port that is taken must leave no trace.
  let service: Service | null = null;
  const handle: Handler = (http) => service?.handle(http) ?? { status: 503, headers: {}, body: "" };
  const listener = await listen(handle, at).catch(cannotListen(at));
  let beside: Listener | null = null;
  try {
    const secret = config.secret ?? (await firstSecret(config.database));
    service = createService({ ...config, secret }, { events });
    await service.ready();
    if (management && metrics) {
      const parts = { service, metrics };
      beside = await openManagement(management, parts).catch(cannotListen(management));
    }
    const { port } = listener;
    events.listening({ issuer, port, ...(beside && { managementPort: beside.port }) });
    if (options.json) {
      const more = beside && { management_port: beside.port };
      terminal.out(`${JSON.stringify({ issuer, port, ...more, pid: process.pid })}\n`);
    }
    await stopped;
    events.stopping({ delay: config.stopDelay });
    service.stopping();
    // In which a load balancer finds out, before the door is shut.
    if (config.stopDelay > 0) await sleep(config.stopDelay * 1000);
    await listener.close(CLOSE_TIMEOUTS);
    events.stopped();
    return STATUS.done;
  } finally {
    await listener.close();
    // After the other one, so that /readyz and the last counts can be asked for until the end.
    await beside?.close({ idleMs: 0, totalMs: 500 });
    // An open connection to a database would keep the process from ending.
    await service?.close();
  }
}

/** Made for a database that was never used: with keys in it, it is another secret that is missing. */
async function firstSecret(database: string): Promise<string> {
  const hasKeys = await withDatabase(
    database,
    async ({ store, ready }) => {
      await ready;
      return (await store.readKeys()).length > 0;
    },
    { make: true },
  );
  if (!hasKeys) return makeSecretFile();
  throw new OperatorError(
    "the database was made with a secret, and ./domain-signin.secret is not here: put it back, or set DOMAIN_SIGNIN_SECRET_FILE",
  );
}

function cannotListen(at: ListenAt): (cause: Error) => never {
  return (cause) => {
    throw new OperatorError(`cannot listen on ${told(at)}: ${cause.message}`);
  };
}

/**
 * The socket that systemd, or whoever speaks as `sd_listen_fds(3)` has it, holds for this process:
 * who connects while no process runs waits for the next one. Takes the variables away, since they
 * are for no child process. Null without one.
 */
function givenSocket(env: NodeJS.ProcessEnv): ListenAt | null {
  const { LISTEN_PID: pid, LISTEN_FDS: count } = env;
  for (const name of ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]) delete env[name];
  if (pid !== String(process.pid) || (count ?? "0") === "0") return null;
  // Whoever connects to another one would never be answered.
  if (count !== "1") throw new OperatorError(`LISTEN_FDS is ${count}: give one socket`);
  return { fd: FIRST_SOCKET };
}

function told(at: ListenAt): string {
  return "fd" in at ? `file descriptor ${at.fd}` : `${at.host}:${at.port}`;
}
