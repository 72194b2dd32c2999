// Publishes records that nodes of the previous release and of this one read, in tests of upgrades.

import type { RootedZone } from "../support/rooted-zone.ts";

/** The previous release reads only semicolons, and only challenges of the version of the SP record. */
export function zoneForBothReleases(zone: RootedZone): RootedZone {
  return {
    ...zone,
    add(record) {
      for (const value of formsOf(record.value)) zone.add({ ...record, value });
    },
  };
}

function formsOf(value: string): string[] {
  if (!value.startsWith("v=dsi1")) return [value];
  const separated = value.replace(/;? /g, "; ");
  if (!value.includes("chal=")) return [separated];
  // At the name of a challenge, each ignores the other's.
  return ["v=dsi1", "v=dsi1-chal"].map((version) => separated.replace(/^[^;]*/, version));
}

/** The account that a record names, whichever release shows it. */
export function accountNamedIn(value: string): string | undefined {
  return /acct=[\w-]+/.exec(value)?.[0];
}
