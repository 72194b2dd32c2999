// Many callbacks for sign-ins at SPs that hang, beside people who sign in at others.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import { codeOf, federation } from "../support/federated.ts";
import { beginJunk, renewJunk, startHangingSps } from "../support/hanging-sps.ts";
import { until } from "../support/moving-time.ts";

/** The network from which the running test sends its requests. */
let network = "203.0.113";
const world = federation(() => ({ clientAddress: () => `${network}.7` }));

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
