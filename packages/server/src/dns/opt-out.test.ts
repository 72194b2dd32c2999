// Tests of domains that are not registered in a zone that denies by NSEC3 with opt-out, as most registries do.

import { startNameServer } from "domain-signin-demo/zones/name-server";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { afterEach, expect, test } from "vitest";
import { createNsec3Zones } from "../../test/support/nsec3-zones.ts";
import { clockFrom } from "../lib/clock.ts";
import { createLooks } from "./looks.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

test.each([true, false])(
  "%s: opt-out: a typo is not registered, and not bogus",
  async (isOptOut) => {
    const now = Math.floor(Date.now() / 1000);
    const zones = createNsec3Zones({
      zones: [
        { name: "", signed: true, isOptOut: false },
        { name: "test", signed: true, isOptOut },
        { name: "alice.test", signed: false, isOptOut: false },
      ],
      ...{ records: [], without: null, now },
    });
    const servers = await Promise.all([1, 2, 3].map(() => startNameServer(zones)));
    cleanups.push(async () => {
      for (const server of servers) await server.close();
    });
    const { spRecords } = createLooks(
      {
        issuer: "https://auth.example.com",
        dnsServers: servers.map(({ address, port }) => `${address}:${port}`),
        minAssurance: "corroborated",
        trustAnchors: zones.trustAnchors.map(parseTrustAnchor),
      },
      { clock: clockFrom(() => now * 1000), reach: () => null },
    );
    const outcomeOf = async (domain: string) => (await spRecords.look(domain, "now")).outcome;
    expect(await outcomeOf("typo.test")).toBe("unregistered");
    expect(await outcomeOf("shop.typo.test")).toBe("unregistered");
    expect(await outcomeOf("alice.test")).toBe("absent");
  },
);
