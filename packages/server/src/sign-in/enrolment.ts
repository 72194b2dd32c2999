// A pending set-up: begun in one browser for one domain, finished when DNS contains its record.

import { formatSpRecord } from "domain-signin-verify/record";
import { randomText } from "../lib/random.ts";
import type { Account } from "../store/accounts.ts";
import type { Enrolment } from "../store/enrolments.ts";
import type { Deps } from "./deps.ts";
import type { Device } from "./device.ts";
import { recoveryCodeHash, recoveryCodesOf } from "./recovery-codes.ts";

/** The record must be found within this time. */
const ENROLMENT_LIFETIME_S = 86_400;

/** Returns the set-up that this browser has pending for the domain, or begins one. */
export function beginEnrolment(
  domain: string,
  device: Device,
  { enrolments, clock, random }: Pick<Deps, "enrolments" | "clock" | "random">,
): Promise<Enrolment> {
  const now = clock.seconds();
  const enrolment: Enrolment = {
    domain,
    deviceHash: device.hash,
    acct: randomText(random, 16),
    accountId: `sub_${randomText(random, 16)}`,
    recoverySalt: randomText(random, 16),
    expiresAt: now + ENROLMENT_LIFETIME_S,
  };
  return enrolments.beginEnrolment(enrolment, now);
}

export function pendingEnrolment(
  domain: string,
  device: Device,
  { enrolments, clock }: Pick<Deps, "enrolments" | "clock">,
): Promise<Enrolment | null> {
  return enrolments.findEnrolment(domain, device.hash, clock.seconds());
}

/**
 * The record that finishes the set-up. It also lists the key for owner proofs, for clients of other
 * services; a record without the key is accepted too.
 */
export function recordOf(
  { acct }: Enrolment,
  { issuer, statementJkt }: Pick<Deps, "issuer" | "statementJkt">,
): string {
  return formatSpRecord({ sp: issuer, acct, jkt: [statementJkt()] });
}

/** Creates the account, after DNS was seen to contain the record. */
export function finishEnrolment(
  enrolment: Enrolment,
  device: Device,
  { enrolments, clock }: Pick<Deps, "enrolments" | "clock">,
): Promise<Account | "conflict"> {
  const codes = recoveryCodesOf(device.secret, enrolment.recoverySalt);
  return enrolments.enrol({
    enrolment,
    recoveryCodeHashes: codes.map(recoveryCodeHash),
    now: clock.seconds(),
  });
}
