// Asks a zone's own name servers for the TXT records at a name, and where they are by mistake.

import { type DnsMessage, rcode } from "domain-signin-verify/dns/message";
import { isAtOrBelow, labelsOf } from "domain-signin-verify/dns/name";
import { recordType } from "domain-signin-verify/dns/records";
import { createCache } from "../lib/cache.ts";
import type { MonotonicClock } from "../lib/clock.ts";
import { BusyError } from "../lib/errors.ts";
import type { Requester, ReservedQueue } from "../lib/fair-queue.ts";
import { registrableDomain } from "../lib/registrable-domain.ts";
import { within } from "../lib/within.ts";
import { TURN_WAIT_MS } from "./bounded.ts";
import { askUntil, type Reply } from "./exchange.ts";
import { hostsAt, type NameServer, type NameServers, type Zone } from "./name-servers.ts";
import { answerOf, type DnsAnswer } from "./resolver.ts";
import {
  answerThrough,
  type EmptyNames,
  hasAnswer,
  misplacedRecords,
  NO_EVIDENCE,
  type ServerEvidence,
  type ServerTexts,
} from "./server-answer.ts";
import { createLostWildcards } from "./wildcard.ts";

const TOTAL_MS = 5000;
/** For the other name servers, after the first has answered. */
const OTHERS_MS = 800;
/** Of one look, to name servers and to resolvers: aliases and delegations must not make it ask without end. */
const MAX_QUERIES = 40;
const MAX_CUTS = 4;
const MAX_ALIASES = 3;
/** A page looks every three seconds. A record at a wrong name is told within this time, for half of the questions. */
const EMPTY_REMEMBERED_MS = 15_000;
const MAX_EMPTY = 10_000;

/** What each server of a zone replied. A server that did not answer in time is missing; null: it was not asked. */
interface ZoneReplies {
  readonly zone: Zone;
  readonly replies: ReadonlyMap<NameServer, Reply | null>;
}

interface Deps {
  readonly nameServers: NameServers;
  /** Turns for the questions to name servers. */
  readonly questions: ReservedQueue;
  readonly clock: MonotonicClock;
  readonly totalMs?: number;
}

/**
 * Creates the function that looks at canonical `name`, which is below canonical `domain`. Rejects with `BusyError` if no
 * server has answered and a question had no turn.
 */
export function createZoneLook(deps: Deps) {
  const lostWildcard = createLostWildcards(deps.clock);
  const empty = createEmptyNames(deps.clock);
  return (domain: string, name: string, from: Requester) =>
    createLook({ ...deps, lostWildcard, empty }, from)(domain, name);
}

