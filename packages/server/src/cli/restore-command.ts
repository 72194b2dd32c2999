// `domain-signin restore`: puts a backup in the place of the database.

import type { Command } from "commander";
import { type Mark, writeMark } from "../backup/mark.ts";
import { restoreBackup } from "../backup/restore.ts";
import { finishRestore } from "../backup/restored.ts";
import { readKeysConfig } from "../config/config.ts";
import type { SqlEngine } from "../database/engine.ts";
import { sqlOf } from "../database/rows.ts";
import { type Clock, clockFrom, systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { floorStore } from "../store/floor.ts";
import { createStore } from "../store/store.ts";
import { sealFrom } from "./command-database.ts";
import { answeringCommand, type CommandContext } from "./command-frame.ts";
import { describeRestored, restoredView } from "./restored-command.ts";

export function addCommand(command: Command, context: CommandContext): void {
  answeringCommand(command, ["database", "mark"], context, async ({ sources, argument: file }) => {
    const config = readKeysConfig(sources);
    const { markPath } = config;
    const newMark: { mark?: Mark } = {};
    const lastStep = async (engine: SqlEngine) =>
      finishRestore({
        store: createStore(engine),
        clock: await clockFor(engine),
        random: systemRandom,
        seal: sealFrom(config),
        markPath,
        keepMark: async (mark) => {
          newMark.mark = mark;
        },
      });
    const now = new Date(systemClock.milliseconds());
    const restored = await restoreBackup(config.database, file, { lastStep, now });
    // Only now: until the last rename, the mark must be that of the former database.
    if (markPath !== null && newMark.mark) await writeMark(markPath, newMark.mark);
    const { database, previous, schema, rows } = restored;
    await context.audit({ command: "restore", file, previous });
    const text = [
      `${database} is restored from ${file}: schema ${schema}, ${rows.accounts} accounts, ${rows.grants} grants`,
      ...(previous === null ? [] : [`The former database is now ${previous}`]),
      describeRestored(restored.lastStep),
    ].join("\n");
    const json = { database, previous, schema, rows, restored: restoredView(restored.lastStep) };
    return { json, text };
  });
}

/** Never behind the times in the backup, which must count as older than the restore. */
async function clockFor(engine: SqlEngine): Promise<Clock> {
  const { seconds } = await floorStore(sqlOf(engine)).readFloor();
  return clockFrom(() => Math.max(systemClock.milliseconds(), seconds * 1000));
}
