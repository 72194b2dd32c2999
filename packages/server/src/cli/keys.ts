// `domain-signin keys`: the service's own keys on the command line.

import { type Command, Option } from "commander";
import { readKeysConfig } from "../config/config.ts";
import { type KeyRegistry, keyRegistry, type ListedKey } from "../keys/key-registry.ts";
import { answer, type CommandContext, isoTime, refuse } from "./command-context.ts";
import { sealFrom, withDatabase } from "./database.ts";
import type { Status } from "./exit-status.ts";
import { settingOptions, sourcesOf } from "./setting-options.ts";

type Shared = { json?: boolean };
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
      .description("list the keys: which are next, current and retired; the secret adds the kid"),
  ).action(
    context.action((options: Shared) =>
      withRegistry(options, context, async (registry, databaseName) => {
        const all = await registry.list();
        const none = `no keys yet in ${databaseName}: the first start of the service makes them`;
        return answer(context, options, { json: all, text: all.map(describe).join("\n") || none });
      }),
    ),
  );

  shared(
    keys
      .command("rotate")
      .description("add the next key, which is current from a day later on; needs the secret"),
  )
    .addOption(
      new Option("--purpose <purpose>", "what the key is for (default: es256)").choices(PURPOSES),
    )
    .action(
      context.action((options: Shared & { purpose?: Purpose }) =>
        withRegistry(options, context, async (registry) => {
          const purpose = options.purpose ?? "es256";
          const { outcome } = await registry.rotate(purpose);
          if (outcome !== "rotated") return refuse(context, WHY[outcome](purpose));
          const rotated = (await registry.list()).filter((key) => key.purpose === purpose);
          const text = `${rotated.map(describe).join("\n")}\n${SOON}`;
          return answer(context, options, { json: rotated, text });
        }),
      ),
    );
}

const SOON = "Running services know the next key within a minute.";

const WHY: Record<Refused, (purpose: Purpose) => string> = {
  has_next: (purpose) =>
    `${purpose} has a next key already: rotate again once it is current (domain-signin keys list)`,
  no_keys: (purpose) =>
    `there is no key for ${purpose} yet: the first start of the service makes it`,
  ids_used_up: (purpose) =>
    `${purpose} was rotated 254 times: its key ids are one octet, none can be used again, and all are taken`,
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
