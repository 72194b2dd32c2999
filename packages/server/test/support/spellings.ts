// How panels and people write an SP record, and what the set-up page then says in English.

import type { DnsRecord } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { aliasRecord, record } from "./dns-server.ts";

export const SPELLING_ISSUER = "https://auth.example.com";
export const SPELLING_ACCT = "m3Zk0bq2vS1nF9o7b0uHqg";
/** The account of a set-up that the same browser began before. */
export const EARLIER_ACCT = "Qk1x9sV0eJ7tYw2LrB5cDA";

export interface Spelling {
  readonly spelling: string;
  readonly domain: string;
  readonly wanted: string;
  readonly published: readonly DnsRecord[];
  readonly isRegistered: boolean;
  /** All sentences of the page about it; null if the record is accepted. */
  readonly says: string | null;
}

const DOMAIN = "alice.test";
const NAME = `_domain-signin.${DOMAIN}`;
const WANTED = `v=dsi1 sp=${SPELLING_ISSUER} acct=${SPELLING_ACCT}`;
const KEYS = ["A", "B", "C", "D"].map((letter) => letter.repeat(43)).join(",");
const LONG = `${WANTED} jkt=${KEYS} spk=${"E".repeat(43)}`;
const SPF = "v=spf1 -all";
const ofAccount = (acct: string) => WANTED.replace(SPELLING_ACCT, acct);

/** One TXT record with these strings. */
function text(name: string, ...strings: string[]): DnsRecord {
  const octets = strings.flatMap((one) => [Buffer.byteLength(one), ...Buffer.from(one)]);
  return record(name, recordType.TXT, Uint8Array.from(octets));
}

/** At the name of the record; one TXT record for each value, of strings of 255 octets. */
function values(...all: string[]): DnsRecord[] {
  return all.map((value) => text(NAME, ...(value.match(/[\s\S]{1,255}/g) ?? [""])));
}

function row(
  spelling: string,
  published: readonly DnsRecord[],
  says: string | null,
  more: Partial<Spelling> = {},
): Spelling {
  return { spelling, domain: DOMAIN, wanted: WANTED, published, isRegistered: true, says, ...more };
}

const accepted = (spelling: string, ...all: string[]) => row(spelling, values(...all), null);

const ACCEPTED: readonly Spelling[] = [
  accepted("as the page shows it", WANTED),
  accepted("a space at the end", `${WANTED} `),
  accepted("white space at both ends", ` \t${WANTED}\t `),
  accepted("tabs instead of spaces", WANTED.replaceAll(" ", "\t")),
  accepted("two spaces instead of one", WANTED.replaceAll(" ", "  ")),
  accepted("semicolons and spaces", WANTED.replaceAll(" ", "; ")),
  accepted("semicolons without spaces", WANTED.replaceAll(" ", ";")),
  accepted("a semicolon at the end", `${WANTED};`),
  accepted("escaped semicolons", WANTED.replaceAll(" ", "\\; ")),
  accepted("in quotation marks, which the panel kept", `"${WANTED}"`),
  accepted("in quotation marks, with spaces beside them", ` " ${WANTED} " `),
  row("longer than 255 octets, in two strings", values(LONG), null, { wanted: LONG }),
  row(
    "in two strings, split within a word",
    [text(NAME, WANTED.slice(0, 30), WANTED.slice(30))],
    null,
  ),
  accepted(
    "split, and the panel kept the quotation marks of the parts",
    `"${WANTED.slice(0, 30)}" "${WANTED.slice(30)}"`,
  ),
  accepted("the parts in another order", `v=dsi1 acct=${SPELLING_ACCT} sp=${SPELLING_ISSUER}`),
  accepted("an unknown part added", `${WANTED} note=mine`),
  accepted("another TXT record beside it", SPF, WANTED),
  accepted(
    "a challenge beside it",
    `v=dsi1-chal sp=${SPELLING_ISSUER} chal=${"c".repeat(22)}`,
    WANTED,
  ),
];

const MALFORMED = "We found the record, but it contains a mistake.";
const OTHER_VALUE = `We found a record, but not this one. If you have just changed ${NAME}, the old value can stay visible until its TTL expires. Otherwise, compare the values.`;
const SPACES_LOST =
  "The spaces in the record’s value are missing. Your DNS panel removes them. Enter the value in quotation marks, or with a semicolon in place of each space.";
