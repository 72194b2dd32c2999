// How the answer of each place begins when DNS misbehaves, by what the misbehaviour comes to.

import type { Place } from "./bad-dns.ts";

/** "none": nobody notices. */
export type Cause =
  | "indeterminate"
  | "unconfirmed"
  | "contradictory"
  | "bogus"
  | "alias"
  | "absent"
  | "ambiguous"
  | "invalid"
  | "none";

const NOT_THERE = "Not there yet";
const OTHER = "We found a record, but not this one";

/** How the answer of each place begins. */
export const ANSWERS: Readonly<Record<Cause, Readonly<Record<Place, string>>>> = {
  indeterminate: failing("The DNS servers for \\S+ did not answer"),
  unconfirmed: failing("We could not confirm the DNS answer for \\S+"),
  contradictory: failing("DNS servers disagree about \\S+"),
  bogus: failing("DNSSEC validation failed for \\S+"),
  alias: changed("200 dns-setup", "The sign-in record for \\S+ is an alias", OTHER),
  absent: changed("200 dns-setup", NOT_THERE, `(${NOT_THERE}|${OTHER})`),
  ambiguous: changed("422 domain", "\\S+ has more than one sign-in record", OTHER),
  invalid: {
    ...changed("422 domain", "The record is incomplete", OTHER),
    "the first page": "422 domain: The sign-in record for \\S+ contains an error",
  },
  none: {
    ...changed("200 dns-setup", NOT_THERE, NOT_THERE),
    ...{ "continue as": "to the app: a code", "prompt=none": "to the app: a code" },
    "a refresh": "200",
  },
};

/** Nothing is known, so nothing changes: a refresh goes on, all others wait. */
function failing(words: string): Record<Place, string> {
  return {
    ...changed("503 domain", words, words),
    "continue as": `503 problem: .*${words}`,
    "prompt=none": "to the app: temporarily_unavailable",
    "a refresh": "200",
  };
}

/** The zone has spoken, and names no account. */
function changed(first: string, setUp: string, challenge: string): Record<Place, string> {
  return {
    "the first page": `${first}: ${setUp}`,
    "a look of the set-up page": `200 dns-setup: ${setUp}`,
    "its check": `200 dns-setup: ${setUp}`,
    "a look of the challenge page": `200 dns-challenge: ${challenge}`,
    "its answer": `200 dns-challenge: ${challenge}`,
    "its recovery code": `200 dns-challenge: ${challenge}`,
    "continue as": "200 domain: ",
    "prompt=none": "to the app: login_required",
    // It looks in the background, but a person who comes at the same time puts the account to sleep.
    "a refresh": "(200|503 temporarily_unavailable)$",
  };
}
