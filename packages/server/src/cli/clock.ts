// `domain-signin clock accept`: takes the present time as certain.

import type { Command } from "commander";
import { systemClock } from "../lib/clock.ts";
import { highWaterStore } from "../store/high-water.ts";
import { openDatabase, requireDatabase } from "../store/open.ts";
import { sqlOf } from "../store/rows.ts";
import { answer, type CommandContext, isoTime } from "./command-context.ts";
import { reportWait } from "./database.ts";
import { databaseCommand, type GivenOptions, settingsOf } from "./setting-options.ts";

export function addCommand(clock: Command, context: CommandContext): void {
  const about =
    "accept the present time (of PostgreSQL, or with SQLite of this machine) as certain, after the clock was wrong";
  databaseCommand(clock, "accept", about).action(
    context.action(async (options: GivenOptions) => {
      const { database } = settingsOf(options, context.terminal, ["database"]);
      requireDatabase(database);
      const { engine, ready } = openDatabase(database, { onWait: reportWait });
      try {
        await ready();
        const store = highWaterStore(sqlOf(engine));
        const { seconds: before } = await store.readHighWater();
        const nowMs = (await engine.now?.()) ?? systemClock.milliseconds();
        const now = Math.floor(nowMs / 1000);
        await store.acceptClock(now);
        await context.audit({ command: "clock accept", before, now });
        const json = { now, before };
        const text = `the certain time is now ${isoTime(now)}; before, it was ${isoTime(before)}`;
        return answer(context, options, { json, text });
      } finally {
        await engine.close();
      }
    }),
  );
}