/** For one look, which has limits of time and of questions. */
function createLook(
  deps: Deps & {
    readonly lostWildcard: ReturnType<typeof createLostWildcards>;
    readonly empty: EmptyNames;
  },
  from: Requester,
) {
  const { nameServers, questions, lostWildcard, empty, totalMs = TOTAL_MS } = deps;
  const deadline = performance.now() + totalMs;
  let asked = 0;
  let searched = 0;
  let isLimited = false;

  /** Searches by asking the resolvers. Null also if the search exceeds the time or the number of questions. */
  async function search<T>(queries: number, ask: () => Promise<T>): Promise<T | null> {
    const left = deadline - performance.now();
    if (left <= 0 || searched + queries > MAX_QUERIES) return null;
    searched += queries;
    return within(left, ask());
  }

  /** Null: the question was not sent. */
  async function ask({ server }: NameServer, name: string, type: number) {
    if (server === null || asked === MAX_QUERIES) return null;
    asked++;
    const end = await questions.enter(from, { waitMs: TURN_WAIT_MS });
    if (end === null) {
      isLimited = true;
      return null;
    }
    const query = { name, type, recursionDesired: false };
    return askUntil(server, query, deadline).finally(end);
  }

  /** Asks every server of the zone of `name`, which is found from the registrable domain downwards. */
  async function askZoneOf(name: string): Promise<ZoneReplies | null> {
    const domain = registrableDomain(name);
    if (domain === null) return null;
    let zone = await search(nameServers.findCost, () => nameServers.find(domain, from));
    for (let cuts = 0; zone !== null && cuts <= MAX_CUTS; cuts++) {
      const parent = zone;
      const replies = await askAll(parent, name, recordType.TXT);
      const cut = [...replies.values()].map((reply) => cutIn(reply, parent, name)).find(Boolean);
      if (!cut) return { zone, replies };
      const names = hostsAt(cut.message.authorities, cut.apex, recordType.NS);
      const hosts = hostsIn(domain, parent, cut.message);
      zone = await nameServers.zoneAt(cut.apex, names, hosts);
    }
    return null;
  }

  /** Once a server has answered, the others have only a short time left. */
  async function askAll(zone: Zone, name: string, type: number) {
    const replies = new Map<NameServer, Reply | null>();
    const asking = zone.nameServers.map(async (server) => {
      const reply = await ask(server, name, type);
      replies.set(server, reply);
      if (!authoritative(reply) && !cutIn(reply, zone, name)) throw new Error("lame");
    });
    await Promise.any(asking).catch(() => {});
    await within(OTHERS_MS, Promise.allSettled(asking));
    return new Map(replies);
  }

  /** Addresses of a deeper zone's servers. Resolvers are not asked for names below the domain. */
  function hostsIn(domain: string, parent: Zone, message: DnsMessage) {
    const lookUp = nameServers.lookUpFor(from, deadline);
    return async (host: string, type: number) => {
      const glue = hostsAt(message.additionals, host, type);
      if (glue.length > 0) return glue;
      if (!isAtOrBelow(host, domain)) return (await search(1, () => lookUp(host, type))) ?? [];
      const replies = [...(await askAll(parent, host, type)).values()];
      return replies.flatMap((reply) => hostsAt(authoritative(reply)?.answers ?? [], host, type));
    };
  }

  /** What each server of the zone says. If that is an alias, the servers of the target's zone are asked instead. */
  async function readAnswers(
    { zone, replies }: ZoneReplies,
    name: string,
    label: string,
    aliases = 0,
  ): Promise<readonly ServerTexts[]> {
    const targets = new Map<string, ServerTexts[]>();
    const answers: ServerTexts[] = [];
    for (const nameServer of zone.nameServers) {
      const { name: host, address, server } = nameServer;
      const who = { kind: "name_server", name: host, address } as const;
      const reply = replies.get(nameServer);
      if (server === null) answers.push({ who, outcome: "not_asked", values: [], ttl: null });
      if (reply === null) continue;
      const alias = { target: "" };
      const query = async (queried: string): Promise<DnsAnswer> => {
        if (queried === name) return zoneAnswer(reply, zone);
        alias.target = queried;
        return { outcome: "failed", reason: "refused" };
      };
      const answer = await answerThrough(query, { who, name, label });
      if (alias.target === "") answers.push(answer);
      else targets.set(alias.target, aliases < MAX_ALIASES ? [] : [answer]);
    }
    const followed = [...targets].map(async ([target, given]) => {
      const there = given.length === 0 ? await askZoneOf(target) : null;
      return there ? readAnswers(there, target, label, aliases + 1) : given;
    });
    return [...answers, ...(await Promise.all(followed)).flat()];
  }

  return async (domain: string, name: string): Promise<ServerEvidence> => {
    const [label = ""] = labelsOf(name);
    const own = await askZoneOf(name);
    if (own === null) return NO_EVIDENCE;
    const { zone, replies } = own;
    const { apex } = zone;
    // If nothing may be sent to the name servers, nobody knows whether there is a deeper zone.
    const panel = zone.nameServers.some(({ server }) => server !== null) ? zone.panel : null;
    // One server that has answered is asked for the names where the record may be by mistake.
    const guide = zone.nameServers.find((server) => authoritative(replies.get(server)) !== null);
    const askGuide = (server: NameServer) => async (queried: string, type: number) =>
      zoneAnswer((await ask(server, queried, type)) ?? undefined, zone);
    const here = { domain, name, apex };
    const answer = guide && zoneAnswer(replies.get(guide) ?? undefined, zone);
    const [answers, misplaced, wildcard] = await Promise.all([
      readAnswers(own, name, label),
      guide ? misplacedRecords(askGuide(guide), here, empty) : [],
      guide && answer ? lostWildcard(askGuide(guide), { ...here, answer }) : null,
    ]);
    const evidence = { apex, panel, answers, misplaced, wildcard };
    if (isLimited && !hasAnswer(evidence)) throw new BusyError();
    return evidence;
  };
}

function createEmptyNames(clock: MonotonicClock): EmptyNames {
  const names = createCache<true>({ clock, maxEntries: MAX_EMPTY });
  return {
    has: (name) => names.get(name) !== undefined,
    add: (name) => names.set(name, true, EMPTY_REMEMBERED_MS),
  };
}

/** Only answers with AA count (RFC 1034 §6.2). */
function authoritative(reply: Reply | null | undefined): DnsMessage | null {
  const isMessage = reply?.outcome === "message" && reply.message.authoritative;
  return isMessage ? reply.message : null;
}

/** A referral to a zone deeper than `zone`. As each is deeper than the last, they cannot loop. */
function cutIn(reply: Reply | null, zone: Zone, name: string) {
  if (reply?.outcome !== "message") return null;
  const { message } = reply;
  if (message.authoritative || message.rcode !== rcode.noError) return null;
  const cut = message.authorities.find(
    (record) =>
      record.type === recordType.NS &&
      record.name !== zone.apex &&
      isAtOrBelow(record.name, zone.apex) &&
      isAtOrBelow(name, record.name),
  );
  return cut ? { apex: cut.name, message } : null;
}

/** Ignores what a server says about other zones. */
function zoneAnswer(reply: Reply | undefined, { apex }: Zone): DnsAnswer {
  if (reply?.outcome !== "message")
    return { outcome: "failed", reason: reply?.outcome ?? "timeout" };
  const { message } = reply;
  if (!message.authoritative) return { outcome: "failed", reason: "refused" };
  const answers = message.answers.filter((record) => isAtOrBelow(record.name, apex));
  return answerOf({ outcome: "message", message: { ...message, answers } });
}
