// What follows a valid assertion by the passkey of an account, on whichever page it was made.

import type { Control } from "../account/control.ts";
import { namesAccount, type SpRecordLook, type SpRecords } from "../dns/sp-record.ts";
import { requesterAt } from "../http/requester.ts";
import type { Clock } from "../lib/clock.ts";
import type { Asserted } from "../passkeys/webauthn.ts";
import type { Account } from "../store/accounts.ts";
import type { Passkey, PasskeyStore } from "../store/passkeys.ts";
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

export interface PasskeyUse {
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
   * wakes a sleeping account, and records the use of the passkey. A passkey that a restore has brought back must be
   * listed by the record, or else it is `unconfirmed`. `conflict`: the record has changed since the look. `refused`:
   * another tab or a copy of the key used the same counter, or the passkey was just removed.
   */
  return async (
    use: PasskeyUse,
  ): Promise<
    | { readonly outcome: "accepted"; readonly account: Account; readonly look: OwnLook }
    | { readonly outcome: "not_named"; readonly look: SpRecordLook }
    | { readonly outcome: "conflict" | "refused" | "unconfirmed" }
  > => {
    const { passkey } = use;
    const look = await lookOf(use);
    if (look.outcome !== "own" || !namesAccount(look, use.account)) {
      return { outcome: "not_named", look };
    }
    if (passkey.unconfirmed === 1) {
      if (!look.jkt.includes(passkey.thumbprint)) return { outcome: "unconfirmed" };
      await passkeys.confirmPasskey(passkey, clock.seconds());
    }
    const account = await control.wake(use.account, look.checkedAt);
    if (account === "conflict") return { outcome: "conflict" };
    return (await recordUse(use)) === "refused"
      ? { outcome: "refused" }
      : { outcome: "accepted", account, look };
  };

  async function recordUse({ passkey, asserted }: PasskeyUse): Promise<"used" | "refused"> {
    const { counter, backedUp } = asserted;
    const now = clock.seconds();
    // Without a counter, only the time of the last use changes, updated as rarely as for sessions.
    const isNoted =
      counter === 0 &&
      backedUp === passkey.backedUp &&
      now - (passkey.lastUsedAt ?? 0) < NOTED_EVERY_S;
    return isNoted ? "used" : passkeys.usePasskey(passkey, { counter, backedUp, now });
  }

  /** The cached look, up to 300 seconds old, if this sign-in began with it; or else a new look. */
  async function lookOf(use: PasskeyUse): Promise<SpRecordLook> {
    const { account, clientAddress, begunAt, remembered } = use;
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
