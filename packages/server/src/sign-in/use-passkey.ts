// What follows a valid assertion by the passkey of an account, on whichever page it was made.

import type { Control } from "../account/control.ts";
import { namesAccount, type SpRecordLook, type SpRecords } from "../dns/sp-record.ts";
import { requesterAt } from "../http/requester.ts";
import type { Clock } from "../lib/clock.ts";
import type { Asserted } from "../passkeys/webauthn.ts";
import type { Account } from "../store/accounts.ts";
import type { Passkey, PasskeyStore, PasskeyUse } from "../store/passkeys.ts";
import type { RememberedDomain } from "../store/remembered.ts";

/**
 * RFC 8176: proof of possession of a key, and a test that the user is present. Not `hwk`: without an
 * attestation nobody knows whether the key is in hardware, and synced passkeys are not.
 */
export const PASSKEY_AMR = "pop user";

export interface Deps {
  readonly passkeys: PasskeyStore;
  readonly spRecords: SpRecords;
  readonly control: Control;
  readonly clock: Clock;
}

type OwnLook = SpRecordLook & { readonly outcome: "own" };

/** How much older than its interaction the look of a sign-in may be, because DNS can be slow. */
const LOOK_TAKES_S = 30;
/** How often the use of a passkey without a signature counter is recorded. */
const NOTED_EVERY_S = 3600;

export interface AcceptedPasskey {
  readonly outcome: "accepted";
  readonly account: Account;
  readonly look: OwnLook;
  readonly use: PasskeyUse | null;
}

export interface Assertion {
  readonly account: Account;
  readonly passkey: Passkey;
  readonly asserted: Asserted;
  readonly clientAddress: string;
  /** When the sign-in began with a look, in epoch seconds; null if there was no look yet. */
  readonly begunAt: number | null;
  /** What a look is compared with, if the caller has read it. */
  readonly remembered?: RememberedDomain;
}

export type AcceptPasskey = ReturnType<typeof createAcceptPasskey>;

export function createAcceptPasskey({ passkeys, spRecords, control, clock }: Deps) {
  /**
   * Looks up the record, unless the look with which this sign-in began still counts. If the record names the account,
   * wakes a sleeping account. A passkey that a restore has brought back must be listed by the record, or else it is
   * `unconfirmed`. `conflict`: the record has changed since the look. `use` is to be recorded with the sign-in; null if
   * nothing of the passkey has changed.
   */
  return async (
    assertion: Assertion,
  ): Promise<
    | AcceptedPasskey
    | { readonly outcome: "not_named"; readonly look: SpRecordLook }
    | { readonly outcome: "conflict" | "unconfirmed" }
  > => {
    const { passkey } = assertion;
    const look = await lookOf(assertion);
    if (look.outcome !== "own" || !namesAccount(look, assertion.account)) {
      return { outcome: "not_named", look };
    }
    if (passkey.unconfirmed === 1) {
      if (!look.jkt.includes(passkey.thumbprint)) return { outcome: "unconfirmed" };
      await passkeys.confirmPasskey(passkey, clock.seconds());
    }
    const account = await control.wake(assertion.account, look.checkedAt);
    if (account === "conflict") return { outcome: "conflict" };
    return { outcome: "accepted", account, look, use: useOf(assertion) };
  };

  function useOf({ passkey, asserted }: Assertion): PasskeyUse | null {
    const { credentialId, accountId } = passkey;
    const { counter, backedUp } = asserted;
    const now = clock.seconds();
    // Without a counter, only the time of the last use changes, updated as rarely as for sessions.
    const isNoted =
      counter === 0 &&
      backedUp === passkey.backedUp &&
      now - (passkey.lastUsedAt ?? 0) < NOTED_EVERY_S;
    return isNoted ? null : { credentialId, accountId, counter, backedUp, now };
  }

  /** The cached look, up to 300 seconds old, if this sign-in began with it; or else a new look. */
  async function lookOf(assertion: Assertion): Promise<SpRecordLook> {
    const { account, clientAddress, begunAt, remembered } = assertion;
    const { domain, asleepSince } = account;
    const from = requesterAt(clientAddress, true);
    if (begunAt !== null && asleepSince === null) {
      const look = await spRecords.lookToDecide(domain, { freshness: "cached", from });
      const isOfThisSignIn = look.checkedAt >= begunAt - LOOK_TAKES_S;
      if (isOfThisSignIn && namesAccount(look, account)) return look;
    }
    return spRecords.lookToDecide(domain, { freshness: "now", from }, remembered);
  }
}
