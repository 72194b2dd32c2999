// `domain-signin sp`: client registrations at external service providers.

import type { Command } from "commander";
import { type KeysConfig, readSpConfig } from "../config/config.ts";
import { readText } from "../config/settings-file.ts";
import { readSpEntry, type SpRegistry, spRegistry } from "../federation/sp-registry.ts";
import { OperatorError } from "../lib/errors.ts";
import { answer, type CommandContext, isoTime, refuse } from "./command-context.ts";
import { sealFrom, withDatabase } from "./database.ts";
import type { Status } from "./exit-status.ts";
import { settingOptions, settingsOf, sourcesOf } from "./setting-options.ts";
import type { Terminal } from "./terminal.ts";

interface Shared {
  json?: boolean;
}
interface AddOptions extends Shared {
  clientId?: string;
  clientSecretFile?: string;
  tokenEndpointAuthMethod?: string;
  allow?: string;
}
type Listed = Awaited<ReturnType<SpRegistry["list"]>>[number];

export function addSpCommands(sp: Command, context: CommandContext): void {
  settingOptions(
    sp
      .command("add <issuer>")
      .description("store a client registration issued by an SP, replacing an existing one"),
    ["issuer", "database"],
  )
    .option("--client-id <id>", "client_id issued by the SP")
    .option("--client-secret-file <file>", "file with the client secret; - for standard input")
    .option(
      "--token-endpoint-auth-method <method>",
      "client_secret_basic (default with a secret), client_secret_post, private_key_jwt or none (default without a secret)",
    )
    .option(
      "--allow <list>",
      "requirements to waive for this SP, separated by commas: endpoints_elsewhere, no_iss, no_pkce",
    )
    .option("--json", "print JSON")
    .action(
      context.action(async (issuer: string, options: AddOptions) => {
        const { config, entry } = await readAll(issuer, options, context.terminal);
        return withRegistry(config, async (registry, databaseName) => {
          const added = await registry.add(entry, config.issuer);
          const text = `${describe(added)}\nstored in ${databaseName}`;
          return answer(context, options, { json: added, text });
        });
      }),
    );

  shared(
    sp.command("list").description("list client registrations at SPs, manual and automatic"),
  ).action(
    context.action((options: Shared) =>
      withoutSecret(options, context, async (registry, databaseName) => {
        const all = await registry.list();
        const none = `no registrations at SPs in ${databaseName}; most SPs need none`;
        return answer(context, options, { json: all, text: all.map(inALine).join("\n") || none });
      }),
    ),
  );

  shared(
    sp
      .command("remove <issuer>")
      .description("remove the client registration at an SP; does not notify the SP"),
  ).action(
    context.action((issuer: string, options: Shared) =>
      withoutSecret(options, context, async (registry) => {
        const removed = await registry.remove(issuer);
        if (removed.length === 0)
          return refuse(context, `no registration at ${JSON.stringify(issuer)}`);
        const text = `removed ${issuer} (${removed.join(", ")})`;
        return answer(context, options, { json: { issuer, removed }, text });
      }),
    ),
  );
}

/** Reads settings and entry. Rejects with one `OperatorError` for the mistakes of both. */
async function readAll(issuer: string, options: AddOptions, terminal: Terminal) {
  const { clientSecretFile } = options;
  const secret =
    clientSecretFile === undefined ? null : await readSecret(clientSecretFile, terminal);
  const input = {
    issuer,
    client_id: options.clientId,
    client_secret: secret?.text ?? null,
    token_endpoint_auth_method: options.tokenEndpointAuthMethod,
    allow: (options.allow ?? "")
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== ""),
  };
  const config = orOperatorError(() => readSpConfig(sourcesOf(options, terminal)));
  const own = config instanceof OperatorError ? null : config.issuer;
  // Avoids a second message, that the secret is missing, for a file that could not be read.
  const asIfGiven = secret?.mistake === undefined ? input : { ...input, client_secret: "unread" };
  const entry = orOperatorError(() => readSpEntry(asIfGiven, own));
  const unread = secret?.mistake === undefined ? [] : [secret.mistake];
  if (config instanceof OperatorError || entry instanceof OperatorError || unread.length > 0) {
    const errors = [config, entry].filter((one) => one instanceof OperatorError);
    throw new OperatorError([...errors.map(({ message }) => message), ...unread].join("\n"));
  }
  return { config, entry };
}

/** Without the final line break. */
async function readSecret(
  file: string,
  terminal: Terminal,
): Promise<{ text?: string; mistake?: string }> {
  const read = file === "-" ? { text: await terminal.readInput() } : readText(file);
  return "mistake" in read ? read : { text: read.text.replace(/\r?\n$/, "") };
}

function orOperatorError<T>(task: () => T): T | OperatorError {
  try {
    return task();
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
}

function shared(command: Command): Command {
  return settingOptions(command, ["database"]).option("--json", "print JSON");
}

/** For `list` and `remove`, which neither seal nor open a client secret. */
function withoutSecret(
  options: Shared,
  { terminal }: CommandContext,
  task: (registry: SpRegistry, databaseName: string) => Promise<Status>,
): Promise<Status> {
  const { database } = settingsOf(options, terminal, ["database"]);
  return withRegistry({ database, secret: null, previousSecret: undefined }, task);
}

function withRegistry(
  config: KeysConfig,
  task: (registry: SpRegistry, databaseName: string) => Promise<Status>,
): Promise<Status> {
  return withDatabase(config.database, (database) =>
    task(spRegistry({ ...database, seal: sealFrom(config) }), database.name),
  );
}

function describe({ made_at, ...sp }: Listed & { readonly redirect_uri: string }): string {
  return Object.entries({ ...sp, made_at: isoTime(made_at) })
    .map(
      ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(" ") || "nothing" : value}`,
    )
    .join("\n");
}

function inALine({ issuer, source, client_id, allow }: Listed): string {
  return [issuer, source, client_id, ...(allow.length === 0 ? [] : [allow.join(",")])].join("  ");
}
