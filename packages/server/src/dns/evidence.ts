// Asks the resolvers and the name servers of a zone what stands at a name, and where it stands by mistake.

import { type DnsMessage, rcode } from "domain-signin-verify/dns/message";
import { canonicalName, isAtOrBelow, labelsOf } from "domain-signin-verify/dns/name";
import { classIn, recordType } from "domain-signin-verify/dns/records";
import { askUntil, type DnsServer, type Reply } from "./exchange.ts";
import { foundAlias, foundValues } from "./found-text.ts";
import { isOurs, type Misplaced } from "./mistake.ts";
import { findNameServers, type Reach, type ZoneServers } from "./name-servers.ts";
import { answerOf, type Resolver } from "./resolver.ts";
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
};

/** All that one set of queries told, whatever value was wanted. */
export type Evidence = {
  readonly answers: readonly Answer[];
  readonly misplaced: readonly Misplaced[];
};

type Ask = (name: string, type: number) => Promise<Reply>;

/** Someone who was asked, and may be asked more. */
type Witness = { readonly ask: Ask; readonly answer: Promise<Answer> };

// Parts of the time for a set: by when the zone is known, the answers are there, and all is done.
const zonePart = 0.5;
const answersPart = 0.8;
const allPart = 1;

/**
 * Makes the function that asks one set of queries about canonical `name` below canonical `domain`.
 * `text` is what a resolver is called. Packets go to `servers` and to what `reach` returns, nowhere
 * else.
 */
export function createGather(setup: {
  servers: readonly { readonly text: string; readonly server: DnsServer }[];
  reach: Reach;
  totalMs: number;
}): (domain: string, name: string) => Promise<Evidence> {
  const { servers, reach, totalMs } = setup;

  return async (domain, name) => {
    const start = performance.now();
    const asker = (server: DnsServer, part: number, recursionDesired: boolean): Ask => {
      const deadline = start + totalMs * part;
      return (asked, type) => {
        const question = { name: asked, type, class: classIn };
        return askUntil(server, { question, recursionDesired }, deadline);
      };
    };

    const resolvers = servers.map(({ text, server }) => {
      const who: Who = { kind: "resolver", name: text, address: server.address };
      const answer = lookAt(who, name, asker(server, answersPart, true));
      return { server, answer, ask: asker(server, allPart, true) };
    });
    // The resolver that answers first leads to the name servers: it works, and it is quick.
    const guide = await firstAnswered(resolvers);
    if (!guide) return { answers: await answersOf(resolvers), misplaced: [] };

    const zone = await zoneOf(name, asker(guide.server, zonePart, true), reach);
    const apex = zone?.apex ?? domain;
    const nameServers = (zone?.nameServers ?? []).map(({ server, ...host }) => {
      const who: Who = { kind: "name_server", ...host };
      if (server === null) return { ask: guide.ask, answer: notAsked(who) };
      const ask = (part: number) =>
        inZone(apex, asker(server, part, false), asker(guide.server, part, true));
      return { ask: ask(allPart), answer: lookAt(who, name, ask(answersPart)) };
    });
    const prober = (await firstAnswered(nameServers)) ?? guide;
    const misplaced = await probe(misplacedNames(domain, name, apex), prober.ask);
    return { answers: await answersOf([...resolvers, ...nameServers]), misplaced };
  };
}

/** Never rejects: while others are waited for, nobody would hear it. */
async function lookAt(who: Who, name: string, ask: Ask): Promise<Answer> {
  const nothing = { who, values: [], ttl: null };
  let absenceTtl: number | null = null;
  const resolver: Resolver = {
    async query(asked, type) {
      const reply = await ask(asked, type);
      absenceTtl = reply.outcome === "message" ? soaTtl(reply.message) : null;
      return answerOf(reply);
    },
  };
  try {
    const txt = await lookUpTxt(resolver, name, labelsOf(name)[0] ?? "");
    switch (txt.outcome) {
      case "values": {
        const ttl = txt.values.length > 0 ? txt.ttl : absenceTtl;
        return { who, outcome: "answered", values: keptValues(txt.values), ttl };
      }
      case "alias_invalid": {
        const values = [foundAlias(txt.target).value];
        return { who, outcome: "answered", values, ttl: txt.ttl };
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

async function notAsked(who: Who): Promise<Answer> {
  return { who, outcome: "not_asked", values: [], ttl: null };
}

/** An absence is remembered as long as the SOA record beside it (RFC 2308 §5). */
function soaTtl({ authorities }: DnsMessage): number | null {
  return authorities.find(({ type }) => type === recordType.SOA)?.ttl ?? null;
}

/** Records of ours first: what else stands there must not push them out. */
function keptValues(values: readonly string[]): string[] {
  return foundValues([...values].sort((one, other) => Number(isOurs(other)) - Number(isOurs(one))));
}

/** A server that does not have the zone might refuse as well: its word is not one about the zone. */
function inZone(apex: string, direct: Ask, outside: Ask): Ask {
  return async (name, type) => {
    if (!isAtOrBelow(name, apex)) return outside(name, type);
    const reply = await direct(name, type);
    if (reply.outcome !== "message" || reply.message.authoritative) return reply;
    return { ...reply, message: { ...reply.message, rcode: rcode.refused } };
  };
}

function zoneOf(name: string, ask: Ask, reach: Reach): Promise<ZoneServers | null> {
  const query = async (asked: string, type: number) => {
    const reply = await ask(asked, type);
    if (reply.outcome !== "message") return null;
    return ["answer", "nxdomain"].includes(answerOf(reply).outcome) ? reply.message : null;
  };
  return findNameServers(query, name, reach);
}

/** The names at which panels and people put the record instead, each with the mistake that it is. */
function misplacedNames(domain: string, name: string, apex: string) {
  const [label = ""] = labelsOf(name);
  const doubled = new Set([`${name}.${apex}`, `${name}.${domain}`]);
  return [
    ...[...doubled].map((place) => ({ kind: "doubled_name", name: place }) as const),
    { kind: "at_domain", name: domain } as const,
    ...(domain === apex || !isAtOrBelow(domain, apex)
      ? []
      : [{ kind: "at_parent", name: `${label}.${apex}` } as const]),
  ];
}

async function probe(
  places: readonly Omit<Misplaced, "values">[],
  ask: Ask,
): Promise<readonly Misplaced[]> {
  const looks = places.map(async (place): Promise<Misplaced> => {
    const reply = isName(place.name) ? await ask(place.name, recordType.TXT) : null;
    const answer = reply && answerOf(reply);
    const texts = answer?.outcome === "answer" ? textsAt(answer.records, place.name) : [];
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

async function firstAnswered<W extends Witness>(witnesses: readonly W[]): Promise<W | null> {
  const answers = witnesses.map(async (witness) => {
    const { outcome } = await witness.answer;
    if (outcome !== "answered") throw new Error(outcome);
    return witness;
  });
  return Promise.any(answers).catch(() => null);
}

function answersOf(witnesses: readonly Witness[]): Promise<Answer[]> {
  return Promise.all(witnesses.map(({ answer }) => answer));
}
