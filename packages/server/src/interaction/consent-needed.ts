// Decides whether the user must be asked for consent before a client gets its scopes.

import type { ConsentStore } from "../store/consents.ts";
import type { PendingRequest } from "./pending-request.ts";

export async function consentNeeded(
  store: Pick<ConsentStore, "readConsent">,
  accountId: string,
  request: Pick<PendingRequest, "clientId" | "consent" | "scopes" | "prompt">,
): Promise<boolean> {
  if (request.consent === "always" || request.prompt.has("consent")) return true;
  if (request.consent === "never") return false;
  const granted = await store.readConsent(accountId, request.clientId);
  return request.scopes.some((scope) => !granted.has(scope));
}
