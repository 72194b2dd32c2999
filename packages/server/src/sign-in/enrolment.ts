// A set-up in progress: begun in one browser for one domain, finished when the zone shows it.

import { formatSpRecord } from "domain-signin-verify/record";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { randomText } from "../lib/random.ts";
import type { Account } from "../store/accounts.ts";
import type { Enrolment, EnrolmentStore } from "../store/enrolments.ts";
import type { Device } from "./device.ts";
import { recoveryCodeHash, recoveryCodesOf } from "./recovery-codes.ts";

/** Seconds in which a published record is taken for the answer to this set-up. */
const LIFETIME = 86_400;

/** The set-up that this browser has pending for the domain, begun now if there is none. */
export function beginEnrolment(
  domain: string,
  device: Device,
  {
    store,
    clock,
    random,
  }: { readonly store: EnrolmentStore; readonly clock: Clock; readonly random: Random },
): Promise<Enrolment> {
  const now = clock.seconds();
  const enrolment: Enrolment = {
    domain,
    deviceHash: device.hash,
    acct: randomText(random, 16),
    accountId: `sub_${randomText(random, 16)}`,
    recoverySalt: randomText(random, 16),
    expiresAt: now + LIFETIME,
  };
  return store.beginEnrolment(enrolment, now);
}

export function pendingEnrolment(
  domain: string,
  device: Device,
  { store, clock }: { readonly store: EnrolmentStore; readonly clock: Clock },
): Promise<Enrolment | null> {
  return store.findEnrolment(domain, device.hash, clock.seconds());
}

/**
 * The record that finishes the set-up. It lists our key for owners' statements too, so that apps of
 * other services can be shown one; a record without it is good as well.
 */
export function recordOf(
  { acct }: Enrolment,
  { issuer, statementJkt }: { readonly issuer: string; readonly statementJkt: () => string },
): string {
  return formatSpRecord({ sp: issuer, acct, jkt: [statementJkt()] });
}

/** The zone shows the record: the account comes into being. */
export function finishEnrolment(
  enrolment: Enrolment,
  device: Device,
  { store, clock }: { readonly store: EnrolmentStore; readonly clock: Clock },
): Promise<Account | "conflict"> {
  const codes = recoveryCodesOf(device.secret, enrolment.recoverySalt);
  return store.enrol({
    enrolment,
    recoveryCodeHashes: codes.map(recoveryCodeHash),
    now: clock.seconds(),
  });
}
