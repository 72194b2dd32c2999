// What follows a valid assertion by the passkey of an account, on whichever page it was made.

import { namesAccount, type SpRecordLook } from "../dns/sp-record.ts";
import type { Asserted } from "../passkeys/webauthn.ts";
import type { Account } from "../store/accounts.ts";
import type { Passkey } from "../store/passkeys.ts";
import type { RememberedDomain } from "../store/remembered.ts";
import type { Deps } from "./deps.ts";

/**
 * RFC 8176: proof of possession of a key, and a test that the user is present. Not `hwk`: without an
 * attestation nobody knows whether the key is in hardware, and synced passkeys are not.
 */
export const PASSKEY_AMR = "pop user";

type OwnLook = SpRecordLook & { readonly outcome: "own" };

/** A look that a sign-in began with may be so much older than its interaction, because DNS can be slow. */
const LOOK_TAKES_S = 30;
/** How often the use of a passkey without a signature counter is recorded. */
const NOTED_EVERY_S = 3600;

/**
 * Looks up the record, unless the look with which this sign-in began (`begunAt`) still counts. If it names the account, wakes that if it sleeps, and records the use of the passkey.
 * A passkey that a restore has brought back must be listed by the record, or else it is `unconfirmed`.
 * `conflict`: the record has changed since the look. `refused`: another tab or a copy of the key used the
 * same counter, or the passkey was just removed.
 */
export async function acceptPasskey(
  {
    account: found,
    passkey,
    asserted: { counter, backedUp },
    begunAt,
    remembered,
  }: {
    readonly account: Account;
    readonly passkey: Passkey;
    readonly asserted: Asserted;
    /** Epoch seconds; null if there was no look yet. */
    readonly begunAt: number | null;
    /** What a look is compared with, if the caller has read it. */
    readonly remembered?: RememberedDomain;
  },
  deps: Pick<Deps, "accounts" | "passkeys" | "spRecords" | "events" | "clock">,
): Promise<
  | { readonly outcome: "accepted"; readonly account: Account; readonly look: OwnLook }
  | { readonly outcome: "not_named"; readonly look: SpRecordLook }
  | { readonly outcome: "conflict" | "refused" | "unconfirmed" }
> {
  const { domain } = found;
  const look = await lookOf(found, { begunAt, remembered }, deps);
  if (look.outcome !== "own" || !namesAccount(look, found)) return { outcome: "not_named", look };
  if (passkey.unconfirmed === 1) {
    if (!look.jkt.includes(passkey.thumbprint)) return { outcome: "unconfirmed" };
    await deps.passkeys.confirmPasskey(passkey, deps.clock.seconds());
  }
  const isAsleep = found.asleepSince !== null;
  const account = isAsleep ? await deps.accounts.wakeAccount(found, look.checkedAt) : found;
  if (account === "conflict") return { outcome: "conflict" };
  if (isAsleep) deps.events.recordFound({ accountId: account.id, domain });
  const now = deps.clock.seconds();
  // Without a counter it only says when the passkey was last used: noted as rarely as the use of a session.
  const isNoted =
    counter === 0 &&
    backedUp === passkey.backedUp &&
    now - (passkey.lastUsedAt ?? 0) < NOTED_EVERY_S;
  const used = isNoted
    ? "used"
    : await deps.passkeys.usePasskey(passkey, { counter, backedUp, now });
  return used === "refused" ? { outcome: used } : { outcome: "accepted", account, look };
}

/** One look for each sign-in: remembered for at most 300 seconds, and from this sign-in, or else a new one. */
async function lookOf(
  account: Account,
  {
    begunAt,
    remembered,
  }: { readonly begunAt: number | null; readonly remembered: RememberedDomain | undefined },
  { spRecords }: Pick<Deps, "spRecords">,
): Promise<SpRecordLook> {
  const { domain, asleepSince } = account;
  if (begunAt !== null && asleepSince === null) {
    const look = await spRecords.lookToDecide(domain, "cached");
    const isOfThisSignIn = look.checkedAt >= begunAt - LOOK_TAKES_S;
    if (isOfThisSignIn && namesAccount(look, account)) return look;
  }
  return spRecords.lookToDecide(domain, "now", remembered);
}
