// What one resolver or name server says about the TXT records at a name, as it is shown to a person.

import { canonicalName, isAtOrBelow, labelsOf } from "domain-signin-verify/dns/name";
import { decodeHostName, recordType } from "domain-signin-verify/dns/records";
import { foundAlias, foundValues } from "./found-text.ts";
import { isOurs, type Misplaced } from "./mistake.ts";
import type { Panel } from "./panels.ts";
import { MAX_ALIASES, type Query, recordsAt, textOf } from "./resolver.ts";

/** `name` is a name server's host name, or what a resolver is called in the configuration. */
export interface Who {
  readonly kind: "resolver" | "name_server";
  readonly name: string;
  readonly address: string;
}

export interface ServerTexts {
  readonly who: Who;
  readonly outcome: "answered" | "silent" | "failed" | "not_asked";
  readonly values: readonly string[];
  /** Seconds for which a resolver still gives this answer, even if it is an absence. Null if unknown. */
  readonly ttl: number | null;
  /** Set if an alias leads to a name without the label, which is not followed. */
  readonly aliasTarget?: string;
}

/** What all servers say, and the values at names where records are often published by mistake. */
export interface ServerEvidence {
  /** The apex of the zone of the name; null if it is not known. */
  readonly apex: string | null;
  /** Where the zone is edited; null if that is not known. */
  readonly panel: Panel | null;
  readonly answers: readonly ServerTexts[];
  readonly misplaced: readonly Misplaced[];
  /** The wildcard that no longer covers the domain because of the record; null if there is none. */
  readonly wildcard: string | null;
  /** No server has answered, and a question was not sent because a limit was reached. */
  readonly isBusy?: boolean;
}

export const NO_EVIDENCE: ServerEvidence = {
  ...{ apex: null, panel: null },
  ...{ answers: [], misplaced: [], wildcard: null },
};
export const BUSY: ServerEvidence = { ...NO_EVIDENCE, isBusy: true };

export function hasAnswer({ answers }: ServerEvidence): boolean {
  return answers.some(({ outcome }) => outcome === "answered");
}

type Texts = Omit<ServerTexts, "who">;

const FAILED: Texts = { outcome: "failed", values: [], ttl: null };

/** `label` is what the end of aliases must contain. Never rejects. */
export async function answerThrough(
  query: Query,
  { who, name, label }: { who: Who; name: string; label: string },
): Promise<ServerTexts> {
  return { who, ...(await lookUpTexts(query, name, label).catch(() => FAILED)) };
}

/**
 * No values is an answer, not a failure. An alias is not followed if it loops, is one too many, or ends
 * at a name without `label`: a wildcard CNAME to a web host must not hand over the identity.
 */
async function lookUpTexts(query: Query, start: string, label: string): Promise<Texts> {
  const passed = new Set<string>();
  let name = canonicalName(start);
  let ttl = Number.POSITIVE_INFINITY;
  for (;;) {
    const askedName = name;
    const answer = await query(askedName, recordType.TXT);
    if (answer.outcome === "bogus") return FAILED;
    if (answer.outcome === "failed") {
      const isSilent = answer.reason === "timeout" || answer.reason === "network";
      return isSilent ? { ...FAILED, outcome: "silent" } : FAILED;
    }
    let [alias] = recordsAt(answer.records, name, recordType.CNAME);
    while (alias) {
      passed.add(name);
      name = decodeHostName(alias.rdata);
      ttl = Math.min(ttl, alias.ttl);
      if (passed.has(name) || passed.size > MAX_ALIASES) return aliasTo(name, ttl);
      [alias] = recordsAt(answer.records, name, recordType.CNAME);
    }
    const texts = recordsAt(answer.records, name, recordType.TXT);
    const isEnd = name === askedName || texts.length > 0 || answer.outcome === "nxdomain";
    if (!isEnd) continue;
    if (!labelsOf(name).includes(label)) return aliasTo(name, ttl);
    const values = keptValues(texts.map(({ rdata }) => textOf(rdata)));
    if (texts.length > 0) ttl = Math.min(ttl, ...texts.map((text) => text.ttl));
    // An absence is remembered as long as the SOA record beside it (RFC 2308 §5).
    const soa = answer.authorities.find(({ type }) => type === recordType.SOA);
    return { outcome: "answered", values, ttl: texts.length > 0 ? ttl : (soa?.ttl ?? null) };
  }
}

function aliasTo(aliasTarget: string, ttl: number): Texts {
  return { outcome: "answered", values: [foundAlias(aliasTarget).value], ttl, aliasTarget };
}

/** Records of ours come first: other records must not push them out. */
function keptValues(values: readonly string[]): string[] {
  return foundValues([...values].sort((one, other) => Number(isOurs(other)) - Number(isOurs(one))));
}

/** Remembers names that have no record of ours. */
export interface EmptyNames {
  has(name: string): boolean;
  add(name: string): void;
}

/**
 * Records of ours at names where panels and people often put them. No alias is followed. `apex` is the zone's. A name
 * in `empty` is not asked for.
 */
export function misplacedRecords(
  query: Query,
  { domain, name, apex }: { domain: string; name: string; apex: string },
  empty?: EmptyNames,
): Promise<readonly Misplaced[]> {
  const [label = ""] = labelsOf(name);
  const doubled = new Set([`${name}.${apex}`, `${name}.${domain}`]);
  const isWww = labelsOf(domain)[0] === "www";
  const isBelowApex = domain !== apex && isAtOrBelow(domain, apex);
  const places = [
    ...[...doubled].map((place) => ({ kind: "doubled_name", name: place }) as const),
    { kind: "at_domain", name: domain } as const,
    { kind: "no_underscore", name: name.replace(/^_/, "") } as const,
    ...(isWww ? [] : [{ kind: "at_www", name: `${label}.www.${domain}` } as const]),
    ...(isBelowApex ? [{ kind: "at_parent", name: `${label}.${apex}` } as const] : []),
  ];
  const looks = places
    .filter((place) => isName(place.name) && !empty?.has(place.name))
    .map(async (place): Promise<Misplaced> => {
      const answer = await query(place.name, recordType.TXT);
      const records = answer.outcome === "answer" ? answer.records : [];
      const texts = recordsAt(records, place.name, recordType.TXT).map(({ rdata }) =>
        textOf(rdata),
      );
      const values = keptValues(texts.filter(isOurs));
      const isAnswered = answer.outcome === "answer" || answer.outcome === "nxdomain";
      if (isAnswered && values.length === 0) empty?.add(place.name);
      return { ...place, values };
    });
  return Promise.all(looks);
}

/** A name with the domain in it twice may be too long to exist. */
function isName(text: string): boolean {
  try {
    return canonicalName(text) === text;
  } catch {
    return false;
  }
}
