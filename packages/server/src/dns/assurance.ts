// How much a DNS answer is worth.

/** From the least to the most: one resolver's word, several that agree, signatures up to the root. */
export const ASSURANCES = ["single", "corroborated", "secure"] as const;
export type Assurance = (typeof ASSURANCES)[number];

export function isAtLeast(assurance: Assurance, least: Assurance): boolean {
  return ASSURANCES.indexOf(assurance) >= ASSURANCES.indexOf(least);
}
