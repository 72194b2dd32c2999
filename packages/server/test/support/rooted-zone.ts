// Unsigned domains below a signed root of their own, for commands, which trust no less than one key.

import { createSignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import { startZone, type Zone } from "domain-signin-demo/zones/zone";

/** `env` is what a command needs to trust the root of the zone. */
export type RootedZone = Zone & { readonly env: Readonly<Record<string, string>> };

/** Each of the domains lies right below `test`. */
export async function startRootedZone(domains: readonly string[]): Promise<RootedZone> {
  const above = ["", "test"].map((name) => ({ name, algorithm: 13, signed: true }) as const);
  const unsigned = domains.map((name) => ({ name, algorithm: 13, signed: false }) as const);
  const now = () => Math.floor(Date.now() / 1000);
  const zone = await startZone({
    origins: domains,
    signed: (records) => createSignedZones({ zones: [...above, ...unsigned], records, now }),
  });
  const anchors = zone.signed?.trustAnchors ?? [];
  return { ...zone, env: { DOMAIN_SIGNIN_TRUST_ANCHORS: anchors.join(",") } };
}
