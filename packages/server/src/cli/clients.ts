// `domain-signin clients`: the registry of clients on the command line.

import { type Command, InvalidArgumentError } from "commander";
import { type ClientRegistry, clientRegistry } from "../oauth/client-registry.ts";
import { type ClientOptions, changesIn, clientOptions, wholeNumber } from "./client-options.ts";
import { answer, type CommandContext, isoTime, refuse } from "./command-context.ts";
import { withDatabase } from "./database.ts";
import type { Status } from "./exit-status.ts";
import { settingOptions, settingsOf } from "./setting-options.ts";

/** A running service remembers clients for so long. */
const SOON = "Running services know the new secret within five seconds.";

type Shared = { json?: boolean };

/** Hours in which an app can be given its new secret while the old one still works. */
const OVERLAP_HOURS = 168;
const MOST_OVERLAP_HOURS = 8760;

export function addClientsCommands(clients: Command, context: CommandContext): void {
  addMakingCommands(clients, context);
  addSecretCommand(clients, context);
  addLookingCommands(clients, context);
}

function addMakingCommands(clients: Command, context: CommandContext): void {
  clientOptions(
    shared(clients.command("add").description("register an app; its secret is shown this once")),
    { defaults: true },
  )
    .option("--public", "it cannot keep a secret (a single-page or mobile app): PKCE instead")
    .action(
      context.action((options: Shared & ClientOptions & { public?: boolean }) =>
        withRegistry(
          options,
          context,
          async (registry, databaseName) => {
            const { name = "", redirect_uris = [], ...settings } = changesIn(options);
            const type = options.public ? "public" : "confidential";
            const client = await registry.add({ name, redirect_uris, type, ...settings });
            const text = `${describe(client)}\nregistered in ${databaseName}`;
            return answer(context, options, { json: client, text });
          },
          // The first command of an installation may well be this one.
          { make: true },
        ),
      ),
    );

  clientOptions(
    shared(clients.command("update <client_id>").description("change the settings that are given")),
  ).action(
    context.action((id: string, options: Shared & ClientOptions) =>
      withRegistry(options, context, async (registry) => {
        const client = await registry.update(id, changesIn(options));
        if (client === null) return refuse(context, noClient(id));
        return answer(context, options, { json: client, text: describe(client) });
      }),
    ),
  );
}

function addSecretCommand(clients: Command, context: CommandContext): void {
  shared(
    clients
      .command("rotate-secret <client_id>")
      .description(
        "give an app a new secret, shown this once; the old one stays valid for a while",
      ),
  )
    .option("--overlap <hours>", "how long the old one stays valid; 0 ends it now", overlapHours)
    .action(
      context.action((id: string, options: Shared & { overlap?: number }) =>
        withRegistry(options, context, async (registry) => {
          const overlap = (options.overlap ?? OVERLAP_HOURS) * 3600;
          const rotated = await registry.rotateSecret(id, overlap);
          if (rotated === null) return refuse(context, noClient(id));
          const end = isoTime(rotated.former_secret_expires_at);
          const shown = { ...rotated, former_secret_expires_at: end };
          return answer(context, options, { json: rotated, text: `${describe(shown)}\n${SOON}` });
        }),
      ),
    );
}

function addLookingCommands(clients: Command, context: CommandContext): void {
  shared(clients.command("list").description("list the apps")).action(
    context.action((options: Shared) =>
      withRegistry(options, context, async (registry, databaseName) => {
        const all = await registry.list();
        const lines = all.map((client) => `${client.client_id}  ${client.type}  ${client.name}`);
        const none = `no clients yet in ${databaseName}: domain-signin clients add --help`;
        return answer(context, options, { json: all, text: lines.join("\n") || none });
      }),
    ),
  );

  shared(clients.command("show <client_id>").description("show one app")).action(
    context.action((id: string, options: Shared) =>
      withRegistry(options, context, async (registry) => {
        const client = await registry.show(id);
        if (client === null) return refuse(context, noClient(id));
        return answer(context, options, { json: client, text: describe(client) });
      }),
    ),
  );

  shared(
    clients.command("remove <client_id>").description("remove an app and end all its grants"),
  ).action(
    context.action((id: string, options: Shared) =>
      withRegistry(options, context, async (registry) => {
        if (!(await registry.remove(id))) return refuse(context, noClient(id));
        const json = { client_id: id, removed: true };
        return answer(context, options, { json, text: `removed ${id}` });
      }),
    ),
  );
}

function overlapHours(text: string): number {
  const hours = wholeNumber(text);
  if (hours <= MOST_OVERLAP_HOURS) return hours;
  throw new InvalidArgumentError(`At most ${MOST_OVERLAP_HOURS} hours, a year.`);
}

function shared(command: Command): Command {
  return settingOptions(command, ["database"]).option("--json", "print JSON");
}

async function withRegistry(
  options: Shared,
  { terminal }: CommandContext,
  task: (registry: ClientRegistry, databaseName: string) => Promise<Status>,
  { make = false } = {},
): Promise<Status> {
  const { database: address } = settingsOf(options, terminal, ["database"]);
  return withDatabase(address, (database) => task(clientRegistry(database), database.name), {
    make,
  });
}

function describe(client: object): string {
  return Object.entries(client)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(" ") : String(value)}`)
    .join("\n");
}

function noClient(id: string): string {
  return `there is no client ${id}`;
}