const WRONG_CASE =
  "The record’s value has the wrong upper-case or lower-case letters. Copy the value from this page and enter it as it is.";
const WRONG_CHARACTER =
  "One character of the record is wrong. Copy the value from this page instead of typing it.";
const INCOMPLETE =
  "The record is incomplete. Part of the value is missing. Copy the whole value from this page again.";
const CURLY =
  "The record’s value contains curly quotation marks. A text editor has probably added them. Copy the value from this page and enter it without them.";
const QUOTED =
  "The record’s value contains quotation marks. Your DNS panel adds them automatically. Enter the value without them.";
const CUT =
  "The record is cut off after v=dsi1. Your DNS panel treats the space or semicolon as the end. Enter the value in quotation marks.";
const movedFrom = (name: string, to = NAME) =>
  `The record is at ${name} instead. It belongs at ${to}. Move it there.`;

const refused = (spelling: string, says: string, ...all: string[]) =>
  row(spelling, values(...all), says);

const WRONG_VALUES: readonly Spelling[] = [
  row("split into strings at each space", [text(NAME, ...WANTED.split(" "))], SPACES_LOST),
  refused("without its spaces", SPACES_LOST, WANTED.replaceAll(" ", "")),
  refused(
    "a space inside",
    "The record’s value contains a space in the wrong place. Copy the value again and enter it in one piece.",
    WANTED.replace("bq2v", "bq2 v"),
  ),
  refused("in curly quotation marks", CURLY, `“${WANTED}”`),
  refused("in low quotation marks", CURLY, `„${WANTED}“`),
  refused("a quotation mark at one end", QUOTED, `${WANTED}"`),
  refused("quotation marks around a part", QUOTED, WANTED.replace(/sp=(\S+)/, 'sp="$1"')),
  refused("an upper-case version", WRONG_CASE, WANTED.replace("v=dsi1", "V=DSI1")),
  refused("upper-case tags", WRONG_CASE, WANTED.replace("sp=", "SP=").replace("acct=", "ACCT=")),
  refused("all in upper case", WRONG_CASE, WANTED.toUpperCase()),
  refused("one letter wrong", WRONG_CHARACTER, WANTED.replace("bq2v", "bq2w")),
  refused("one letter missing", WRONG_CHARACTER, WANTED.replace("bq2v", "b2v")),
  refused("one letter too many", WRONG_CHARACTER, WANTED.replace("bq2v", "bq22v")),
  refused("cut at the first space", CUT, "v=dsi1"),
  refused("cut at the first semicolon, with the opening quotation mark", CUT, '"v=dsi1;'),
  refused("cut at the end", INCOMPLETE, WANTED.slice(0, -6)),
  refused("without acct", INCOMPLETE, WANTED.replace(/ acct=\S+/, "")),
  refused("without sp", INCOMPLETE, WANTED.replace(/ sp=\S+/, "")),
  refused(
    "the type before it",
    `${MALFORMED} The record must begin with v=dsi1: remove everything before it.`,
    `TXT ${WANTED}`,
  ),
  refused(
    "a slash after the service",
    `${MALFORMED} sp must be exactly ${SPELLING_ISSUER}: remove the slash and what follows it.`,
    WANTED.replace(SPELLING_ISSUER, `${SPELLING_ISSUER}/`),
  ),
  refused(
    "http for https",
    `${MALFORMED} sp must be exactly ${SPELLING_ISSUER}, with the same http or https.`,
    WANTED.replace("https:", "http:"),
  ),
  refused(
    "words after it",
    `${MALFORMED} "please" is not of the form name=value, without spaces.`,
    `${WANTED} please`,
  ),
  refused(
    "a letter of another alphabet",
    `${MALFORMED} The record contains characters that are not printable ASCII.`,
    `${WANTED} note=\u0430`,
  ),
  refused(
    "longer than 1,024 octets",
    "The record’s value is too long. Enter only the value from this page.",
    `${WANTED} note=${"x".repeat(1000)}`,
  ),
];

