// Two SPs of which one is hostile, a domain at each, and what passes between them and a browser.

import { createHash } from "node:crypto";
import type { Page, UserAgent } from "domain-signin-demo/browser/user-agent";
import { expect } from "vitest";
import type { Bends, BentSp } from "./bent-sp.ts";
import { answered, domainAt, type FederatedWorld } from "./federated.ts";

interface TwoSps {
  readonly honest: BentSp;
  readonly hostile: BentSp;
  /** A domain at the honest one, and one at the hostile one. */
  readonly alice: string;
  readonly mallory: string;
  callbackOf(sp: BentSp): string;
  /** Our client_id there. */
  clientAt(sp: BentSp): string;
  /** Somebody who was at the SP and is about to come back: the answer, not yet given. */
  answered(domain: string, agent?: UserAgent): Promise<{ agent: UserAgent; answer: URL }>;
  /** Gives it. */
  open(agent: UserAgent, url: URL): Promise<Page>;
  /** Sends the hostile SP's person on to the honest one, with what that was sent, changed. */
  relayed(changes: () => Record<string, string>): Bends["reply"];
  /** Whatever the hostile SP was sent, no code of the honest one was among it. */
  expectNoCodeLeaked(): void;
}

export async function startTwoSps(world: FederatedWorld): Promise<TwoSps> {
  const [honest, hostile] = [await world.sp(), await world.sp()];
  const callbacks = `${world.test.issuer}/federation/callback/`;
  return {
    ...{ honest, hostile, alice: domainAt(world, honest), mallory: domainAt(world, hostile) },
    callbackOf: (sp) => callbacks + keyOf(sp),
    clientAt: (sp) => `${world.test.issuer}/federation/public-client/${keyOf(sp)}`,
    answered: (domain, agent = world.person()) => answered(world, domain, { agent }),
    open: (agent, url) => agent.open(url.href, { stopAt: world.client.redirectUri }),
    relayed: (changes) => ({
      authorize({ url }) {
        const on = bent(url, changes(), `${honest.issuer}/authorize`);
        return { status: 303, headers: { location: on.href } };
      },
    }),
    expectNoCodeLeaked() {
      const codes = honest.secrets.filter((secret) => secret.startsWith("a code"));
      const told = hostile.requests.map(({ url, form }) =>
        [...url.searchParams.values(), ...form.values()].join(" "),
      );
      expect(codes.filter((code) => told.some((text) => text.includes(code)))).toEqual([]);
    },
  };
}

/** How our addresses name an SP. */
export const keyOf = (sp: BentSp) => createHash("sha256").update(sp.issuer).digest("base64url");

/** The same parameters, changed, at this address or another. */
export function bent(url: URL, changes: Record<string, string | null>, at = url.href): URL {
  const made = new URL(at);
  made.search = url.search;
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) made.searchParams.delete(name);
    else made.searchParams.set(name, value);
  }
  return made;
}
