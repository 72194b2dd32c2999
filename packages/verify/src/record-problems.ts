// English sentences about the problems of a record, for the person who edits the zone.

import type { IssuerRule } from "./issuer.ts";
import { MAX_OCTETS, type RecordProblem, type RecordProblemCode } from "./tag-list.ts";

/** `about` is quoted: it is cut to 41 characters, and otherwise as in the record. */
type Sentence = string | ((about: string) => string);

const THUMBPRINTS = "must be 1 to 4 SHA-256 thumbprints of 43 characters, separated by commas.";

const SENTENCES: Readonly<Record<RecordProblemCode, Sentence>> = {
  not_ours: (about) =>
    about === ""
      ? "The record does not begin with v=dsi1: it is another record and is ignored."
      : "The record must begin with v=dsi1: remove everything before it.",
  is_challenge:
    "This is the answer to a challenge: it belongs at _domain-signin-challenge and is ignored here.",
  is_sp_record: "This is the SP record: it belongs at _domain-signin and is ignored here.",
  unsupported_version: (about) => `Version ${about} is not supported.`,
  not_alone: "There are several records with v=dsi1: keep only one.",
  too_long: (about) => `The record is ${about} octets long; at most ${MAX_OCTETS} are allowed.`,
  curly_quotes: "The record contains curly quotation marks: remove them.",
  not_ascii: "The record contains characters that are not printable ASCII.",
  quotes: "The record contains quotation marks that do not enclose all of it: remove them.",
  before_version: "The record must begin with v=dsi1: remove everything before it.",
  upper_case_version: "The version v=dsi1 must be in lower case.",
  spaced_version: "The version v=dsi1 must be written without spaces.",
  malformed_version: (about) =>
    `The record must begin with v=dsi1 and a space, but begins with "${about}".`,
  upper_case_tag: (about) => `The name of the tag ${about} must be in lower case.`,
  malformed_tag: (about) => `"${about}" is not of the form name=value, without spaces.`,
  repeated_tag: (about) => `The tag ${about} occurs more than once.`,
  missing_sp:
    "The tag sp is missing. Some DNS panels cut a value at the first space or semicolon unless it is quoted.",
  bad_sp: (rule) => ISSUER_RULES[rule as IssuerRule],
  own_sp_scheme: (about) => `sp must be exactly ${about}, with the same http or https.`,
  own_sp_path: (about) => `sp must be exactly ${about}: remove the slash and what follows it.`,
  missing_acct: "The tag acct is missing: it names the account at the service provider.",
  bad_acct: "acct must be 22 to 64 letters, digits, hyphens or underscores.",
  bad_jkt: `jkt ${THUMBPRINTS}`,
  bad_spk: `spk ${THUMBPRINTS}`,
  key_in_both: "A key is in jkt and in spk: jkt lists the owner's keys, spk the provider's.",
  missing_chal: "The tag chal is missing: it contains the challenge.",
  bad_chal: "chal must be 22 to 64 letters, digits, hyphens or underscores.",
  other_sp: "The record is for another service.",
  other_chal: "The record answers another challenge.",
};

const ISSUER_RULES: Readonly<Record<IssuerRule, string>> = {
  no_url: "sp must be a URL that begins with https://.",
  query: "The URL in sp must not have a query.",
  fragment: "The URL in sp must not have a fragment.",
  percent: "The URL in sp must not be percent-encoded.",
  userinfo: "The URL in sp must not contain a user name or password.",
  path: "The path of the URL in sp contains a character that is not allowed.",
  dot_segments: "The path of the URL in sp must not contain . or .. segments.",
  port_number: "The URL in sp has an invalid port number.",
  not_https: "The URL in sp must begin with https://.",
  upper_case: "The host of the URL in sp must be in lower case.",
  host: "The host of the URL in sp must be a full domain name, such as sp.example.com.",
  port: "The URL in sp must not have a port.",
};

/**
 * The sentence about one problem, without markup.
 *
 * ```js
 * const set = readSpRecordSet(values);
 * for (const { value, problems } of set.found) console.log(value, problems.map(describeProblem));
 * ```
 */
export function describeProblem({ code, about = "" }: RecordProblem): string {
  const sentence = SENTENCES[code];
  return typeof sentence === "string" ? sentence : sentence(about);
}
