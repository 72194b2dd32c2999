// Domains that were signed recently: an insecure answer is refused until two looks, a day apart, confirm it.

import type { Pause } from "../lib/background.ts";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { isMisdated } from "../lib/lifetime.ts";
import { withinOwnTime } from "../lib/own-time.ts";
import { within } from "../lib/within.ts";
import type { SecureDomain, SecureDomainStore } from "../store/remembered.ts";
import { SECURE_REMEMBERED_S } from "../store/shared-values.ts";
import type { Validator } from "./validator.ts";

export type SignedBefore = ReturnType<typeof createSignedBefore>;

type Prover = Pick<Validator, "isInsecure">;

interface Deps {
  readonly store: SecureDomainStore;
  readonly clock: Clock;
  /** One for each configured resolver. */
  readonly validators: readonly Prover[];
}

const RELEASED_AFTER_S = 86_400;
/** A secure answer is noted again after this time, so that most looks write nothing. */
const NOTED_EVERY_S = 3600;
const MAX_NOTED = 10_000;
/** Between two domains. Limits the background job to a few dozen packets a second. */
const PAUSE_MS = 100;
const PAGES_PER_RUN = 10;
const MAX_RUN_S = 1800;
const PROOFS_NEEDED = 2;
/** A user waits, after a look that may have taken 1.7 seconds. */
const PROOF_TIMEOUT_MS = 800;
/** The same for a set-up, in own time: on a slow machine, a record without keys would be shown for a signed zone. */
const SET_UP_PROOF_MS = 2000;

/** Whether the zone is proven to be signed. One proof is enough: it does not depend on who passed it on. */
export async function isProvenSecure(zone: string, validators: readonly Prover[]) {
  const proofs = validators.map(({ isInsecure }) =>
    withinOwnTime(SET_UP_PROOF_MS, isInsecure(zone)),
  );
  return (await Promise.all(proofs)).includes(false);
}

/** Whether at least two resolvers prove that the zone has no DS record, and none proves one. */
export async function isProvenInsecure(zone: string, validators: readonly Prover[]) {
  const results = await Promise.all(
    validators.map(({ isInsecure }) => within(PROOF_TIMEOUT_MS, isInsecure(zone))),
  );
  const proofs = results.filter((one) => one === true).length;
  return proofs >= Math.min(PROOFS_NEEDED, validators.length) && !results.includes(false);
}

export function createSignedBefore({ store, clock, validators }: Deps) {
  const noted = createCache<true>({ clock, maxEntries: MAX_NOTED });
  /** Where `lookAgain` has arrived; null at the start. */
  let reached: SecureDomain | null = null;

  /**
   * Whether an insecure answer may be accepted: the domain was not seen signed for 30 days, or twice, a day apart, at
   * least two resolvers proved that it has no DS record, and none proved one.
   */
  async function mayBeInsecure(known: SecureDomain | null): Promise<boolean> {
    const now = clock.seconds();
    if (known === null) return true;
    const { domain, secureAt } = known;
    // By the proven time: a clock that is ahead must not shorten the 30 days.
    const proven = clock.floor();
    if (secureAt <= proven - SECURE_REMEMBERED_S) return true;
    // For an hour, a newer secure answer might not be noted. A time in the future was dated by a wrong clock.
    if (secureAt > proven - NOTED_EVERY_S && !isMisdated(secureAt, now)) return false;
    if (!(await isProvenInsecure(domain, validators))) return false;
    await store.noteUnsigned(domain, now);
    return store.releaseSecureDomain(domain, proven - RELEASED_AFTER_S);
  }

  return {
    mayBeInsecure,

    /** A secure answer for the domain was seen. */
    async note(domain: string): Promise<void> {
      if (noted.get(domain)) return;
      await store.noteSecure(domain, clock.seconds());
      noted.set(domain, true, NOTED_EVERY_S * 1000);
    },

    /** Epoch seconds: when the second look is due; null if no first look has confirmed it. */
    async secondLookAt(domain: string): Promise<number | null> {
      const unsignedAt = (await store.findSecureDomain(domain))?.unsignedAt ?? null;
      return unsignedAt && unsignedAt + RELEASED_AFTER_S;
    },

    /** The second look at at most 2000 domains for which it is due, for half an hour. The next run continues. */
    async lookAgain(pause: Pause): Promise<void> {
      const end = clock.seconds() + MAX_RUN_S;
      for (let page = 0; page < PAGES_PER_RUN; page++) {
        const due = await store.unsignedSince(clock.seconds() - RELEASED_AFTER_S, reached);
        if (due.length === 0) {
          reached = null;
          return;
        }
        for (const one of due) {
          if (clock.seconds() >= end) return;
          reached = one;
          await mayBeInsecure(await store.findSecureDomain(one.domain));
          await pause(PAUSE_MS);
        }
      }
    },
  };
}
