// DNS that is slow or silent: whoever waits for it is told within three seconds.

import { expect, test } from "vitest";
import { PLACES, type Stage, startStage } from "../support/bad-dns.ts";
import { ANSWERS, type Cause } from "../support/bad-dns-answers.ts";
import { fixture } from "../support/fixture.ts";
import type { Misbehaviour } from "../support/hostile-dns.ts";
import { startRoundTrips } from "../support/round-trip.ts";

const PROMISED_MS = 3000;

/** What may have to be waited for at different points. For all others see `src/dns/looks.test.ts`. */
const CASES: readonly (readonly [cause: Cause, ...resolvers: readonly Misbehaviour[]])[] = [
  ["indeterminate", "is silent"],
  ["indeterminate", "drips over TCP"],
  ["indeterminate", "has a slow chain of aliases"],
  ["indeterminate", "is silent", "is silent", "is silent"],
  ["bogus", "answers SERVFAIL for DNSSEC", "is silent", "is silent"],
  ["unconfirmed", "is silent", "is silent", "is well"],
  ["none", "is silent", "is well", "is well"],
  ["none", "is slow by 0.5 s"],
];

const trips = fixture(startRoundTrips);

async function onStage(resolvers: number, act: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await startStage(resolvers);
  try {
    await act(stage);
  } finally {
    await stage.close();
  }
}

// What a stalled machine lets time out is well the second time; what is wrong is wrong twice.
const options = { retry: 1 };

test.each(CASES.map(([cause, ...resolvers]) => [resolvers.join(", "), cause, resolvers] as const))(
  "DNS that %s: the cause is %s, and it is told in 3 s at every place",
  options,
  async (_, cause, resolvers) => {
    await onStage(resolvers.length, async (stage) => {
      // What was seen while all was got ready is not remembered any more.
      stage.at.advance(10);
      stage.behave(...resolvers);
      const told = await Promise.all(
        PLACES.map(async (place) => ({ place, ...(await stage.try(place)) })),
      );
      const wrong = told.filter(
        ({ place, words, milliseconds, hasWayBack }) =>
          !new RegExp(`^${ANSWERS[cause][place]}`).test(words) ||
          milliseconds > trips.limit(PROMISED_MS) ||
          !hasWayBack,
      );
      expect(wrong).toEqual([]);
      stage.behave();
      stage.at.advance(10);
      for (const place of PLACES) expect([place, await stage.finish(place)]).toEqual([place, true]);
    });
  },
);

test(
  "a challenge that is there is seen in 3 s, though one resolver of three is silent",
  options,
  async () => {
    await onStage(3, async (stage) => {
      stage.publish("its answer");
      stage.behave("is silent");
      const { words, milliseconds } = await stage.try("its answer");
      expect(words).toBe("to the app: a code");
      expect(milliseconds).toBeLessThan(trips.limit(PROMISED_MS));
    });
  },
);
