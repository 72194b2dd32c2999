// External SPs that hang cost their own people a page, and nobody else anything. How soon that page is
// there is in `timed/slow-sp.test.ts`: here each SP hangs until the test hangs up.

import { expect, test } from "vitest";
import { type Bends, type SpPath, withRegistration } from "../support/bent-sp.ts";
import { codeOf, federation } from "../support/federated.ts";
import { until } from "../support/moving-time.ts";

const world = federation(() => ({ clientAddress: () => "203.0.113.7" }));

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
