// `domain-signin clients`: adds, changes, lists and removes clients.

import { type Command, InvalidArgumentError } from "commander";
import { type ClientRegistry, clientRegistry } from "../oauth/client.ts";
import { type ClientOptions, changesIn, clientOptions, wholeNumber } from "./client-options.ts";
import { answer, type CommandContext, isoTime, refuse } from "./command-context.ts";
import { withDatabase } from "./database.ts";
import type { Status } from "./exit-status.ts";
import { settingOptions, settingsOf } from "./setting-options.ts";

/** Services cache clients for five seconds. */
const NOTE = "Running services accept the new secret within five seconds.";

interface Shared {
  json?: boolean;
}

/** The old secret stays valid for this long, so that the app can be changed to the new one. */
const DEFAULT_OVERLAP_HOURS = 168;
const MAX_OVERLAP_HOURS = 8760;

export function addClientsCommands(clients: Command, context: CommandContext): void {
  addRegistrationCommands(clients, context);
  addSecretCommand(clients, context);
  addListCommands(clients, context);
}

function addRegistrationCommands(clients: Command, context: CommandContext): void {
  clientOptions(
    shared(clients.command("add").description("register a client; its secret is shown only once")),
    { defaults: true },
  )
    .option("--public", "client without a secret, such as a single-page or mobile app; needs PKCE")
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
          // This can be the first command of an installation.
          { make: true },
        ),
      ),
    );

  clientOptions(
    shared(clients.command("update <client_id>").description("change settings of a client")),
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
        "create a new client secret, shown only once; the old one stays valid during the overlap",
      ),
  )
    .option("--overlap <hours>", "how long the old secret is valid; 0 ends it now", overlapHours)
    .action(
      context.action((id: string, options: Shared & { overlap?: number }) =>
        withRegistry(options, context, async (registry) => {
          const overlap = (options.overlap ?? DEFAULT_OVERLAP_HOURS) * 3600;
          const rotated = await registry.rotateSecret(id, overlap);
          if (rotated === null) return refuse(context, noClient(id));
          const end = isoTime(rotated.former_secret_expires_at);
          const shown = { ...rotated, former_secret_expires_at: end };
          return answer(context, options, { json: rotated, text: `${describe(shown)}\n${NOTE}` });
        }),
      ),
    );
}

function addListCommands(clients: Command, context: CommandContext): void {
  shared(clients.command("list").description("list all clients")).action(
    context.action((options: Shared) =>
      withRegistry(options, context, async (registry, databaseName) => {
        const all = await registry.list();
        const lines = all.map((client) => `${client.client_id}  ${client.type}  ${client.name}`);
        const none = `no clients in ${databaseName}; to add one, see: domain-signin clients add --help`;
        return answer(context, options, { json: all, text: lines.join("\n") || none });
      }),
    ),
  );

  shared(clients.command("show <client_id>").description("show a client")).action(
    context.action((id: string, options: Shared) =>
      withRegistry(options, context, async (registry) => {
        const client = await registry.show(id);
        if (client === null) return refuse(context, noClient(id));
        return answer(context, options, { json: client, text: describe(client) });
      }),
    ),
  );

  shared(
    clients.command("remove <client_id>").description("remove a client and revoke its grants"),
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
  if (hours <= MAX_OVERLAP_HOURS) return hours;
  throw new InvalidArgumentError(`Must be at most ${MAX_OVERLAP_HOURS} hours (one year).`);
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
  return `client not found: ${id}`;
}
