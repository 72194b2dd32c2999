// `domain-signin clock`: what is known of the time, and what an operator can say of it.

import type { Command } from "commander";
import { type ReadValues, readSettings } from "../config/config.ts";
import { openDatabase, requireDatabase } from "../database/open.ts";
import { sqlOf } from "../database/rows.ts";
import { createRootWitness, isPublicRoot } from "../dns/root-witness.ts";
import { systemClock } from "../lib/clock.ts";
import { isoTime } from "../lib/iso-time.ts";
import { type FloorStore, floorStore } from "../store/floor.ts";
import { judge, reasonOf } from "../time/time-verdict.ts";
import { reportWait } from "./command-database.ts";
import {
  answerCall,
  type Call,
  type CommandAnswer,
  type CommandContext,
  databaseCommands,
  RefusalError,
  STATUS,
  settingOptions,
} from "./command-frame.ts";

export function addCommand(clock: Command, context: CommandContext): void {
  const show = clock
    .command("show")
    .description(
      "show what proves the time: the clock, the floor, and the signatures of the DNS root",
    )
    .option("--json", "print JSON");
  settingOptions(show, ["database", "mark", "dns_servers", "trust_anchors"]);
  answerCall(show, context, showTime);
  addAcceptCommand(clock, context);
}

const addAcceptCommand = databaseCommands<OpenFloor>({
  open: (sources, task) => withFloor(readSettings(sources, ["database"]).database, task),
  commands: [
    {
      usage: "accept",
      about:
        "take the present time (of PostgreSQL, or with SQLite of this machine) as the floor, in a network without a witness",
      configure: (command) =>
        command.option("--force", "also if the DNS root has contradicted this clock"),
      async run({ store, now, audit }, { options }) {
        const { seconds: before, jumps, quietUntil, ran } = await store.readFloor();
        const isRefuted = jumps.some((jump) => jump.isRefuted);
        if (isRefuted && options.force !== true) throw new RefusalError(REFUTED(now));
        await store.acceptClock(now);
        await audit({ command: "clock accept", before, now });
        const changes = [
          `the floor is now ${isoTime(now)}; before, it was ${isoTime(before)}`,
          now < before ? TO_BE_VALID : TO_BE_DELETED,
          jumps.length > 0 && `jumps of the clock that are believed now: ${jumps.length}`,
          quietUntil > ran && "deletion goes on at once, not after seven days",
        ];
        const text = changes.filter((change) => change !== false).join("\n");
        return { json: { now, before, jumps: jumps.length }, text };
      },
    },
  ],
});

const REFUTED = (now: number) =>
  `the DNS root has contradicted this clock, which says ${isoTime(now)}: correct the clock. If the resolvers have shown old answers, and the clock is right, use --force`;
const TO_BE_VALID = "codes and tokens that expired between the two are valid again";
const TO_BE_DELETED = "what expired more than seven days before the new floor may be deleted now";

async function showTime({ sources }: Call): Promise<CommandAnswer> {
  const settings = readSettings(sources, ["database", "dns_servers", "trust_anchors"]);
  return withFloor(settings.database, async (opened) => {
    const json = await timeView(opened, settings);
    const isHeld = json.reason !== undefined;
    return { json, text: describe(json), status: isHeld ? STATUS.no : STATUS.done };
  });
}

/** The JSON of `clock show`. Times are in epoch seconds. */
async function timeView(
  { store, now }: OpenFloor,
  { dnsServers, trustAnchors }: ReadValues<"dns_servers" | "trust_anchors">,
) {
  const floor = await store.readFloor();
  const about = () => floor.seconds;
  const signature = await createRootWitness(dnsServers, { trustAnchors, about })();
  const witness = signature && { ...signature, isFresh: true };
  const hasPublicRoot = isPublicRoot(trustAnchors);
  const reading = { now, ran: floor.ran, witness, certainSince: null, hasPublicRoot };
  // The stop of the service is a jump itself, and the look at the root comes after it.
  const first = judge(floor, reading);
  const judged = judge({ ...first.floor, accepted: floor.accepted }, reading);
  return {
    verdict: judged.verdict,
    now,
    floor: floor.seconds,
    floor_lag: now - floor.seconds,
    root_signed_at: signature?.inception ?? null,
    unknown_root_keys: signature?.unknownKeys ?? [],
    ran: floor.ran,
    quiet_for: Math.max(0, floor.quietUntil - floor.ran),
    jumps: floor.jumps.map(({ isRefuted, ...jump }) => ({ ...jump, refuted: isRefuted })),
    ...(judged.isHeld && { reason: reasonOf(judged, now, witness) }),
  };
}

function describe(time: Awaited<ReturnType<typeof timeView>>): string {
  const { root_signed_at: signed, unknown_root_keys: keys, jumps, reason } = time;
  return [
    `verdict    ${time.verdict}${reason === undefined ? "" : `: ${reason}`}`,
    `clock      ${isoTime(time.now)}`,
    `floor      ${isoTime(time.floor)}, ${time.floor_lag} s before the clock`,
    `DNS root   ${signed === null ? "no resolver showed a signature" : `signed at ${isoTime(signed)}`}`,
    `has run    ${Math.floor(time.ran / 3600)} h`,
    ...jumps.map(
      ({ at, seconds, refuted }) =>
        `jump       of ${seconds} s, found at ${isoTime(at)}, ${refuted ? "contradicted by the DNS root" : "not believed yet"}`,
    ),
    ...(time.quiet_for > 0
      ? [`quiet      nothing is deleted for another ${time.quiet_for} s`]
      : []),
    ...(keys.length > 0
      ? [`root keys  ${keys.join(", ")}: no trust anchors. Update domain-signin`]
      : []),
  ].join("\n");
}

interface OpenFloor {
  readonly store: FloorStore;
  /** The time of the database, or of this machine. */
  readonly now: number;
}

async function withFloor<T>(database: string, task: (floor: OpenFloor) => Promise<T>): Promise<T> {
  requireDatabase(database);
  const { engine, ready } = openDatabase(database, { onWait: reportWait });
  try {
    await ready();
    const nowMs = (await engine.now?.()) ?? systemClock.milliseconds();
    return await task({ store: floorStore(sqlOf(engine)), now: Math.floor(nowMs / 1000) });
  } finally {
    await engine.close();
  }
}
