// What follows a valid assertion by the passkey of an account, on whichever page it was made.

import { namesAccount, type SpRecordLook } from "../dns/sp-record.ts";
import type { Account } from "../store/accounts.ts";
import type { Passkey } from "../store/passkeys.ts";
import type { Deps } from "./deps.ts";
import type { Asserted } from "./webauthn.ts";

/**
 * RFC 8176: proof of possession of a key, and a test that the user is present. Not `hwk`: without an
 * attestation nobody knows whether the key is in hardware, and synced passkeys are not.
 */
export const PASSKEY_AMR = "pop user";

type OwnLook = SpRecordLook & { readonly outcome: "own" };

/**
 * Looks up the record. If it names the account, wakes that if it sleeps, and records the use of the passkey.
 * `conflict`: the record has changed since the look. `refused`: another tab or a copy of the key used the
 * same counter, or the passkey was just removed.
 */
export async function acceptPasskey(
  {
    account: found,
    passkey,
    asserted: { counter, backedUp },
  }: { readonly account: Account; readonly passkey: Passkey; readonly asserted: Asserted },
  deps: Pick<Deps, "accounts" | "passkeys" | "spRecords" | "events" | "clock">,
): Promise<
  | { readonly outcome: "accepted"; readonly account: Account; readonly look: OwnLook }
  | { readonly outcome: "not_named"; readonly look: SpRecordLook }
  | { readonly outcome: "conflict" | "refused" }
> {
  const { domain } = found;
  const look = await deps.spRecords.lookToDecide(domain, "now");
  if (look.outcome !== "own" || !namesAccount(look, found)) return { outcome: "not_named", look };
  const isAsleep = found.asleepSince !== null;
  const account = isAsleep ? await deps.accounts.wakeAccount(found, look.checkedAt) : found;
  if (account === "conflict") return { outcome: "conflict" };
  if (isAsleep) deps.events.recordFound({ accountId: account.id, domain });
  const now = deps.clock.seconds();
  const used = await deps.passkeys.usePasskey(passkey, { counter, backedUp, now });
  return used === "refused" ? { outcome: used } : { outcome: "accepted", account, look };
}
