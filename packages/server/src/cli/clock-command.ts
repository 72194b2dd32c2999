// `domain-signin clock`: what is known of the time, and what an operator can say of it.

import type { Command } from "commander";
import type { SqlEngine } from "../database/engine.ts";
import { openDatabase, requireDatabase } from "../database/open.ts";
import { sqlOf } from "../database/rows.ts";
import { createRootWitness, isPublicRoot } from "../dns/root-witness.ts";
import { systemClock } from "../lib/clock.ts";
import { isoTime } from "../lib/iso-time.ts";
import { type FloorStore, floorStore } from "../store/floor.ts";
import { judge, reasonOf } from "../time/verdict.ts";
import { answer, type CommandContext, refuse, STATUS } from "./command-context.ts";
import { reportWait } from "./command-database.ts";
import {
  databaseCommand,
  type GivenOptions,
  settingOptions,
  settingsOf,
} from "./setting-options.ts";

export function addCommand(clock: Command, context: CommandContext): void {
  addShow(clock, context);
  const about =
    "take the present time (of PostgreSQL, or with SQLite of this machine) as the floor, in a network without a witness";
  const command = databaseCommand(clock, "accept", about);
  command.option("--force", "also if the DNS root has contradicted this clock");
  command.action(
    context.action(async (options: GivenOptions & { readonly force?: boolean }) => {
      const { database } = settingsOf(options, context.terminal, ["database"]);
      return withFloor(database, async (store, now) => {
        const { seconds: before, jumps, quietUntil, ran } = await store.readFloor();
        const isRefuted = jumps.some((jump) => jump.isRefuted);
        if (isRefuted && options.force !== true) return refuse(context, REFUTED(now));
        await store.acceptClock(now);
        await context.audit({ command: "clock accept", before, now });
        const quiet = quietUntil > ran;
        const changes = [
          `the floor is now ${isoTime(now)}; before, it was ${isoTime(before)}`,
          ...(now < before ? [TO_BE_VALID] : [TO_BE_DELETED]),
          ...(jumps.length > 0
            ? [`jumps of the clock that are believed now: ${jumps.length}`]
            : []),
          ...(quiet ? ["deletion goes on at once, not after seven days"] : []),
        ];
        const json = { now, before, jumps: jumps.length };
        return answer(context, options, { json, text: changes.join("\n") });
      });
    }),
  );
}

const REFUTED = (now: number) =>
  `the DNS root has contradicted this clock, which says ${isoTime(now)}: correct the clock. If the resolvers have shown old answers, and the clock is right, use --force`;
const TO_BE_VALID = "codes and tokens that expired between the two are valid again";
const TO_BE_DELETED = "what expired more than seven days before the new floor may be deleted now";

function addShow(clock: Command, context: CommandContext): void {
  const about =
    "show what proves the time: the clock, the floor, and the signatures of the DNS root";
  const command = clock.command("show").description(about).option("--json", "print JSON");
  settingOptions(command, ["database", "mark", "dns_servers", "trust_anchors"]).action(
    context.action(async (options: GivenOptions) => {
      const keys = ["database", "dns_servers", "trust_anchors"] as const;
      const settings = settingsOf(options, context.terminal, keys);
      const { trustAnchors } = settings;
      return withFloor(settings.database, async (store, now) => {
        const floor = await store.readFloor();
        const about = () => floor.seconds;
        const signature = await createRootWitness(settings.dnsServers, { trustAnchors, about })();
        const witness = signature && { ...signature, isFresh: true };
        const reading = {
          ...{ now, ran: floor.ran, witness, certainSince: null },
          hasPublicRoot: isPublicRoot(trustAnchors),
        };
        // The stop of the service is a jump itself, and the look at the root comes after it.
        const first = judge(floor, reading);
        const judged = judge({ ...first.floor, accepted: floor.accepted }, reading);
        const { verdict, isHeld } = judged;
        const json = {
          ...{ verdict, now, floor: floor.seconds, floor_lag: now - floor.seconds },
          root_signed_at: signature?.inception ?? null,
          unknown_root_keys: signature?.unknownKeys ?? [],
          ran: floor.ran,
          quiet_for: Math.max(0, floor.quietUntil - floor.ran),
          jumps: floor.jumps.map(({ isRefuted, ...jump }) => ({ ...jump, refuted: isRefuted })),
          ...(isHeld && { reason: reasonOf(judged, now, witness) }),
        };
        const status = answer(context, options, { json, text: describe(json) });
        return isHeld ? STATUS.no : status;
      });
    }),
  );
}

function describe(shown: {
  readonly verdict: string;
  readonly now: number;
  readonly floor: number;
  readonly floor_lag: number;
  readonly root_signed_at: number | null;
  readonly unknown_root_keys: readonly number[];
  readonly ran: number;
  readonly quiet_for: number;
  readonly jumps: readonly {
    readonly at: number;
    readonly seconds: number;
    readonly refuted: boolean;
  }[];
  readonly reason?: string;
}): string {
  const { root_signed_at: signed, unknown_root_keys: keys, jumps } = shown;
  return [
    `verdict    ${shown.verdict}${shown.reason === undefined ? "" : `: ${shown.reason}`}`,
    `clock      ${isoTime(shown.now)}`,
    `floor      ${isoTime(shown.floor)}, ${shown.floor_lag} s before the clock`,
    `DNS root   ${signed === null ? "no resolver showed a signature" : `signed at ${isoTime(signed)}`}`,
    `has run    ${Math.floor(shown.ran / 3600)} h`,
    ...jumps.map(
      ({ at, seconds, refuted }) =>
        `jump       of ${seconds} s, found at ${isoTime(at)}, ${refuted ? "contradicted by the DNS root" : "not believed yet"}`,
    ),
    ...(shown.quiet_for > 0
      ? [`quiet      nothing is deleted for another ${shown.quiet_for} s`]
      : []),
    ...(keys.length > 0
      ? [`root keys  ${keys.join(", ")}: no trust anchors. Update domain-signin`]
      : []),
  ].join("\n");
}

async function withFloor<T>(
  database: string,
  task: (store: FloorStore, now: number) => Promise<T>,
): Promise<T> {
  requireDatabase(database);
  const { engine, ready } = openDatabase(database, { onWait: reportWait });
  try {
    await ready();
    return await task(floorStore(sqlOf(engine)), await nowOf(engine));
  } finally {
    await engine.close();
  }
}

/** The time of the database, or of this machine. */
async function nowOf(engine: SqlEngine): Promise<number> {
  return Math.floor(((await engine.now?.()) ?? systemClock.milliseconds()) / 1000);
}