const OTHER_RECORDS: readonly Spelling[] = [
  refused(
    "the record of an earlier setup of this browser",
    "This is the record of an earlier setup in this browser. Replace its value with the one shown here.",
    ofAccount(EARLIER_ACCT),
  ),
  refused("the record of another account", OTHER_VALUE, ofAccount("z".repeat(22))),
  refused(
    "the record of another service",
    "The record is for another service. To sign in here, replace its value with the one shown on this page.",
    WANTED.replace(SPELLING_ISSUER, "https://sp.example.net"),
  ),
  refused(
    "the old record and the new one",
    "The record is there, but another sign-in record is beside it. There must be exactly one. Delete the other one in your DNS settings.",
    ofAccount("z".repeat(22)),
    WANTED,
  ),
  refused(
    "two old records",
    "alice.test has more than one sign-in record. There must be exactly one. Delete the others in your DNS settings.",
    ofAccount("y".repeat(22)),
    ofAccount("z".repeat(22)),
  ),
  refused(
    "the value in two records",
    "The value is split into two records. Enter the whole value in one record, and delete the other one.",
    ...WANTED.split(/ (?=acct)/),
  ),
  refused(
    "a challenge instead of the record",
    `${OTHER_VALUE} This is the answer to a challenge: it belongs at _domain-signin-challenge and is ignored here.`,
    `v=dsi1-chal sp=${SPELLING_ISSUER} chal=${SPELLING_ACCT}`,
  ),
  refused(
    "a newer version",
    `${OTHER_VALUE} Version dsi2 is not supported.`,
    WANTED.replace("dsi1", "dsi2"),
  ),
];

const ABSENT = "Not there yet.";
const SHOP = "shop.alice.test";

const WRONG_NAMES: readonly Spelling[] = [
  row("at the domain itself", [text(DOMAIN, WANTED)], movedFrom(DOMAIN)),
  row(
    "with the domain twice in the name",
    [text(`${NAME}.${DOMAIN}`, WANTED)],
    `The record is at ${NAME}.${DOMAIN}, which contains the domain twice. Your DNS panel adds the domain automatically. As the name, enter only _domain-signin.`,
  ),
  row(
    "without the underscore",
    [text(`domain-signin.${DOMAIN}`, WANTED)],
    `The record is at domain-signin.${DOMAIN}, without the underscore. It belongs at ${NAME}, with the underscore at the beginning.`,
  ),
  row(
    "below www",
    [text(`_domain-signin.www.${DOMAIN}`, WANTED)],
    movedFrom(`_domain-signin.www.${DOMAIN}`),
  ),
  row(
    "at the domain instead of the name below it",
    [text(NAME, WANTED)],
    movedFrom(NAME, `_domain-signin.${SHOP}`),
    { domain: SHOP },
  ),
  row(
    "at the domain itself, in quotation marks and with semicolons",
    [text(DOMAIN, `"${WANTED.replaceAll(" ", "; ")}"`)],
    movedFrom(DOMAIN),
  ),
  row(
    "an alias to the web host",
    [aliasRecord(NAME, `www.${DOMAIN}`)],
    "The sign-in record for alice.test is an alias of a name that is not meant for sign-in. The usual cause is a wildcard CNAME record. Publish a TXT record at _domain-signin instead, or point the alias to a name that contains _domain-signin.",
  ),
  row("nowhere", [], ABSENT),
  row(
    "nowhere yet, for a name below a wildcard",
    [record(`*.${DOMAIN}`, recordType.A, Uint8Array.of(192, 0, 2, 1))],
    `${ABSENT.replace(NAME, `_domain-signin.${SHOP}`)} With this record in place, the wildcard *.${DOMAIN} no longer applies to ${SHOP}. To keep its website and email, copy the wildcard’s records (such as A, AAAA and MX) to that name.`,
    { domain: SHOP },
  ),
  row("another TXT record", values(SPF), ABSENT),
  row(
    "for a domain that is not registered",
    [],
    "alice.test is not a registered domain. Check the spelling. If you have just registered the domain, try again in a few minutes.",
    { isRegistered: false },
  ),
];

export const SPELLINGS: readonly Spelling[] = [
  ...ACCEPTED,
  ...WRONG_VALUES,
  ...OTHER_RECORDS,
  ...WRONG_NAMES,
];
