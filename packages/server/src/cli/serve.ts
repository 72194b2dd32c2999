// `domain-signin serve`: the service, until it is told to stop.

import { readServeConfig } from "../config.ts";
import { OperatorError } from "../lib/errors.ts";
import { jsonEvents } from "../lib/events.ts";
import { listen } from "../lib/listen.ts";
import { createService } from "../service.ts";

/** Listens until SIGTERM or SIGINT, then answers what is under way and ends. */
export async function serve(options: Readonly<Record<string, string | undefined>>): Promise<void> {
  const config = readServeConfig({ flags: snakeCase(options), env: process.env });
  const events = jsonEvents();
  const service = createService(config, { events });
  try {
    await service.ready();
    const listener = await listen(service.fetch, config).catch((cause: Error) => {
      throw new OperatorError(`cannot listen on ${config.host}:${config.port}: ${cause.message}`);
    });
    events.listening({ issuer: config.issuer, port: listener.port });
    if (options.json) {
      const line = { issuer: config.issuer, port: listener.port, pid: process.pid };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    }
    await new Promise<void>((resolve) => {
      process.once("SIGTERM", resolve);
      process.once("SIGINT", resolve);
    });
    await listener.close();
  } finally {
    // An open connection to a database would keep the process from ending.
    await service.close();
  }
}

/** Commander gives options in camel case, settings are named in snake case. */
export function snakeCase(
  options: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
