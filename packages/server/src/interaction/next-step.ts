// The order of the steps of a sign-in, defined only here.

import type { ConsentStore } from "../store/consents.ts";
import type { Interaction } from "../store/interactions.ts";
import type { PendingRequest } from "./pending-request.ts";

export type Step =
  | "dns-setup"
  | "recovery-codes"
  | "passkey"
  | "dns-challenge"
  | "new-passkey"
  | "external"
  | "news"
  | "consent"
  | "complete";

/** The current step of an interaction. Steps record their result and do not know their successor. */
export function nextStep(
  interaction: Pick<
    Interaction,
    | ("accountId" | "method" | "acct" | "recovery" | "codesOfferedFrom" | "codesSavedAt")
    | ("newsFrom" | "decision")
  >,
  mustConsent: boolean,
): Step {
  if (interaction.accountId === null) {
    // The record of a set-up was seen, and its passkey finishes it.
    if (interaction.method === "dns-setup" && interaction.acct !== null) return "passkey";
    return interaction.method === "session" ? "dns-challenge" : interaction.method;
  }
  // The owner was authenticated without the passkeys of the account, and is asked for a new one.
  if (interaction.recovery === "asked" || interaction.recovery === "added") return "new-passkey";
  // Those of a new account, or new ones in the place of the few that are left.
  const hasCodes = interaction.method === "dns-setup" || interaction.codesOfferedFrom !== null;
  if (hasCodes && interaction.codesSavedAt === null) return "recovery-codes";
  // Before the person allows anything: somebody else may have been here.
  if (interaction.newsFrom !== null) return "news";
  if (mustConsent && interaction.decision === null) return "consent";
  return "complete";
}

/** Whether the user must be asked for consent before the client gets its scopes. */
export async function consentNeeded(
  consents: ConsentStore,
  accountId: string,
  request: Pick<PendingRequest, "clientId" | "consent" | "permissions" | "prompt">,
): Promise<boolean> {
  if (request.consent === "always" || request.prompt.has("consent")) return true;
  if (request.consent === "never") return false;
  const granted = await consents.readConsent(accountId, request.clientId);
  return request.permissions.some((permission) => !granted.has(permission));
}
