// `domain-signin restored`: the last step of every restore.

import type { Command } from "commander";
import { finishRestore, type Restored, type Undetermined } from "../backup/restored.ts";
import { readKeysConfig } from "../config/config.ts";
import { type CommandDatabase, sealFrom, withReadyDatabase } from "./command-database.ts";
import { answeringCommand, type CommandContext } from "./command-frame.ts";

export function addCommand(command: Command, context: CommandContext): void {
  answeringCommand(command, ["database", "mark"], context, async ({ sources }) => {
    const config = readKeysConfig(sources);
    const { database, markPath } = config;
    const finish = (own: CommandDatabase) =>
      finishRestore({ ...own, seal: sealFrom(config), markPath });
    const restored = await withReadyDatabase(database, finish, { alone: true });
    const { databaseId, undetermined } = restored;
    await context.audit({ command: "restored", database: databaseId, undetermined });
    return { json: restoredView(restored), text: describeRestored(restored) };
  });
}

/** The JSON of `restored`. Times are in epoch seconds. */
export function restoredView({ databaseId, restoredAt, ended, endedKeys, ...restored }: Restored) {
  return {
    database: databaseId,
    restored_at: restoredAt,
    ended,
    ended_keys: endedKeys,
    ended_secrets: restored.endedSecrets,
    undetermined: restored.undetermined,
  };
}

const UNDETERMINED: Record<Undetermined, string> = {
  no_mark:
    "There is no mark file, so keys and client secrets that were ended after the backup may be valid again: end them again.",
  other_mark:
    "The mark file belonged to another database, so keys and client secrets that were ended after the backup may be valid again: end them again.",
  old_mark:
    "The mark file is older than the backup, so keys and client secrets that were ended after the mark was written may be valid again: end them again.",
};

export function describeRestored({ databaseId, ended, undetermined, ...again }: Restored): string {
  const { grants, sessions, interactions, consents, accounts } = ended;
  return [
    `database ${databaseId} is restored: users must sign in again, and keep their accounts`,
    `ended ${grants} grants, ${sessions} sessions, ${interactions} sign-ins in progress and ${consents} consents`,
    `the records of ${accounts} accounts will be checked`,
    `ended again: ${again.endedKeys} keys, ${again.endedSecrets} client secrets`,
    ...undetermined.map((one) => UNDETERMINED[one]),
  ].join("\n");
}
