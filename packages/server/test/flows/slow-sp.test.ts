// External SPs that hang cost their own people a page, and nobody else anything. How soon that page is
// there is in `timed/slow-sp.test.ts`: here each SP hangs until the test hangs up.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import { type Bends, type SpPath, withRegistration } from "../support/bent-sp.ts";
import { codeOf, federation } from "../support/federated.ts";
import { beginJunk, renewJunk, startHangingSps } from "../support/hanging-sps.ts";
import { until } from "../support/moving-time.ts";

/** The network from which the running test sends its requests. */
let network = "203.0.113";
const world = federation(() => ({ clientAddress: () => `${network}.7` }));

const never = () => null;
const HANGING: readonly (readonly [at: SpPath, Bends])[] = [
  ["metadata", { reply: { metadata: never } }],
  ["oauth-metadata", { reply: { metadata: () => ({ status: 404 }), "oauth-metadata": never } }],
  ["register", { metadata: withRegistration, reply: { register: never } }],
  ["token", { reply: { token: never } }],
  ["jwks", { reply: { jwks: never } }],
];

test("a person who signs in at an SP that hangs is told so, and others sign in meanwhile", async () => {
  const sps = await Promise.all(HANGING.map(([, bends]) => world.sp(bends)));
  const hanging = sps.map(async (sp) => {
    return { sp, visited: await world.visit(world.domainAt(sp)) };
  });
  await until(() => sps.every(({ requests }, n) => requests.at(-1)?.path === HANGING[n]?.[0]));

  const well = await world.sp();
  const done = await world.visit(world.domainAt(well));
  expect(codeOf(done)).toMatch(/^dsc_/);
  expect(await world.tokensOf(done)).toHaveProperty("access_token");
  for (const path of ["/readyz", "/.well-known/jwks.json"]) {
    expect((await fetch(world.test.issuer + path)).status).toBe(200);
  }

  for (const sp of sps) sp.hangUp();
  for (const { sp, visited } of await Promise.all(hanging)) world.expectRefusal(visited, { sp });
});

test("80 callbacks for sign-ins at 16 SPs that hang stop neither a sign-in at a known SP nor one at a new SP from another network", async () => {
  const known = await world.sp();
  codeOf(await world.visit(world.domainAt(known)));
  const sps = await startHangingSps(world, 16);
  let junk = await beginJunk(world, sps, sps.length);
  const pending: Promise<Page>[] = [];
  while (pending.length < 80) {
    pending.push(...junk.map(({ agent, url }) => agent.open(url.href)));
    junk = await Promise.all(junk.map((one) => renewJunk(world, one)));
  }
  // Each of them hangs, or was refused a slot.
  await until(() => sps.every((sp) => sp.asked("token").length > 0));

  network = "198.51.100";
  const newcomer = await world.sp();
  for (const sp of [known, newcomer]) {
    expect(codeOf(await world.visit(world.domainAt(sp)))).toMatch(/^dsc_/);
  }
  for (const sp of sps) sp.hangUp();
  const pages = await Promise.all(pending);
  expect(new Set(pages.map(({ step, status }) => `${step} ${status}`))).toEqual(
    new Set(["external 503"]),
  );
});
