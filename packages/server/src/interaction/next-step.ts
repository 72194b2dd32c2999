// The order of a sign-in: the one place that knows what comes after what.

import type { Interaction } from "../store/interactions.ts";

export type Step = "dns-setup" | "dns-challenge" | "external" | "consent" | "complete";

/**
 * The step that an interaction waits for. Every step records what it proved and comes back here;
 * none names another.
 */
export function nextStep(
  interaction: Pick<Interaction, "accountId" | "method" | "decision">,
  consentNeeded: boolean,
): Step {
  if (interaction.accountId === null) {
    return interaction.method === "session" ? "dns-challenge" : interaction.method;
  }
  if (consentNeeded && interaction.decision === null) return "consent";
  return "complete";
}
