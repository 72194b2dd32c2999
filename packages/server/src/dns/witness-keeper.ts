// When the DNS root is asked for the time, and the newest of its signatures that was proven.

import { OLD_S } from "../lib/root-signatures.ts";
import type { TimeEvents } from "../telemetry/time-events.ts";
import type { RootLook, RootSignature } from "./root-witness.ts";

const INTERVAL_MS = 3_600_000;
/** After the first look without an answer; then twice as long each time. A laptop wakes before its network does. */
const RETRY_MS = 5000;
const LONGEST_RETRY_MS = 600_000;
/** So many looks without an answer, in half a minute, are no network that wakes up late. */
const UNWITNESSED_LOOKS = 4;

export type WitnessKeeper = ReturnType<typeof createWitnessKeeper>;

/** `look` resolves to null if no source has proved a signature of the root. `monotonic` is in milliseconds. */
export function createWitnessKeeper(
  look: () => Promise<RootLook | null>,
  { monotonic, events }: { readonly monotonic: () => number; readonly events: TimeEvents },
) {
  let newest: RootSignature | null = null;
  let unknownKeys: readonly number[] = [];
  let isFresh = false;
  let isSaid = false;
  let jumps = 0;
  let failures = 0;
  let dueAtMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;
  /** The number of jumps at which the last look began that is over. */
  let askedAt = -1;

  async function lookOnce(agrees: () => Promise<boolean>): Promise<void> {
    const before = jumps;
    let isSettled = false;
    try {
      const root = await look();
      // If the clock has jumped meanwhile, it says only that it is not earlier.
      if (jumps === before) isFresh = isFresh || root !== null;
      if (root !== null) {
        if (newest === null || root.inception > newest.inception) newest = root;
        // What a resolver repeats of years ago lists the keys of that time.
        if (root.inception >= newest.inception - OLD_S) noteKeys(root.unknownKeys);
      }
      isSettled = root !== null && (await agrees());
    } finally {
      askedAt = before;
      // If the clock has jumped meanwhile, the next look is due at once.
      if (jumps === before) later(isSettled);
    }
    if (newest !== null || isSaid || failures < UNWITNESSED_LOOKS) return;
    isSaid = true;
    events.clockUnwitnessed();
  }

  /** Reports each key once. */
  function noteKeys(keyTags: readonly number[]): void {
    events.rootSeen({ unknownKeys: keyTags.length });
    if (keyTags.some((tag) => !unknownKeys.includes(tag))) events.rootKeyUnknown({ keyTags });
    unknownKeys = keyTags;
  }

  function later(isSettled: boolean): void {
    const retryMs = Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** failures);
    dueAtMs = monotonic() + (isSettled ? INTERVAL_MS : retryMs);
    failures = isSettled ? 0 : failures + 1;
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
    /** Whether no look is over that began after the start and the last jump. */
    isUnasked: () => askedAt !== jumps,
    /**
     * Looks at the root if that is due: an hour after the last answer with which the clock `agrees`. An answer that
     * contradicts the clock may be an old one of a cache, so it counts like none. Callers share one look.
     */
    seek(agrees: () => Promise<boolean>): Promise<void> {
      if (looking === null && monotonic() >= dueAtMs) {
        looking = lookOnce(agrees).finally(() => {
          looking = null;
        });
      }
      return looking ?? Promise.resolve();
    },
  };
}
