// `domain-signin clients`: adds, changes, lists and removes clients.

import type { Command } from "commander";
import { type ClientRegistry, clientRegistry } from "../clients/client-registry.ts";
import { markPathOf } from "../config/mark-path.ts";
import { isoTime } from "../lib/iso-time.ts";
import {
  changesIn,
  clientOptions,
  describe,
  overlapSeconds,
  SECRET_NOTE,
  withOverlap,
} from "./client-options.ts";
import {
  type Answer,
  answer,
  answerFound,
  type CommandContext,
  refuse,
  type Status,
} from "./command-context.ts";
import { type CommandDatabase, withDatabase } from "./command-database.ts";
import { databaseCommand, type GivenOptions, settingsOf } from "./setting-options.ts";

export function addCommand(clients: Command, context: CommandContext): void {
  addRegistrationCommands(clients, context);
  addSecretCommand(clients, context);
  addEndSecretCommand(clients, context);
  addListCommands(clients, context);
}

function addRegistrationCommands(clients: Command, context: CommandContext): void {
  const add = databaseCommand(clients, "add", "register a client; its secret is shown only once");
  clientOptions(add, { defaults: true })
    .option("--public", "client without a secret, such as a single-page or mobile app; needs PKCE")
    .action(
      context.action((options: GivenOptions) =>
        withRegistry(
          options,
          context,
          async (registry, databaseName) => {
            const { name = "", redirect_uris = [], ...settings } = changesIn(options);
            const type = options.public ? "public" : "confidential";
            const client = await registry.add({ name, redirect_uris, type, ...settings });
            await context.audit({ command: "clients add", clientId: client.client_id });
            const text = `${describe(client)}\nregistered in ${databaseName}`;
            return answer(context, options, { json: client, text });
          },
          // This can be the first command of an installation.
          { make: true },
        ),
      ),
    );

  const update = databaseCommand(clients, "update <client_id>", "change settings of a client");
  clientOptions(update).action(
    onClient(context, async (registry, id, options) => {
      const updated = await registry.update(id, changesIn(options));
      if (updated !== null) await context.audit({ command: "clients update", clientId: id });
      return shown(updated);
    }),
  );
}

function addSecretCommand(clients: Command, context: CommandContext): void {
  const about =
    "create a new client secret, shown only once; the old one stays valid during the overlap";
  withOverlap(databaseCommand(clients, "rotate-secret <client_id>", about)).action(
    onClient(context, async (registry, id, options: GivenOptions & { overlap?: number }) => {
      const json = await registry.rotateSecret(id, overlapSeconds(options));
      if (json === null) return null;
      await context.audit({ command: "clients rotate-secret", clientId: id });
      const end = isoTime(json.former_secret_expires_at);
      const text = `${describe({ ...json, former_secret_expires_at: end })}\n${SECRET_NOTE}`;
      return { json, text };
    }),
  );
}

function addEndSecretCommand(clients: Command, context: CommandContext): void {
  const about = "end the former secret of a client before its overlap is over";
  databaseCommand(clients, "end-secret <client_id>", about).action(
    context.action((id: string, options: GivenOptions) =>
      withRegistry(options, context, async (registry) => {
        const ended = await registry.endSecret(id);
        if (ended === null) return refuse(context, `client not found: ${id}`);
        if (!ended) return refuse(context, `client ${id} has no former secret`);
        await context.audit({ command: "clients end-secret", clientId: id });
        const text = `ended the former secret of ${id}\nRunning services refuse it within five seconds.`;
        return answer(context, options, { json: { client_id: id, ended }, text });
      }),
    ),
  );
}

function addListCommands(clients: Command, context: CommandContext): void {
  databaseCommand(clients, "list", "list all clients").action(
    context.action((options: GivenOptions) =>
      withRegistry(options, context, async (registry, databaseName) => {
        const all = await registry.list();
        const lines = all.map((client) => `${client.client_id}  ${client.type}  ${client.name}`);
        const none = `no clients in ${databaseName}; to add one, see: domain-signin clients add --help`;
        return answer(context, options, { json: all, text: lines.join("\n") || none });
      }),
    ),
  );

  databaseCommand(clients, "show <client_id>", "show a client").action(
    onClient(context, async (registry, id) => shown(await registry.show(id))),
  );

  const aboutRemove = "remove a client and revoke its grants";
  databaseCommand(clients, "remove <client_id>", aboutRemove).action(
    onClient(context, async (registry, id) => {
      if (!(await registry.remove(id))) return null;
      await context.audit({ command: "clients remove", clientId: id });
      return { json: { client_id: id, removed: true }, text: `removed ${id}` };
    }),
  );
}

/** An action on the client that the first argument names; `task` returns null if there is none. */
function onClient<Options extends GivenOptions>(
  context: CommandContext,
  task: (registry: ClientRegistry, id: string, options: Options) => Promise<Answer | null>,
) {
  return context.action((id: string, options: Options) =>
    withRegistry(options, context, async (registry) => {
      const found = await task(registry, id, options);
      return answerFound(context, options, found, `client not found: ${id}`);
    }),
  );
}

async function withRegistry(
  options: GivenOptions,
  { terminal }: CommandContext,
  task: (registry: ClientRegistry, databaseName: string) => Promise<Status>,
  { make = false } = {},
): Promise<Status> {
  const settings = settingsOf(options, terminal, ["database", "mark"]);
  const run = (own: CommandDatabase) => task(clientRegistry(own), own.name);
  return withDatabase(settings.database, run, { make, mark: markPathOf(settings) });
}

function shown(client: object | null): Answer | null {
  return client && { json: client, text: describe(client) };
}
