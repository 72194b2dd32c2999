// `domain-signin clients`: the registry of clients on the command line.

import { type Command, Option } from "commander";
import { envName, readSettings, SETTINGS } from "../config.ts";
import type { ClientRegistry } from "../oauth/client-registry.ts";
import { openClientRegistry } from "../service.ts";

type Registry = ClientRegistry & { close(): Promise<void> };
type Shared = { database?: string; config?: string; json?: boolean };

export function addClientsCommands(clients: Command): void {
  shared(clients.command("add").description("register an app; its secret is shown this once"))
    .requiredOption("--name <name>", "what people know it by")
    .requiredOption("--redirect-uri <uri...>", "where answers may be sent, exactly; repeatable")
    .option("--public", "it cannot keep a secret (a single-page or mobile app): PKCE instead")
    .addOption(new Option("--application-type <type>").choices(["web", "native"]).default("web"))
    .option("--scope <scopes>", "scopes it may ask for, separated by spaces", "openid")
    .addOption(
      new Option("--consent <when>", "whether people are asked").choices([
        "never",
        "first",
        "always",
      ]),
    )
    .action(
      (
        options: Shared & {
          name: string;
          redirectUri: string[];
          public?: boolean;
          applicationType: "web" | "native";
          scope: string;
          consent?: "never" | "first" | "always";
        },
      ) =>
        withRegistry(options, async (registry) => {
          const client = await registry.add({
            name: options.name,
            type: options.public ? "public" : "confidential",
            application_type: options.applicationType,
            redirect_uris: options.redirectUri,
            scope: options.scope,
            ...(options.consent && { consent: options.consent }),
          });
          print(options, client, describe(client));
        }),
    );

  shared(clients.command("list").description("list the apps")).action((options: Shared) =>
    withRegistry(options, async (registry) => {
      const all = await registry.list();
      const lines = all.map((client) => `${client.client_id}  ${client.type}  ${client.name}`);
      print(options, all, lines.join("\n") || "no clients yet: domain-signin clients add --help");
    }),
  );

  shared(clients.command("show <client_id>").description("show one app")).action(
    (id: string, options: Shared) =>
      withRegistry(options, async (registry) => {
        const client = await registry.show(id);
        if (client === null) refuse(id);
        else print(options, client, describe(client));
      }),
  );

  shared(
    clients.command("remove <client_id>").description("remove an app and end all its grants"),
  ).action((id: string, options: Shared) =>
    withRegistry(options, async (registry) => {
      if (await registry.remove(id))
        print(options, { client_id: id, removed: true }, `removed ${id}`);
      else refuse(id);
    }),
  );
}

function shared(command: Command): Command {
  return command
    .option("--database <database>", `${SETTINGS.database.about} (${envName("database")})`)
    .option("--config <file>", "JSON file of settings")
    .option("--json", "print JSON");
}

async function withRegistry(
  options: Shared,
  task: (registry: Registry) => Promise<void>,
): Promise<void> {
  const flags = { database: options.database, config: options.config };
  const { database } = readSettings({ flags, env: process.env }, ["database"]);
  const registry = openClientRegistry(String(database));
  try {
    await task(registry);
  } finally {
    await registry.close();
  }
}

function print(options: Shared, json: unknown, text: string): void {
  process.stdout.write(`${options.json ? JSON.stringify(json) : text}\n`);
}

function describe(client: object): string {
  return Object.entries(client)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(" ") : String(value)}`)
    .join("\n");
}

/** A negative answer, not a wrong use. */
function refuse(id: string): void {
  process.stderr.write(`there is no client ${id}\n`);
  process.exitCode = 1;
}
