// A passkey that a restored backup has brought back: the zone must confirm it before it signs in again.
//
// It may have been removed after the backup. If the record lists its key now, that confirms it. Otherwise a DNS challenge
// does, in the interaction in which the passkey signed.

import type { Interaction } from "../store/interactions.ts";
import type { Passkey } from "../store/passkeys.ts";
import type { Deps } from "./deps.ts";

const PREFIX = "to be confirmed: ";

/** What an interaction keeps of the passkey that signed in it. No statement has this form, since those are JSON. */
export function confirmationOf({ credentialId }: Pick<Passkey, "credentialId">): string {
  return `${PREFIX}${credentialId}`;
}

/** The passkey that signed in this interaction and that its DNS challenge confirms. Null if there is none. */
export async function passkeyToConfirm(
  { method, passkeyStatement }: Pick<Interaction, "method" | "passkeyStatement">,
  accountId: string,
  { passkeys }: Pick<Deps, "passkeys">,
): Promise<Passkey | null> {
  if (method !== "dns-challenge" || !passkeyStatement?.startsWith(PREFIX)) return null;
  const all = await passkeys.passkeysOf(accountId);
  return all.find((passkey) => confirmationOf(passkey) === passkeyStatement) ?? null;
}
