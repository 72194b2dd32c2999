// The levels of trust in a DNS answer.

/** From the least to the most: an answer from one resolver, agreement of several, signatures up to the root. */
export const ASSURANCES = ["single", "corroborated", "secure"] as const;
export type Assurance = (typeof ASSURANCES)[number];

/** The smallest number of resolvers with which two that agree outvote another. */
export const RESOLVERS_FOR_A_MAJORITY = 3;

/** Why a service cannot run with this number of resolvers; null if it can. */
export function resolversMistake(minAssurance: Assurance, resolvers: number): string | null {
  return minAssurance === "single" || resolvers >= RESOLVERS_FOR_A_MAJORITY
    ? null
    : `min_assurance ${minAssurance} needs at least ${RESOLVERS_FOR_A_MAJORITY} resolvers, so that two can outvote one, but dns_servers lists ${resolvers}: list ${RESOLVERS_FOR_A_MAJORITY} of different operators, or set min_assurance to single and trust the answers of one`;
}

export function isAtLeast(assurance: Assurance, least: Assurance): boolean {
  return ASSURANCES.indexOf(assurance) >= ASSURANCES.indexOf(least);
}
