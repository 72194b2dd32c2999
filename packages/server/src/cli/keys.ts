// `domain-signin keys`: lists and rotates the keys of the service.

import { type Command, Option } from "commander";
import { readKeysConfig } from "../config/config.ts";
import { type KeyRegistry, keyRegistry, type ListedKey } from "../keys/key-registry.ts";
import { answer, type CommandContext, isoTime, refuse } from "./command-context.ts";
import { sealFrom, withDatabase } from "./database.ts";
import type { Status } from "./exit-status.ts";
import { settingOptions, sourcesOf } from "./setting-options.ts";

interface Shared {
  json?: boolean;
}
type Purpose = Parameters<KeyRegistry["rotate"]>[0];
type Refused = Exclude<
  Awaited<ReturnType<KeyRegistry["rotate"]>>,
  { outcome: "rotated" }
>["outcome"];

const PURPOSES: readonly Purpose[] = [
  "es256",
  "rs256",
  "eddsa",
  "client-assertion",
  "owner-statement",
  "grant-token",
];

export function addKeysCommands(keys: Command, context: CommandContext): void {
  shared(
    keys
      .command("list")
      .description("list the keys and their states; shows kid only if the secret is set"),
  ).action(
    context.action((options: Shared) =>
      withRegistry(options, context, async (registry, databaseName) => {
        const all = await registry.list();
        const none = `no keys in ${databaseName}: the service creates them on its first start`;
        return answer(context, options, { json: all, text: all.map(describe).join("\n") || none });
      }),
    ),
  );

  shared(
    keys
      .command("rotate")
      .description("add the next key, which becomes current one day later; requires the secret"),
  )
    .addOption(
      new Option("--purpose <purpose>", "purpose of the key (default: es256)").choices(PURPOSES),
    )
    .action(
      context.action((options: Shared & { purpose?: Purpose }) =>
        withRegistry(options, context, async (registry) => {
          const purpose = options.purpose ?? "es256";
          const { outcome } = await registry.rotate(purpose);
          if (outcome !== "rotated") return refuse(context, REFUSALS[outcome](purpose));
          const rotated = (await registry.list()).filter((key) => key.purpose === purpose);
          const text = `${rotated.map(describe).join("\n")}\n${NOTE}`;
          return answer(context, options, { json: rotated, text });
        }),
      ),
    );
}

const NOTE = "Running services load the next key within a minute.";

const REFUSALS: Record<Refused, (purpose: Purpose) => string> = {
  has_next: (purpose) =>
    `${purpose} already has a next key; rotate again when it is current (see domain-signin keys list)`,
  no_keys: (purpose) =>
    `there is no key for ${purpose} yet: the service creates it on its first start`,
  ids_used_up: (purpose) =>
    `${purpose} cannot be rotated again: all 255 key ids are used (a key id is one octet and is never reused)`,
};

function shared(command: Command): Command {
  return settingOptions(command, ["database"]).option("--json", "print JSON");
}

async function withRegistry(
  options: Shared,
  { terminal }: CommandContext,
  task: (registry: KeyRegistry, databaseName: string) => Promise<Status>,
): Promise<Status> {
  const config = readKeysConfig(sourcesOf(options, terminal));
  return withDatabase(config.database, (database) =>
    task(keyRegistry({ ...database, seal: sealFrom(config) }), database.name),
  );
}

function describe(key: ListedKey): string {
  const { purpose, id, kid, state, current_from, published_until } = key;
  return [
    ...[purpose, String(id), state],
    current_from === 0 ? "current from the start" : `current from ${isoTime(current_from)}`,
    ...(published_until === null ? [] : [`published until ${isoTime(published_until)}`]),
    ...(kid === null ? [] : [`kid ${kid}`]),
  ].join("  ");
}
