// Looks at records, for tests of what is made of them.

import type { SpRecordLook, SpRecordOutcome } from "../../src/dns/sp-record.ts";

/** A record of this service with this acct. */
export const ownRecord = (acct: string) => ({ outcome: "own", acct, jkt: [], spk: [] }) as const;

/** A look at `alice.test` with this outcome. By default three resolvers agreed, and the zone is not signed. */
export function someLook<Outcome extends SpRecordOutcome>(
  outcome: Outcome,
  changes: Partial<SpRecordLook> = {},
): SpRecordLook & Outcome {
  return {
    ...{ name: "_domain-signin.alice.test", assurance: "corroborated", checkedAt: 0, records: [] },
    ...{ resolvers: 3, proof: null, inception: null, ...outcome, ...changes },
  } as SpRecordLook & Outcome;
}
