// The order of the steps of a sign-in, defined only here.

import type { Authenticated, Progress, Proving } from "../store/interaction-row.ts";
import type { PendingRequest } from "./pending-request.ts";

export interface ProgressAt {
  readonly "dns-setup": Extract<Proving, { readonly step: "dns-setup" }>;
  readonly passkey: Extract<Proving, { readonly step: "passkey" }>;
  readonly "dns-challenge": Extract<Proving, { readonly step: "dns-challenge" }>;
  readonly external: Extract<Proving, { readonly step: "external" }>;
  readonly "new-passkey": Authenticated;
  readonly "recovery-codes": Authenticated;
  readonly news: Authenticated;
  readonly consent: Authenticated;
  readonly complete: Authenticated;
}

export type Step = keyof ProgressAt;

/** The current step of a sign-in. Steps record their result and do not know their successor. */
export function nextStep(progress: Progress, mustConsent: boolean): Step {
  if (progress.step !== "authenticated") return progress.step;
  // The owner was authenticated without the passkeys of the account, and is asked for a new one.
  if (progress.recovery === "asked" || progress.recovery === "added") return "new-passkey";
  if (progress.codes !== null) return "recovery-codes";
  // Before the person allows anything: somebody else may have been here.
  if (progress.newsFrom !== null) return "news";
  if (mustConsent && progress.decision === null) return "consent";
  return "complete";
}

/** Whether the user must be asked for consent before the client gets its scopes. `granted` is what was consented to. */
export function isConsentNeeded(
  { consent, prompt, permissions }: PendingRequest,
  granted: ReadonlySet<string>,
): boolean {
  if (consent === "always" || prompt.has("consent")) return true;
  return consent === "first" && permissions.some((permission) => !granted.has(permission));
}
