// What one resolver or name server says about the TXT records at a name, as it is shown to a person.

import type { DnsRecord } from "domain-signin-verify/dns/message";
import { canonicalName, isAtOrBelow, labelsOf } from "domain-signin-verify/dns/name";
import { recordType } from "domain-signin-verify/dns/records";
import { foundAlias, foundValues } from "./found-text.ts";
import { isOurs, type Misplaced } from "./mistake.ts";
import type { Resolver } from "./resolver.ts";
import { lookUpTxt, textsAt } from "./txt.ts";

/** `name` is a name server's host name, or what a resolver is called in the configuration. */
export type Who = {
  readonly kind: "resolver" | "name_server";
  readonly name: string;
  readonly address: string;
};

export type Answer = {
  readonly who: Who;
  readonly outcome: "answered" | "silent" | "failed" | "not_asked";
  readonly values: readonly string[];
  readonly ttl: number | null;
  /** Set if an alias leads to a name without the label, which is not followed. */
  readonly aliasTarget?: string;
};

/** `label` is what the end of aliases must contain. Never rejects. */
export async function answerThrough(
  { query }: Pick<Resolver, "query">,
  { who, name, label }: { who: Who; name: string; label: string },
): Promise<Answer> {
  const nothing = { who, values: [], ttl: null };
  let absenceTtl: number | null = null;
  const resolver: Resolver = {
    async query(asked, type) {
      const answer = await query(asked, type);
      absenceTtl = "authorities" in answer ? soaTtl(answer.authorities) : null;
      return answer;
    },
  };
  try {
    const txt = await lookUpTxt(resolver, name, label);
    switch (txt.outcome) {
      case "values": {
        const ttl = txt.values.length > 0 ? txt.ttl : absenceTtl;
        return { who, outcome: "answered", values: keptValues(txt.values), ttl };
      }
      case "alias_invalid": {
        const { target: aliasTarget, ttl } = txt;
        const values = [foundAlias(aliasTarget).value];
        return { who, outcome: "answered", values, ttl, aliasTarget };
      }
      case "bogus":
        return { ...nothing, outcome: "failed" };
      case "unavailable": {
        const isSilent = txt.reason === "timeout" || txt.reason === "network";
        return { ...nothing, outcome: isSilent ? "silent" : "failed" };
      }
    }
  } catch {
    return { ...nothing, outcome: "failed" };
  }
}

/** An absence is remembered as long as the SOA record beside it (RFC 2308 §5). */
function soaTtl(authorities: readonly DnsRecord[]): number | null {
  return authorities.find(({ type }) => type === recordType.SOA)?.ttl ?? null;
}

/** Records of ours first: what else stands there must not push them out. */
function keptValues(values: readonly string[]): string[] {
  return foundValues([...values].sort((one, other) => Number(isOurs(other)) - Number(isOurs(one))));
}

type Place = Omit<Misplaced, "values">;

/** The names at which panels and people put the record instead, each with the mistake that it is. */
export function misplacedNames(domain: string, name: string, apex: string): readonly Place[] {
  const [label = ""] = labelsOf(name);
  const doubled = new Set([`${name}.${apex}`, `${name}.${domain}`]);
  const isBelowApex = domain !== apex && isAtOrBelow(domain, apex);
  return [
    ...[...doubled].map((place) => ({ kind: "doubled_name", name: place }) as const),
    { kind: "at_domain", name: domain } as const,
    ...(isBelowApex ? [{ kind: "at_parent", name: `${label}.${apex}` } as const] : []),
  ].filter((place) => isName(place.name));
}

/** The records of ours at these names, no alias followed. */
export function misplacedAt(
  { query }: Pick<Resolver, "query">,
  places: readonly Place[],
): Promise<readonly Misplaced[]> {
  const looks = places.map(async (place): Promise<Misplaced> => {
    const answer = await query(place.name, recordType.TXT);
    const texts = answer.outcome === "answer" ? textsAt(answer.records, place.name) : [];
    return { ...place, values: keptValues(texts.filter(isOurs)) };
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
