// `domain-signin keys`: lists and rotates the keys of the service.

import { type Command, Option } from "commander";
import { readKeysConfig } from "../config/config.ts";
import { type KeyRegistry, keyRegistry, type ListedKey } from "../keys/key-registry.ts";
import { SIGNING_PURPOSES } from "../keys/stored-keys.ts";
import { answer, type CommandContext, isoTime, refuse, type Status } from "./command-context.ts";
import { sealFrom, withDatabase } from "./database.ts";
import { databaseCommand, type GivenOptions, sourcesOf } from "./setting-options.ts";

type Purpose = Parameters<KeyRegistry["rotate"]>[0];
type Outcome = Awaited<ReturnType<KeyRegistry["rotate"]>>["outcome"];

const PURPOSES = [...Object.keys(SIGNING_PURPOSES), "grant-token"];

export function addCommand(keys: Command, context: CommandContext): void {
  const aboutList = "list the keys and their states; shows kid only if the secret is set";
  databaseCommand(keys, "list", aboutList).action(
    context.action((options: GivenOptions) =>
      withRegistry(options, context, async (registry, databaseName) => {
        const all = await registry.list();
        const none = `no keys in ${databaseName}: the service creates them on its first start`;
        return answer(context, options, { json: all, text: all.map(describe).join("\n") || none });
      }),
    ),
  );

  const aboutRotate = "add the next key, which becomes current one day later; requires the secret";
  databaseCommand(keys, "rotate", aboutRotate)
    .addOption(
      new Option("--purpose <purpose>", "purpose of the key (default: es256)").choices(PURPOSES),
    )
    .action(
      context.action((options: GivenOptions & { purpose?: Purpose }) =>
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

const REFUSALS: Record<Exclude<Outcome, "rotated">, (purpose: Purpose) => string> = {
  has_next: (purpose) =>
    `${purpose} already has a next key; rotate again when it is current (see domain-signin keys list)`,
  no_keys: (purpose) =>
    `there is no key for ${purpose} yet: the service creates it on its first start`,
  ids_used_up: (purpose) =>
    `${purpose} cannot be rotated again: all 255 key ids are used (a key id is one octet and is never reused)`,
};

async function withRegistry(
  options: GivenOptions,
  { terminal }: CommandContext,
  task: (registry: KeyRegistry, databaseName: string) => Promise<Status>,
): Promise<Status> {
  const config = readKeysConfig(sourcesOf(options, terminal));
  const seal = sealFrom(config);
  return withDatabase(config.database, (own) => task(keyRegistry({ ...own, seal }), own.name));
}

function describe(key: ListedKey): string {
  const { purpose, id, kid, state, current_from, published_until } = key;
  return [
    purpose,
    String(id),
    state,
    current_from === 0 ? "current from the start" : `current from ${isoTime(current_from)}`,
    ...(published_until === null ? [] : [`published until ${isoTime(published_until)}`]),
    ...(kid === null ? [] : [`kid ${kid}`]),
  ].join("  ");
}
