// The order of the steps of a sign-in, defined only here.

import type { Interaction } from "../store/interactions.ts";

export type Step = "dns-setup" | "dns-challenge" | "external" | "consent" | "complete";

/** The current step of an interaction. Steps record their result and do not know their successor. */
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
