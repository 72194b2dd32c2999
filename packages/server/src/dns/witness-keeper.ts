// When the DNS root is asked for the time, and the newest of its signatures that was proven.

import { OLD_S } from "../lib/root-signatures.ts";
import type { TimeEvents } from "../telemetry/time-events.ts";
import type { RootLook, RootSignature } from "./root-witness.ts";

/** Between two looks. */
const INTERVAL_MS = 3_600_000;
/** After the first look without an answer; then twice as long each time. A laptop wakes before its network does. */
const RETRY_MS = 5000;
const LONGEST_RETRY_MS = 600_000;
/** So many looks without an answer, in half a minute, are no network that wakes up late. */
const UNWITNESSED_LOOKS = 4;

export type WitnessKeeper = ReturnType<typeof createWitnessKeeper>;

interface KeeperDeps {
  readonly monotonic: () => number;
  readonly events: TimeEvents;
}

/** `look` resolves to null if no source has proved a signature of the root. `monotonic` is in milliseconds. */
export function createWitnessKeeper(
  look: () => Promise<RootLook | null>,
  { monotonic, events }: KeeperDeps,
) {
  let newest: RootSignature | null = null;
  let unknownKeys: readonly number[] = [];
  let isFresh = false;
  let isSaid = false;
  let jumps = 0;
  let failures = 0;
  let dueAtMs = Number.NEGATIVE_INFINITY;
  let phase: "idle" | "asking" | "judging" = "idle";

  async function lookOnce(agrees: () => Promise<boolean>): Promise<void> {
    const before = jumps;
    let isSettled = false;
    try {
      const found = await look();
      // If the clock has jumped meanwhile, it says only that it is not earlier.
      if (jumps === before) isFresh = isFresh || found !== null;
      phase = "judging";
      if (found !== null) note(found);
      isSettled = found !== null && (await agrees());
    } finally {
      // If the clock has jumped meanwhile, the next look is due at once.
      if (jumps === before) later(isSettled);
    }
    if (newest !== null || isSaid || failures < UNWITNESSED_LOOKS) return;
    isSaid = true;
    events.clockUnwitnessed();
  }

  function later(isSettled: boolean): void {
    const retryMs = Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** failures);
    dueAtMs = monotonic() + (isSettled ? INTERVAL_MS : retryMs);
    failures = isSettled ? 0 : failures + 1;
  }

  function note(found: RootLook): void {
    if (newest === null || found.inception > newest.inception) newest = found;
    // What a resolver repeats of years ago lists the keys of that time.
    if (found.inception < newest.inception - OLD_S) return;
    const { unknownKeys: keyTags } = found;
    events.rootSeen({ unknownKeys: keyTags.length });
    if (keyTags.some((tag) => !unknownKeys.includes(tag))) events.rootKeyUnknown({ keyTags });
    unknownKeys = keyTags;
  }

  return {
    /** `isFresh`: a look after the start, and after the last jump, has found one. */
    newest: () => newest && { ...newest, isFresh },
    /** The tags of key-signing keys that the root lists, and that are no trust anchors. */
    unknownKeys: () => unknownKeys,
    /** What was found before says from now on only that it is not earlier. */
    noteJump(): void {
      jumps++;
      isFresh = false;
      failures = 0;
      dueAtMs = Number.NEGATIVE_INFINITY;
    },
    /** Whether what was found is out of date, because the next look is due and has no answer yet. */
    isDue: () => phase !== "judging" && monotonic() >= dueAtMs,
    /**
     * Looks at the root if that is due: an hour after the last answer with which the clock `agrees`. An answer that
     * contradicts the clock may be an old one of a cache, so the next look comes as soon as after none.
     */
    async seek(agrees: () => Promise<boolean>): Promise<void> {
      if (phase !== "idle" || monotonic() < dueAtMs) return;
      phase = "asking";
      try {
        await lookOnce(agrees);
      } finally {
        phase = "idle";
      }
    },
  };
}
