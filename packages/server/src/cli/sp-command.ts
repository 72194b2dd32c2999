// `domain-signin sp`: client registrations at external service providers.

import type { Command } from "commander";
import { readSettings, withSecretFile } from "../config/config.ts";
import { readText } from "../config/settings-file.ts";
import { readSpEntry, type SpRegistry, spRegistry } from "../federation/sp-registry.ts";
import { OperatorError } from "../lib/errors.ts";
import { isoTime } from "../lib/iso-time.ts";
import { describe } from "./client-options.ts";
import { type CommandDatabase, sealFrom, withDatabase } from "./command-database.ts";
import {
  answerCall,
  type Call,
  type CommandContext,
  databaseCommands,
  type GivenOptions,
  settingOptions,
} from "./command-frame.ts";

interface AddOptions extends GivenOptions {
  readonly clientId?: string;
  readonly clientSecretFile?: string;
  readonly tokenEndpointAuthMethod?: string;
  readonly allow?: string;
}
type Listed = Awaited<ReturnType<SpRegistry["list"]>>[number];

export function addCommand(sp: Command, context: CommandContext): void {
  const command = sp
    .command("add <issuer>")
    .description("store a client registration issued by an SP, replacing an existing one");
  settingOptions(command, ["issuer", "database"])
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
    .option("--json", "print JSON");
  answerCall(command, context, async (call: Call<AddOptions>) => {
    const { config, entry } = await readAll(call, context);
    return withDatabase(config.database, async (own) => {
      const registry = spRegistry({ ...own, ...own.store, seal: sealFrom(config) });
      const added = await registry.add(entry, config.issuer);
      await context.audit({ command: "sp add", sp: added.issuer });
      return { json: added, text: `${describeSp(added)}\nstored in ${own.databaseName}` };
    });
  });
  addRecordCommands(sp, context);
}

const addRecordCommands = databaseCommands<CommandDatabase & { readonly registry: SpRegistry }>({
  open(sources, task) {
    const { database } = readSettings(sources, ["database"]);
    // No secret is needed: these commands neither seal nor open a client secret.
    return withDatabase(database, (own) =>
      task({ ...own, registry: spRegistry({ ...own, ...own.store, seal: null }) }),
    );
  },
  commands: [
    {
      usage: "list",
      about: "list client registrations at SPs, manual and automatic",
      async run({ registry, databaseName }) {
        const all = await registry.list();
        const none = `no registrations at SPs in ${databaseName}; most SPs need none`;
        return { json: all, text: all.map(inALine).join("\n") || none };
      },
    },
    {
      usage: "remove <issuer>",
      about: "remove the client registration at an SP; does not notify the SP",
      async run({ registry, audit }, { argument: issuer }) {
        const removed = await registry.remove(issuer);
        if (removed.length === 0) return null;
        await audit({ command: "sp remove", sp: issuer });
        const text = `removed ${issuer} (${removed.join(", ")})`;
        return { json: { issuer, removed }, text };
      },
    },
  ],
  missing: (issuer) => `no registration at ${JSON.stringify(issuer)}`,
});

/** Reads settings and entry. Rejects with one `OperatorError` for the mistakes of both. */
async function readAll(
  { argument: issuer, options, sources }: Call<AddOptions>,
  { terminal }: CommandContext,
) {
  const { clientSecretFile: file, allow = "" } = options;
  const mistakes: string[] = [];
  function attempt<T>(task: () => T): T | null {
    try {
      return task();
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      mistakes.push(error.message);
      return null;
    }
  }
  const secret = file === undefined ? { text: null } : await readSecret(file, terminal);
  // The issuer is part of the redirect URI, and decides which SPs are allowed.
  const keys = ["issuer", "database", "secret", "previous_secret"] as const;
  const config = attempt(() => withSecretFile(readSettings(sources, keys)));
  const input = {
    issuer,
    client_id: options.clientId,
    // A file that could not be read must not be reported as a missing secret as well.
    client_secret: "mistake" in secret ? "unread" : secret.text,
    token_endpoint_auth_method: options.tokenEndpointAuthMethod,
    allow: allow
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== ""),
  };
  const entry = attempt(() => readSpEntry(input, config?.issuer ?? null));
  if ("mistake" in secret) mistakes.push(secret.mistake);
  if (config !== null && entry !== null && mistakes.length === 0) return { config, entry };
  throw new OperatorError(mistakes.join("\n"));
}

/** The text without its final line break. */
async function readSecret(file: string, terminal: CommandContext["terminal"]) {
  const read = file === "-" ? { text: await terminal.readInput() } : readText(file);
  return "mistake" in read ? read : { text: read.text.replace(/\r?\n$/, "") };
}

function describeSp({ made_at, ...sp }: Listed): string {
  const allow = sp.allow.join(" ") || "nothing";
  return describe({ ...sp, allow, made_at: isoTime(made_at) });
}

function inALine({ issuer, source, client_id, allow }: Listed): string {
  return [issuer, source, client_id, ...(allow.length === 0 ? [] : [allow.join(",")])].join("  ");
}
