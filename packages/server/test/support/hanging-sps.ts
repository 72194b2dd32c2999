// SPs that accept requests and never answer them, and callbacks that make the service ask them.

import type { UserAgent } from "domain-signin-demo/browser/user-agent";
import type { BentSp } from "./bent-sp.ts";
import { domainAt, type FederatedWorld, visit } from "./federated.ts";
import { bent } from "./two-sps.ts";

/** A sign-in that its browser began, and an authorization response for it with a code that no SP issued. */
export interface JunkCallback {
  readonly sp: BentSp;
  readonly agent: UserAgent;
  readonly url: URL;
}

/** Their metadata is right, so that anybody can begin a sign-in there. No code is ever redeemed. */
export function startHangingSps(world: FederatedWorld, count: number): Promise<BentSp[]> {
  return Promise.all(
    Array.from({ length: count }, () => world.sp({ reply: { token: () => null } })),
  );
}

/** Begins so many sign-ins, at each SP in turn, with domains below one that nobody else signs in with. */
export async function beginJunk(
  world: FederatedWorld,
  sps: readonly BentSp[],
  count: number,
): Promise<JunkCallback[]> {
  const stopAt = `${world.test.issuer}/federation/callback/`;
  const begun: JunkCallback[] = [];
  while (begun.length < count) {
    for (const sp of sps.slice(0, count - begun.length)) {
      const { agent, page } = await visit(world, domainAt(world, sp, "bob.test"), { stopAt });
      begun.push({ sp, agent, url: bent(new URL(page.url), { code: "junk" }) });
    }
  }
  return begun;
}
