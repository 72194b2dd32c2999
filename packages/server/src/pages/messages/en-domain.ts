// What the English catalogue says about domains and their records.

import type { RecordProblem, RecordProblemCode } from "domain-signin-verify/record";

/** A sentence that says what is the matter, and what to do about it. */
export type Explanation = { summary: string; details: string[] };

/** What is wrong with the domain as it was typed; `domain` is the domain in it, or else what was typed. */
export const domainMistakes = {
  empty: (): Explanation => say("Enter the domain name you want to sign in with."),
  email_address: (domain: string): Explanation =>
    say(
      `${domain} is the domain of that address; do you own it?`,
      `If ${domain} is yours, enter it without the part before the @. An address at a mail provider cannot be used here.`,
    ),
  url_with_path: (domain: string): Explanation =>
    say("Enter only the domain, not the whole address of a page.", `That would be ${domain}.`),
  single_label: (domain: string): Explanation =>
    say(`“${domain}” is not a full domain name.`, "Enter it with its ending, such as alice.com."),
  ip_address: (domain: string): Explanation =>
    say(`${domain} is an IP address.`, "Enter a domain name, such as alice.com."),
  numeric_tld: (domain: string): Explanation =>
    say(`“${domain}” ends in a number.`, "No domain name does. Is the ending missing?"),
  too_long: (): Explanation =>
    say(
      "That is longer than a domain name can be here.",
      "A domain may have 228 characters, and at most 63 between two dots.",
    ),
  public_suffix: (domain: string): Explanation =>
    say(
      `${domain} is an ending that many domains share.`,
      `Enter your own name under it, such as alice.${domain}.`,
    ),
  special_use: (domain: string): Explanation =>
    say(
      `${domain} ends in a name that is set aside for special use.`,
      "Nobody can own a domain under it. Enter one that you have registered.",
    ),
  bad_characters: (domain: string): Explanation =>
    say(
      `“${domain}” has characters that a domain name cannot have.`,
      "Look for spaces, underscores and signs that came along when copying.",
    ),
};

/** What the look-up of a domain's record came to, where that is not simply the next page. */
export const lookOutcomes = {
  absent: (domain: string): Explanation => say(`${domain} has no sign-in record yet.`),
  disabled: (domain: string): Explanation =>
    say(
      `Nobody may sign in as ${domain}.`,
      "Its record says so (sp=none). If the domain is yours, you can change that in its DNS.",
    ),
  invalid: (domain: string): Explanation =>
    say(`The sign-in record of ${domain} has a mistake in it.`, "Correct it in your DNS settings."),
  ambiguous: (domain: string): Explanation =>
    say(
      `${domain} has more than one sign-in record.`,
      "There must be exactly one. Remove the others in your DNS settings.",
    ),
  unsupported: (domain: string): Explanation =>
    say(
      `The sign-in record of ${domain} is of a newer kind than this service understands.`,
      "It needs a record that begins with v=dsi1.",
    ),
  alias_invalid: (domain: string): Explanation =>
    say(
      `The sign-in record of ${domain} is an alias of a name that is not meant for sign-in.`,
      "Most often this comes from a wildcard CNAME record. Publish a TXT record at _domain-signin instead, or let the alias end at a name with _domain-signin in it.",
    ),
  unavailable: (domain: string): Explanation =>
    say(
      `The DNS of ${domain} did not answer.`,
      "So we cannot tell what it says. This is often over in a minute: try again. If it stays, ask who runs the DNS of the domain.",
    ),
  unconfirmed: (domain: string): Explanation =>
    say(
      `Too few of our resolvers say the same about the DNS of ${domain}.`,
      "Two of them must say the same before we believe it. After a change in DNS this takes a few minutes: try again.",
    ),
  bogus: (domain: string): Explanation =>
    say(
      `The DNS of ${domain} is signed (DNSSEC), but the signatures do not hold.`,
      "We believe nothing it says until they do. Whoever runs the DNS of the domain can repair this.",
    ),
  external: (domain: string): Explanation =>
    say(
      `The record of ${domain} names another service now.`,
      "That one signs you in. Go back to the app, and begin again.",
    ),
  names_another: (domain: string, sp: string, client: string): Explanation =>
    say(
      `The record of ${domain} names another service: ${sp}.`,
      `${client} sent you here as if it named this one. Either the record was changed a moment ago, or two services point at each other. Go back to the app and try again; if it stays so, look at the record in your DNS settings.`,
    ),
  own_unknown: (domain: string): Explanation =>
    say(
      `The record of ${domain} belongs to a set-up that another browser began.`,
      "Finish in that browser, or publish the record shown here in place of the old one.",
    ),
  not_permitted: (domain: string): Explanation =>
    say(
      `This service is not open to ${domain}.`,
      "This service accepts only domains whose DNS is signed (DNSSEC). Whoever runs the DNS of the domain can sign it.",
    ),
};

/** What a look for a record to publish saw, while its owner waits. */
export const looks = {
  seen: (): Explanation => say("The record is there."),
  absent: (name: string): Explanation =>
    say(
      "The record is not there yet.",
      `We looked for ${name}. A new record is mostly seen within a few minutes, at some companies within an hour.`,
    ),
  otherValue: (name: string): Explanation =>
    say(
      "There is a record, but not this one.",
      `If you have just changed ${name}, the old value may be seen until its TTL is over. Otherwise compare the values.`,
    ),
  atDomain: (domain: string, name: string): Explanation =>
    say(`The record is at ${domain} itself.`, `It belongs at ${name}. Move it there.`),
  doubledName: (name: string, entry: string): Explanation =>
    say(
      `The record is at ${name}, with the domain in its name twice.`,
      `Your panel puts the domain at the end by itself: as the name, enter only ${entry}.`,
    ),
  cutAtSemicolon: (): Explanation =>
    say(
      "The record ends at its first semicolon.",
      "Your panel takes the semicolon as an end. Enter the value in quotation marks.",
    ),
  inQuotes: (): Explanation =>
    say(
      "The record has quotation marks in its value.",
      "Your panel adds them by itself: enter the value without them.",
    ),
  oldValue: (seconds: number): Explanation =>
    say(
      "Your name servers have the record. Others still remember what was there before.",
      `That is over in ${seconds} seconds at the latest. You need not do anything.`,
    ),
  notCertain: (): Explanation =>
    say(
      "Some servers see the record, others do not yet.",
      "This mostly takes a few minutes. You need not do anything.",
    ),
};

/** What each DNS server said, one by one. */
export const servers = {
  title: "What each DNS server says",
  question: (name: string) => `We asked each of them for the TXT record at ${name}.`,
  resolver: (address: string) => `Resolver ${address}`,
  nameServer: (name: string) => `Name server ${name}`,
  found: {
    wanted: "has this record",
    other: "has another value",
    absent: "has no such record",
    silent: "did not answer",
    failed: "answered with an error",
    not_asked: "was not asked, since its address is not a public one",
  },
  /** How long a resolver may go on with what it said. */
  repeats: (seconds: number) => `It may go on saying so for ${seconds} seconds.`,
};

/** One thing that is wrong with a record that was found; `message` says it in English. */
export type FoundProblem = Omit<RecordProblem, "code"> & {
  readonly code: RecordProblemCode | "alias_leads_away";
};

export const recordProblem = ({ message }: FoundProblem): string => message;

export const recoveryProblems = {
  missing: "Enter one of your recovery codes.",
  wrong: "That is not one of the codes for this domain, or it was used before.",
  tooMany: "Too many codes were tried here. Wait a few minutes, then try again.",
};

function say(summary: string, ...details: string[]): Explanation {
  return { summary, details };
}
