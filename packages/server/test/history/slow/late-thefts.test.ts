// Thefts beside late retries: what an honest app may send late gives a thief nothing.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Kind } from "../late/app.ts";
import { flushOnce } from "../late/faults.ts";
import { expectRefused, nonceIn, type Probe, probeOf, successorOf } from "../late/probes.ts";
import { slowDiskTests } from "../late/slow-disk.ts";
import { type FileWorld, startFileWorld } from "../late/world.ts";

const GRANTS = 40;
const [MINUTE_S, HOUR_S, DAY_S] = [60, 3600, 86_400];
/** Past the 30 s in which any app may send a token again. */
const PAST_RETRIES_S = 40;
/** Longer than the service waits for what it has handed over. */
const GIVEN_UP_MS = 40_000;
/** A client that waits for so long while a flush takes that long closes its connection before the answer. */
const [PATIENCE_MS, SLOW_FLUSH_MS] = [4000, 7000];
/** To have all requests in one flush. */
const ATTEMPTS = 3;
const KINDS: readonly Kind[] = ["public", "confidential"];

slowDiskTests("thefts beside late retries", () => {
  let world: FileWorld;
  beforeAll(async () => {
    world = await startFileWorld({ grants: GRANTS });
  });
  afterAll(() => world.close());

  const probe = (kind: Kind): Probe => probeOf(world, world.take(kind));

  test.each([
    { when: "at once", flushMs: 0 },
    { when: "while the disk flushes", flushMs: 300 },
  ])(
    "a thief of a public client's token who resets his connections $when gains no late retry",
    async ({ flushMs }) => {
      const { disk } = world;
      const about = probe("public");
      let token = await about.redeemed();
      disk.delay(flushMs);
      const moment = flushMs === 0 ? async () => {} : disk.flushing;
      for (let round = 0; round < 3; round++) {
        await about.refreshAndReset(token, moment);
        // The app comes within 30 s, and gets the successor that the thief has not read.
        token = successorOf(await about.refresh(token));
      }
      await about.refreshAndReset(token, moment);
      disk.delay(0);
      await about.age(PAST_RETRIES_S);
      // Whether the app or the thief sends it, this is a second use.
      await expectRefused(about, await about.refresh(token), { revoked: true });
    },
  );

  test("a public client that closes its connection when the answer is seconds late may come back late", async () => {
    const about = probe("public");
    const token = await about.redeemed();
    world.disk.delay(SLOW_FLUSH_MS);
    await about.refreshAndReset(token, () => sleep(PATIENCE_MS));
    world.disk.delay(0);
    await about.age(9 * MINUTE_S);
    successorOf(await about.refresh(token));
  });

  test("an app and a thief in step with the same secret: when one uses the successor, the other is refused and the grant is revoked", async () => {
    const about = probe("confidential");
    const first = await about.redeemed();
    const second = successorOf(await about.refresh(first));
    // Neither knows of the other as long as the successor is unused.
    for (const seconds of [10, HOUR_S, DAY_S / 2]) {
      await about.age(seconds);
      expect(successorOf(await about.refresh(first))).toBe(second);
    }
    const third = successorOf(await about.refresh(second));
    await expectRefused(about, await about.refresh(first), { revoked: true });
    await expectRefused(about, await about.refresh(third), { revoked: true });
  });

  test("a client that only presents the token before the last extends nothing, and gets no token when its domain may be sold", async () => {
    const about = probe("confidential");
    const first = await about.redeemed();
    const second = successorOf(await about.refresh(first));
    await about.age(HOUR_S, { withControl: true });
    const before = await about.row();
    expect(successorOf(await about.refresh(first))).toBe(second);
    expect(await about.row()).toEqual(before);
    // The last look at DNS is 73 hours old, and DNS is dead.
    await about.age(72 * HOUR_S, { withControl: true });
    const aged = await about.row();
    for (let time = 0; time < 2; time++) {
      const { status, body } = await about.refresh(first);
      expect([status, JSON.parse(body).error]).toEqual([503, "temporarily_unavailable"]);
    }
    expect(await about.row()).toEqual(aged);
    await about.age(27 * DAY_S, { withControl: true });
    await expectRefused(about, await about.refresh(first), { revoked: false });
    await expectRefused(about, await about.refresh(second), { revoked: false });
  });

  test.each(KINDS)(
    "a %s client's code that was delivered is presented again after a minute, and the grant is revoked",
    async (kind) => {
      const about = probe(kind);
      const token = await about.redeemed();
      await about.age(MINUTE_S);
      await expectRefused(about, await about.code(), { revoked: true });
      await expectRefused(about, await about.refresh(token), { revoked: true });
    },
  );

  const refreshing = async (kind: Kind) => {
    const about = probe(kind);
    const token = await about.redeemed();
    return { ...about, again: () => about.refresh(token) };
  };

  /** Requests that the service has given up, and that the disk has after all. */
  async function giveUp() {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const codes = KINDS.map(probe);
      const expired = probe("public");
      const [once, twice] = [await refreshing("public"), await refreshing("public")];
      const [secret, other] = [await refreshing("confidential"), await refreshing("public")];
      let sent: Promise<{ status: number }[]> = Promise.resolve([]);
      let occupying: Promise<unknown> = Promise.resolve();
      const send = () => {
        const redeemed = [...codes, expired].map((about) => about.code());
        sent = Promise.all([...redeemed, once.again(), twice.again(), secret.again()]);
      };
      await flushOnce(world, GIVEN_UP_MS, send, () => {
        occupying = other.again();
      });
      await occupying;
      expect((await sent).map(({ status }) => status)).toEqual(Array(6).fill(503));
      const all = [...codes, expired, once, twice, secret];
      const rows = await Promise.all(all.map((about) => about.row()));
      const generations = rows.map(({ generation }) => generation).join();
      if (generations === "1,1,1,2,2,2") return { codes, expired, once, twice, secret };
      // A checkpoint came in between, so that not all was handed over before the long flush.
      console.log(`not all was given up: generations ${generations}`);
    }
    throw new Error("the service did not hand over all of the requests");
  }

  test("what was given up is delivered once more, and what comes after that is refused", {
    timeout: 200_000,
  }, async () => {
    const { codes, expired, once, twice, secret } = await giveUp();
    // What was given up is stored, and not only known to the process.
    await world.restart();

    for (const about of codes) {
      await about.age(9 * MINUTE_S, { codeExpiresAt: Date.now() / 1000 + MINUTE_S });
      await expectRefused(about, await about.codeWithAnotherVerifier(), { revoked: false });
      const redeemed = await about.code();
      const token = successorOf(redeemed);
      expect(nonceIn(redeemed)).toBe("a nonce");
      // At once, and later than any double submit.
      await expectRefused(about, await about.code(), { revoked: false });
      await about.age(PAST_RETRIES_S, { codeExpiresAt: Date.now() / 1000 + 10 });
      await expectRefused(about, await about.code(), { revoked: false });
      successorOf(await about.refresh(token));
    }

    await expired.age(11 * MINUTE_S, { codeExpiresAt: Date.now() / 1000 - MINUTE_S });
    await expectRefused(expired, await expired.code(), { revoked: false });

    await Promise.all([once, twice, secret].map((about) => about.age(23 * HOUR_S)));
    const successor = successorOf(await once.again());
    await once.age(10);
    expect(successorOf(await once.again())).toBe(successor);
    successorOf(await once.refresh(successor));

    successorOf(await twice.again());
    await twice.age(PAST_RETRIES_S);
    await expectRefused(twice, await twice.again(), { revoked: true });

    for (let time = 0; time < 2; time++) {
      successorOf(await secret.again());
      await secret.age(PAST_RETRIES_S);
    }
  });
});
