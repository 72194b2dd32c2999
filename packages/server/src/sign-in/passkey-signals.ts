// What the service tells a browser about passkeys that it may still offer. A signal can delete a passkey for good, so
// each is about a passkey that this database knows, and never about one that it merely does not know.

import type { PasskeySignals } from "../pages/passkey-signals.ts";
import type { PasskeyStore } from "../store/passkeys.ts";
import type { RemovedPasskeyStore } from "../store/removed-passkeys.ts";

/** Of all ids on a page. Those of usual authenticators have 22 to 86 characters. */
const MAX_CHARS = 2000;

export interface Deps {
  readonly issuer: string;
  readonly passkeys: PasskeyStore;
  readonly removedPasskeys: RemovedPasskeyStore;
}

export type SignalsOf = ReturnType<typeof createSignalsOf>;

export function createSignalsOf({ issuer, passkeys, removedPasskeys }: Deps) {
  const { hostname: rpId } = new URL(issuer);
  return { presented, account, deletedAccount };

  /** For the browser that has just presented this credential, which signed nobody in. */
  async function presented(credentialId: string): Promise<PasskeySignals | undefined> {
    if (!(await removedPasskeys.wasRemoved(credentialId))) return undefined;
    return { rpId, removed: [credentialId], accepted: null };
  }

  /** For a browser of the owner, perhaps after the passkey with the thumbprint `removed` was removed. */
  async function account(
    accountId: string,
    removed: string | null = null,
  ): Promise<PasskeySignals | undefined> {
    const ids = removed === null ? [] : await removedPasskeys.removedOf(accountId, removed);
    return signals(fitting(ids), await acceptedOf(accountId));
  }

  /** For the browser in which the owner has just deleted the account. */
  async function deletedAccount(accountId: string): Promise<PasskeySignals | undefined> {
    return signals(fitting(await removedPasskeys.removedOf(accountId, null)), null);
  }

  function signals(
    removed: readonly string[],
    accepted: PasskeySignals["accepted"],
  ): PasskeySignals | undefined {
    return removed.length === 0 && accepted === null ? undefined : { rpId, removed, accepted };
  }

  /**
   * All passkeys or none: each that is missing would be hidden. Since a restore, those that were added after the backup
   * are missing until the owner has confirmed the others, and a newer backup could bring them back.
   */
  async function acceptedOf(accountId: string): Promise<PasskeySignals["accepted"]> {
    const all = await passkeys.passkeysOf(accountId);
    const isComplete = all.every(({ unconfirmed }) => unconfirmed === 0);
    const credentialIds = all.map(({ credentialId }) => credentialId);
    const isShort = fitting(credentialIds).length === credentialIds.length;
    if (all.length === 0 || !isComplete || !isShort) return null;
    return { userHandles: [...new Set(all.map(({ userHandle }) => userHandle))], credentialIds };
  }
}

function fitting(ids: readonly string[]): readonly string[] {
  let chars = 0;
  return ids.filter(({ length }) => {
    chars += length + 1;
    return chars <= MAX_CHARS;
  });
}
