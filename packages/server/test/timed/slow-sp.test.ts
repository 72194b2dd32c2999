// External SPs that are slow or never answer: they cost their own people a few seconds, and nobody else.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Bends, type Reply, withRegistration } from "../support/bent-sp.ts";
import {
  codeOf,
  domainAt,
  expectRefusal,
  startFederatedWorld,
  tokensOf,
  visit,
} from "../support/federated.ts";
import { fixture } from "../support/fixture.ts";
import { startRoundTrips } from "../support/round-trip.ts";

const trips = fixture(startRoundTrips);
const world = fixture(startFederatedWorld);

/** Milliseconds that the person may wait. */
const PROMISED_MS = 6000;

const never = () => null;
const later = (milliseconds: number, reply: Reply) => async () => {
  await sleep(milliseconds, undefined, { ref: false });
  return reply;
};
const unknownClient: Reply = { status: 401, body: { error: "invalid_client" } };

const HANGING: Readonly<Record<string, Bends>> = {
  "metadata that never comes": { reply: { metadata: never } },
  "metadata that is late, and then at neither place": {
    reply: {
      metadata: later(3000, { status: 404 }),
      "oauth-metadata": later(3000, { status: 404 }),
    },
  },
  "a registration that never comes": { metadata: withRegistration, reply: { register: never } },
  "a token that never comes": { reply: { token: never } },
  "keys that never come": { reply: { jwks: never } },
  "a client that is forgotten late, and registered never again": {
    metadata: withRegistration,
    reply: { token: later(3000, unknownClient), register: never },
  },
};

test("a person who signs in at an SP that hangs is told so within 6 s, and others sign in meanwhile", async () => {
  const kinds = Object.entries(HANGING);
  const forgetful = await world.sp({ metadata: withRegistration });
  codeOf(await visit(world, domainAt(world, forgetful)));
  // A client that was made just now is not made again.
  world.advance(100);
  const begun = performance.now();
  let ended = 0;
  const hanging = kinds.map(async ([kind, bends]) => {
    const sp = kind.includes("forgotten") ? forgetful : await world.sp();
    Object.assign(sp.bends, bends);
    const agent = world.person();
    const { page } = await visit(world, domainAt(world, sp), { agent });
    ended++;
    expectRefusal(world, { page, agent }, { sp });
    const last = sp.requests.at(-1)?.path;
    return { kind, last, waited: performance.now() - begun };
  });
  // All of them hang once their SP has been asked for what never comes.
  const well = await world.sp();
  const done = await visit(world, domainAt(world, well));
  expect(codeOf(done)).toMatch(/^dsc_/);
  expect(await tokensOf(world, done)).toHaveProperty("access_token");
  for (const path of ["/readyz", "/.well-known/jwks.json"]) {
    expect((await fetch(world.test.issuer + path)).status).toBe(200);
  }
  // Not how long it took, but that it was not behind them.
  expect(ended).toBe(0);
  const told = await Promise.all(hanging);
  expect(told.filter(({ waited }) => waited > trips.limit(PROMISED_MS))).toEqual([]);
  // Each hung where it was to.
  const asked = ["metadata", "oauth-metadata", "register", "token", "jwks", "register"];
  expect(told.map(({ last }) => last)).toEqual(asked);
});
