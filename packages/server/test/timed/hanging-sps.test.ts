// A federated sign-in takes no longer while SPs of others hang, and junk callbacks ask for them all the time.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { BentSp, Reply } from "../support/bent-sp.ts";
import { codeOf, domainAt, startFederatedWorld, visit } from "../support/federated.ts";
import { fixture } from "../support/fixture.ts";
import { attack, beginJunk, startHangingSps } from "../support/hanging-sps.ts";

const world = fixture(() => {
  // An address of its own for each request: one address may cause only so many.
  let requests = 0;
  const clientAddress = () => `203.0.${++requests % 250}.${Math.floor(requests / 250) % 250}`;
  return startFederatedWorld({ clientAddress });
});

const HANGING = 16;
const JUNK_PER_MINUTE = 768;
/** More than are sent in the 5 s after which a request to a hanging SP ends. */
const BEGUN = 80;
const MAX_RATIO = 1.5;
const SIGN_INS = 25;
/** A stalled machine makes one round slower, but hardly all of them. */
const ROUNDS = 4;
/** Until the first requests to hanging SPs have ended. */
const WARM_UP_MS = 6000;

test(`with ${HANGING} hanging SPs and ${JUNK_PER_MINUTE} junk callbacks a minute, a sign-in takes at most ${MAX_RATIO} times as long, and one at a new SP succeeds`, {
  timeout: 300_000,
}, async () => {
  const known = await world.sp();
  const sps = await startHangingSps(world, HANGING);
  const junk = await beginJunk(world, sps, BEGUN);

  /** The median of a sign-in at the known SP meanwhile. */
  async function attackedMs(): Promise<number> {
    const attacking = attack(world, junk, JUNK_PER_MINUTE);
    await sleep(WARM_UP_MS);
    const median = await medianOf(known);
    codeOf(await visit(world, domainAt(world, await world.sp())));
    expect(await attacking.stop()).toBeGreaterThan(BEGUN / 2);
    return median;
  }

  /** How much longer it takes; on a machine on which the callbacks alone cost as much, with SPs that respond, how much longer than that. */
  async function ratio(): Promise<number> {
    const calm = await medianOf(known);
    respondWith(sps, null);
    const hanging = await attackedMs();
    console.log(`a sign-in took ${calm.toFixed()} ms, and ${hanging.toFixed()} ms meanwhile`);
    if (hanging / calm <= MAX_RATIO) return hanging / calm;
    respondWith(sps, { status: 400, body: { error: "invalid_grant" } });
    const control = await attackedMs();
    console.log(`and ${control.toFixed()} ms meanwhile if the SPs respond`);
    return hanging / control;
  }

  // The first ones are slower.
  await medianOf(known);
  const ratios: number[] = [];
  while (ratios.length < ROUNDS && !ratios.some((one) => one <= MAX_RATIO)) {
    ratios.push(await ratio());
  }
  expect(Math.min(...ratios)).toBeLessThanOrEqual(MAX_RATIO);
});

/** What their token endpoints respond with; null for nothing. */
function respondWith(sps: readonly BentSp[], reply: Reply | null): void {
  for (const sp of sps) sp.bends.reply = { token: () => reply };
}

/** The median of some sign-ins at the SP, each with a new domain, in milliseconds. */
async function medianOf(sp: BentSp): Promise<number> {
  // Only so many lookups a minute are for one registrable domain, and all domains here are below a few.
  world.advance(60);
  const times: number[] = [];
  while (times.length < SIGN_INS) {
    const domain = domainAt(world, sp);
    const begun = performance.now();
    const done = await visit(world, domain);
    // On a machine that stalls, DNS is late too.
    if (done.page.status === 503 && done.page.step === "domain") continue;
    codeOf(done);
    times.push(performance.now() - begun);
  }
  return times.sort((one, other) => one - other)[Math.floor(SIGN_INS / 2)] ?? 0;
}
