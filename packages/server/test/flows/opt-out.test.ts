// A domain whose own zone is signed and denies by NSEC3 with opt-out: its record appears, and is removed.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { afterEach, expect, test } from "vitest";
import { accountsOf, zoneBecomes } from "../support/assured-accounts.ts";
import { flow } from "../support/flow.ts";
import { type Lie, type LyingResolver, startLyingResolver } from "../support/lying-resolvers.ts";
import { withoutTimeouts } from "../support/moving-time.ts";
import { createNsec3Zones, type Nsec3Zones } from "../support/nsec3-zones.ts";
import { startTestService } from "../support/service.ts";
import { refresh, type Tokens } from "../support/sign-in.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const DOMAIN = "alice.test";
const RECORD = `_domain-signin.${DOMAIN}`;
const CONTRADICTORY = /DNS servers disagree about alice\.test/;

let ahead: number;
/** Whether zones answer as five hours ago, without any record. */
let isPast: boolean;
let zones: Nsec3Zones;
let resolvers: LyingResolver[];

async function start() {
  ahead = 0;
  isPast = false;
  resolvers = [];
  zones = createNsec3Zones({
    zones: ["", "test", DOMAIN].map((name) => ({ name, signed: true, isOptOut: true })),
    records: () => (isPast ? [] : at.zone.records()),
    without: null,
    now: () => Math.floor(Date.now() / 1000) + ahead - (isPast ? 5 * HOUR : 0),
  });
  for (let count = 0; count < 3; count++) resolvers.push(await startLyingResolver(zones));
  return startTestService({
    config: {
      ...{ minAssurance: "secure", zoneNameServers: "off" },
      dnsServers: resolvers.map(({ text }) => text),
      trustAnchors: zones.trustAnchors.map(parseTrustAnchor),
    },
  });
}
afterEach(() => {
  for (const one of resolvers) one.close();
});
const at = flow({ start, service: "test", domain: DOMAIN });
withoutTimeouts();

function advance(seconds: number): void {
  ahead += seconds;
  at.advance(seconds);
}

/** The page that comes after the domain was entered, in a new browser. */
const entered = () => at.begin({ agent: createUserAgent() });

async function refreshed({ refresh_token }: Tokens) {
  const { status, body } = await at.token(refresh(refresh_token), at.client);
  return [status, body.error];
}

test("the account of a removed record sleeps and ends, and the domain can be set up again", async () => {
  const tokens = await at.tokens();
  zoneBecomes({ at }, RECORD, null);
  advance(HOUR);
  expect((await entered()).step).toBe("dns-setup");
  advance(3 * DAY);
  expect((await refreshed(tokens))[0]).toBe(503);
  await at.walk();
  expect(await accountsOf({ at })).toEqual(["asleep"]);
  advance(DAY + HOUR);
  await at.walk();
  expect(await refreshed(tokens)).toEqual([400, "invalid_grant"]);
  // The domain is still known to be signed.
  expect((await at.store.secureDomains.findSecureDomain(DOMAIN))?.unsignedAt).toBeNull();
  advance(31 * DAY);
  await at.walk();
  expect(await accountsOf({ at })).toEqual(["ended"]);
  await at.tokens({ agent: createUserAgent() });
  expect(await accountsOf({ at })).toEqual(["ended", "awake"]);
});

test("a replayed denial from before the record counts if all resolvers show it, and not before", async () => {
  const replay: Lie = (query) => {
    isPast = true;
    try {
      return zones.answer(query);
    } finally {
      isPast = false;
    }
  };
  await at.tokens({ agent: createUserAgent() });
  // A look accepts the record as it is signed now.
  advance(HOUR);
  expect((await entered()).step).toBe("dns-challenge");
  advance(HOUR);
  for (const one of resolvers.slice(0, 2)) one.lie(replay);
  const page = await entered();
  expect([page.status, page.step]).toEqual([503, "domain"]);
  expect(page.html).toMatch(CONTRADICTORY);
  for (const one of resolvers) one.lie(replay);
  expect((await entered()).step).toBe("dns-setup");
});
