// Looks for a record that a person is about to publish: at the zone's own name servers until it is seen there.

import type { Requester } from "../lib/fair-queue.ts";
import type { Diagnoses } from "./diagnosis.ts";
import type { WantedRecord } from "./mistake.ts";
import {
  type ChallengeLook,
  challengeName,
  type LookFor,
  type RecordAccount,
  type SpRecordLook,
  type SpRecords,
  spRecordName,
} from "./sp-record.ts";

export type NewRecords = ReturnType<typeof createNewRecords>;

interface Deps {
  readonly spRecords: SpRecords;
  readonly diagnoses: Diagnoses;
  /** Whether no record of the zone could be accepted, because it is unsigned. */
  readonly isUnacceptable: (zone: string) => Promise<boolean>;
  /** Whether the zone is proven to be signed. */
  readonly isProvenSecure: (zone: string, from: Requester) => Promise<boolean>;
  /** Whether the domain has this account, awake or asleep. */
  readonly isAccount: (domain: string, account: RecordAccount) => Promise<boolean>;
}

/**
 * A resolver that is asked for a name before it exists remembers the absence (RFC 2308). So resolvers are asked only
 * when the zone's name servers, which authenticate nobody, have the record or cannot be asked. If there is no turn for
 * name servers, resolvers are asked instead of refusing the person: the owner of a record that is new then waits for as
 * long as resolvers remember the absence.
 */
export function createNewRecords(deps: Deps) {
  const { spRecords, diagnoses, isUnacceptable, isProvenSecure, isAccount } = deps;

  async function lookFor(
    domain: string,
    wanted: WantedRecord,
    looked: LookFor,
    /** Whether a record that names this account is a reason to ask resolvers. */
    isReason: (account: RecordAccount) => Promise<boolean>,
  ): Promise<SpRecordLook> {
    const zone = await diagnoses.lookInZone(domain, spRecordName(domain), wanted, looked);
    if (zone.state !== "unseen") return spRecords.lookToDecide(domain, looked);
    const { look, account } = spRecords.absentRecord(domain, zone.values);
    if (account !== null && (await isReason(account))) {
      return spRecords.lookToDecide(domain, looked);
    }
    // Otherwise, the person would publish a record first, and then be refused.
    const isInVain = zone.apex !== null && (await isUnacceptable(zone.apex));
    if (isInVain) return { ...look, outcome: "not_permitted", reason: "unsigned" };
    const { aliasTarget: target } = zone;
    return target === null ? look : { ...look, outcome: "alias_invalid", target, records: [] };
  }

  return {
    /** Whether the record of the domain will be in a signed zone. Resolvers are asked for it only as below. */
    async isSigned(domain: string, from: Requester): Promise<boolean> {
      const looked = { freshness: "recent", from } as const;
      const zone = await diagnoses.lookInZone(domain, spRecordName(domain), { sp: null }, looked);
      if (zone.state === "unseen" && zone.apex !== null) return isProvenSecure(zone.apex, from);
      return (await spRecords.look(domain, looked)).assurance === "secure";
    },

    /**
     * For a domain that is to be set up. What is asked must not show whether the domain has an account. A record that
     * names an account shows it anyway, so resolvers are then asked even if another record is wanted.
     */
    lookForRecord: (domain: string, wanted: WantedRecord, looked: LookFor): Promise<SpRecordLook> =>
      lookFor(domain, wanted, looked, (account) => isAccount(domain, account)),

    /** For a stranger, who must not learn whether the record names an account here: accounts are not read. */
    lookForStranger: (domain: string, looked: LookFor): Promise<SpRecordLook> =>
      lookFor(domain, { sp: null }, looked, async () => true),

    /** `value` is the record with `chal`. */
    async lookForChallenge(
      domain: string,
      { chal, value }: { readonly chal: string; readonly value: string },
      looked: LookFor,
    ): Promise<ChallengeLook> {
      const zone = await diagnoses.lookInZone(domain, challengeName(domain), value, looked);
      return zone.state === "unseen"
        ? spRecords.challengeNotYet(domain, chal, zone.values)
        : spRecords.lookForChallenge(domain, chal, looked.from);
    },
  };
}
