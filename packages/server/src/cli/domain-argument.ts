// Reads the domain that an operator typed as an argument.

import { type DomainNameOptions, readDomain } from "../account/domain-name.ts";
import { OperatorError } from "../lib/errors.ts";
import { english } from "../pages/languages.ts";

/** The domain in A-labels, lower case, without a final dot. Throws `OperatorError` if it cannot sign in. */
export function readDomainOrThrow(typed: string, config: DomainNameOptions): string {
  const input = readDomain(typed, config);
  if (input.ok) return input.domain;
  const { summary, details } = english().explanation(`domainMistakes-${input.mistake}`, {
    domain: input.about,
    example: `alice.${input.about}`,
  });
  throw new OperatorError([summary, ...details].join(" "));
}
