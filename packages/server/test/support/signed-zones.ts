// The demo's zones, signed as they are asked for, behind one resolver for a service with `single` assurance.

import { DEMO_ZONES } from "domain-signin-demo/zones/demo-zones";
import { createSignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import type { ZoneRecord } from "domain-signin-demo/zones/zone-records";
import { parseTrustAnchor } from "domain-signin-verify";
import { startLyingResolver } from "./lying-resolvers.ts";

/** `config` is for services whose records these are. */
export async function startSignedZones(records: () => readonly ZoneRecord[]) {
  const now = () => Math.floor(Date.now() / 1000);
  const zones = createSignedZones({ zones: DEMO_ZONES, records, now });
  const resolver = await startLyingResolver(zones);
  const trustAnchors = zones.trustAnchors.map(parseTrustAnchor);
  const config = {
    dnsServers: [resolver.text],
    trustAnchors,
    minAssurance: "single",
    zoneNameServers: "off",
  } as const;
  return { config, trustAnchors, close: () => resolver.close() };
}
