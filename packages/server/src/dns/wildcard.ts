// Whether a record below a domain takes the domain out of a wildcard: a name with names below it exists (RFC 4592 §2.2.2).

import { isAtOrBelow, labelsOf } from "domain-signin-verify/dns/name";
import { decodeHostName, recordType } from "domain-signin-verify/dns/records";
import { createCache } from "../lib/cache.ts";
import type { MonotonicClock } from "../lib/clock.ts";
import { isOurs } from "./mistake.ts";
import { type DnsAnswer, type Query, recordsAt, textOf } from "./resolver.ts";
import { spRecordName } from "./sp-record.ts";

/** What a zone has at a domain, and at the wildcards that may cover the domain. */
interface Covering {
  /** The wildcard beside the domain first. */
  readonly wildcards: readonly { readonly name: string; readonly records: string }[];
  /** Those of a wildcard, unless the domain exists. */
  readonly ofDomain: string;
}

/** `answer` is what the zone has at `name`, which is below `domain`. */
interface RecordPlace {
  readonly domain: string;
  readonly name: string;
  readonly apex: string;
  readonly answer: DnsAnswer;
}

const { A, CNAME, TXT } = recordType;
const MX = 15;
/** A CNAME record answers for both types. */
const TYPES = [A, MX];
/** Wildcards change seldom, and a page looks at the record every few seconds. */
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 1000;

/**
 * Creates the function that names the wildcard that does not cover the domain once the SP record is published, or that
 * already does not; null if there is none, or if the domain has records of its own. Asks `query` at most six questions,
 * and none for a zone's apex.
 */
export function createLostWildcards(clock: MonotonicClock) {
  const lost = createCache<string | null>({ clock, maxEntries: MAX_REMEMBERED });

  return async (query: Query, place: RecordPlace): Promise<string | null> => {
    const { domain, name, apex, answer } = place;
    const wildcards = wildcardsOver(domain, apex);
    // Before a challenge is published, the domain has an SP record below it.
    if (wildcards.length === 0 || name !== spRecordName(domain)) return null;
    const state = stateOf(name, answer);
    // If a wildcard covered the domain, it would cover the name below the domain, too.
    if (state === "absent") return null;
    const key = `${state} ${domain}`;
    const known = lost.get(key);
    if (known !== undefined) return known;
    const covering = await readCovering(query, domain, wildcards);
    if (covering === null) return null;
    const wildcard = lostIn(covering, state);
    lost.set(key, wildcard, REMEMBERED_MS);
    return wildcard;
  };
}

/** The wildcard beside the domain, and that below the zone's apex. A wildcard between them is not looked for. */
function wildcardsOver(domain: string, apex: string): string[] {
  if (domain === apex || !isAtOrBelow(domain, apex)) return [];
  const parent = labelsOf(domain).slice(1).join(".");
  return [...new Set([parent, apex])].map((ancestor) => `*.${ancestor}`);
}

/** "covered": the name has no record of its own, but a wildcard may give it other types. */
function stateOf(name: string, answer: DnsAnswer): "published" | "covered" | "absent" {
  if (answer.outcome !== "answer") return "absent";
  const [label = ""] = labelsOf(name);
  const isPublished =
    recordsAt(answer.records, name, TXT).some(({ rdata }) => isOurs(textOf(rdata))) ||
    // A wildcard's alias leads to a host, an owner's to a name for sign-in.
    recordsAt(answer.records, name, CNAME).some(({ rdata }) =>
      labelsOf(decodeHostName(rdata)).includes(label),
    );
  return isPublished ? "published" : "covered";
}

/** Null if a question was not answered. */
async function readCovering(
  query: Query,
  domain: string,
  wildcards: readonly string[],
): Promise<Covering | null> {
  const names = [domain, ...wildcards];
  const answers = await Promise.all(
    names.map((name) => Promise.all(TYPES.map((type) => query(name, type)))),
  );
  const isKnown = ({ outcome }: DnsAnswer) => outcome === "answer" || outcome === "nxdomain";
  if (!answers.flat().every(isKnown)) return null;
  const [ofDomain = "", ...ofWildcards] = names.map((name, index) =>
    recordsOf(name, answers[index] ?? []),
  );
  const named = wildcards.map((name, index) => ({ name, records: ofWildcards[index] ?? "" }));
  return { ofDomain, wildcards: named };
}

/** The data at the name, as a text that is equal for equal data. */
function recordsOf(name: string, answers: readonly DnsAnswer[]): string {
  const texts = answers
    .flatMap((answer) => ("records" in answer ? answer.records : []))
    .filter((record) => record.name === name && [A, MX, CNAME].some((one) => one === record.type))
    .map(({ type, rdata }) => `${type} ${Buffer.from(rdata).toString("hex")}`);
  return [...new Set(texts)].sort().join(" ");
}

function lostIn({ wildcards, ofDomain }: Covering, state: "published" | "covered"): string | null {
  const [beside] = wildcards;
  // If both wildcards have the same data, the one below the apex has answered for the other.
  const wildcard = wildcards.findLast(({ records }) => records === beside?.records);
  if (wildcard === undefined || wildcard.records === "") return null;
  const isLost = ofDomain === (state === "published" ? "" : wildcard.records);
  return isLost ? wildcard.name : null;
}
