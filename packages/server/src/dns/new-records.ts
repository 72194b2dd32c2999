// Looks for a record that a person is about to publish: at the zone's own name servers until it is seen there.

import type { Account } from "../store/accounts.ts";
import type { Diagnoses } from "./diagnosis.ts";
import type { Freshness } from "./look-cache.ts";
import type { WantedRecord } from "./mistake.ts";
import {
  type ChallengeLook,
  challengeName,
  type SpRecordLook,
  type SpRecords,
  spRecordName,
} from "./sp-record.ts";

/**
 * A resolver that is asked for a name before it exists remembers the absence (RFC 2308). So the
 * resolvers are asked only when the zone's name servers have the record, or cannot be asked. A limit of the
 * questions to them must not end a look: a stranger can use up the limit of a domain. Then the owner waits for as
 * long as resolvers remember the absence, and that only if the record did not exist yet. What the name servers say
 * authenticates nobody.
 */
export interface NewRecords {
  /**
   * For a domain that is to be set up, whether or not it has an account: what is asked must not tell. Only a record
   * that names an account tells it by itself, so the resolvers are then asked even if another one is wanted. With
   * `sp: null`, any record of ours is wanted.
   */
  lookForRecord(domain: string, wanted: WantedRecord, freshness: Freshness): Promise<SpRecordLook>;
  /** `value` is the record with `chal`. */
  lookForChallenge(
    domain: string,
    challenge: { readonly chal: string; readonly value: string },
    freshness: Freshness,
  ): Promise<ChallengeLook>;
}

/**
 * `isUnacceptable` reports whether no record of the zone could be accepted, because it is unsigned; `isAccount`,
 * whether the domain has this account, awake or asleep.
 */
export function createNewRecords(deps: {
  readonly spRecords: SpRecords;
  readonly diagnoses: Pick<Diagnoses, "lookInZone">;
  readonly isUnacceptable: (zone: string) => Promise<boolean>;
  readonly isAccount: (domain: string, named: Pick<Account, "sp" | "acct">) => Promise<boolean>;
}): NewRecords {
  const { spRecords, diagnoses, isUnacceptable, isAccount } = deps;
  return {
    async lookForRecord(domain, wanted, freshness) {
      const zone = await diagnoses.lookInZone(domain, spRecordName(domain), wanted, freshness);
      if (zone.state !== "unseen") return spRecords.lookToDecide(domain, freshness);
      const named = spRecords.namedBy(zone.values);
      if (named !== null && (await isAccount(domain, named))) {
        return spRecords.lookToDecide(domain, freshness);
      }
      const look = spRecords.absentRecord(domain, zone.values);
      // Otherwise, the person would publish a record first, and then be refused.
      const isInVain = zone.apex !== null && (await isUnacceptable(zone.apex));
      if (isInVain) return { ...look, outcome: "not_permitted", reason: "unsigned" };
      const { aliasTarget: target } = zone;
      return target === null ? look : { ...look, outcome: "alias_invalid", target, records: [] };
    },

    async lookForChallenge(domain, { chal, value }, freshness) {
      const zone = await diagnoses.lookInZone(domain, challengeName(domain), value, freshness);
      return zone.state === "unseen"
        ? spRecords.challengeNotYet(domain, chal, zone.values)
        : spRecords.lookForChallenge(domain, chal);
    },
  };
}
