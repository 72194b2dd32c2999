// Asks a zone's own name servers for the TXT records at a name, and where they are by mistake.

import { type DnsMessage, rcode } from "domain-signin-verify/dns/message";
import { isAtOrBelow, labelsOf } from "domain-signin-verify/dns/name";
import { classIn, recordType } from "domain-signin-verify/dns/records";
import { registrableDomain } from "../lib/registrable-domain.ts";
import { within } from "../lib/within.ts";
import { type Answer, answerThrough, misplacedAt, misplacedNames } from "./evidence.ts";
import { askUntil, type Reply } from "./exchange.ts";
import type { Misplaced } from "./mistake.ts";
import {
  BusyError,
  hostsAt,
  type LookUp,
  MAX_FIND_QUERIES,
  type NameServer,
  type NameServers,
  type Zone,
} from "./name-servers.ts";
import type { QueryLimits } from "./query-limits.ts";
import { answerOf, type DnsAnswer } from "./resolver.ts";

/** What the name servers say. `apex` is that of the zone of the name; null if it was not found. */
export interface ZoneEvidence {
  readonly apex: string | null;
  readonly answers: readonly Answer[];
  readonly misplaced: readonly Misplaced[];
  /** No server has answered, and a question was not sent because a limit was reached. */
  readonly isBusy?: boolean;
}

export type ZoneLook = ReturnType<typeof createZoneLook>;

const TOTAL_MS = 5000;
/** For the other name servers, after the first has answered. */
const OTHERS_MS = 800;
/** Of one look, to name servers and to resolvers: aliases and delegations must not make it ask without end. */
const MAX_QUERIES = 40;
const MAX_CUTS = 4;
const MAX_ALIASES = 3;
const NOTHING: ZoneEvidence = { apex: null, answers: [], misplaced: [] };

/** How one look finds name servers, within its time and the number of its questions to resolvers. */
interface Search extends Pick<NameServers, "find" | "serversAt"> {
  lookUp(domain: string, ...of: Parameters<LookUp>): ReturnType<LookUp>;
}
/** Null: the question was not sent. */
type Ask = (server: NameServer, name: string, type: number) => Promise<Reply | null>;
/** A server that did not answer in time is missing. */
type Replies = ReadonlyMap<NameServer, Reply | null>;
interface Asked {
  readonly zone: Zone;
  readonly replies: Replies;
}

/** Creates the function that looks at canonical `name`, which is below canonical `domain`. */
export function createZoneLook(deps: {
  readonly nameServers: NameServers;
  readonly limits: QueryLimits;
  readonly totalMs?: number;
}) {
  const { nameServers, limits, totalMs = TOTAL_MS } = deps;

  async function look(domain: string, name: string): Promise<ZoneEvidence> {
    const deadline = performance.now() + totalMs;
    let isLimited = false;
    const ask = createAsk(limits, deadline, () => {
      isLimited = true;
    });
    const search = createSearch(nameServers, deadline);
    const [label = ""] = labelsOf(name);
    const asked = await askZoneOf(name, search, ask);
    if (asked === null) return NOTHING;
    const { apex } = asked.zone;
    const [answers, misplaced] = await Promise.all([
      readAnswers(asked, { name, label, search, ask, aliases: 0 }),
      probe(asked, misplacedNames(domain, name, apex), ask),
    ]);
    const hasAnswer = answers.some(({ outcome }) => outcome === "answered");
    return { apex, answers, misplaced, isBusy: isLimited && !hasAnswer };
  }

  return (domain: string, name: string) =>
    look(domain, name).catch((error) => {
      if (error instanceof BusyError) return { ...NOTHING, isBusy: true };
      throw error;
    });
}

/** May reject with BusyError. What its time or number does not allow counts as not found. */
function createSearch(nameServers: NameServers, deadline: number): Search {
  let asked = 0;
  async function spend<T>(queries: number, ask: () => Promise<T>): Promise<T | null> {
    const left = deadline - performance.now();
    if (left <= 0 || asked + queries > MAX_QUERIES) return null;
    asked += queries;
    return within(left, ask());
  }
  return {
    serversAt: nameServers.serversAt,
    find: (domain) => spend(MAX_FIND_QUERIES, () => nameServers.find(domain)),
    lookUp: async (domain, ...of) =>
      (await spend(1, () => nameServers.lookUpFor(domain, deadline)(...of))) ?? [],
  };
}

/**
 * Sends the questions of one look, within its time, their number and the limits. `onLimit` is called for a question
 * that was not sent because of the limits.
 */
function createAsk(limits: QueryLimits, deadline: number, onLimit: () => void): Ask {
  let asked = 0;
  return async ({ address, server }, name, type) => {
    if (server === null || asked === MAX_QUERIES) return null;
    asked++;
    const question = { question: { name, type, class: classIn }, recursionDesired: false };
    const domain = registrableDomain(name) ?? name;
    const reply = await limits.run({ address, domain }, () => askUntil(server, question, deadline));
    if (reply === null) onLimit();
    return reply;
  };
}

/** Asks every server of the zone of `name`, which is found from the registrable domain downwards. */
async function askZoneOf(name: string, search: Search, ask: Ask): Promise<Asked | null> {
  const domain = registrableDomain(name);
  let zone = domain === null ? null : await search.find(domain);
  for (let cuts = 0; domain !== null && zone !== null && cuts <= MAX_CUTS; cuts++) {
    const parent = zone;
    const replies = await askAll(parent, name, recordType.TXT, ask);
    const cut = [...replies.values()].map((reply) => cutIn(reply, parent, name)).find(Boolean);
    if (!cut) return { zone, replies };
    const hosts = hostsIn(domain, { parent, message: cut.message, search, ask });
    const names = hostsAt(cut.message.authorities, cut.apex, recordType.NS);
    zone = { apex: cut.apex, nameServers: await search.serversAt(names, hosts) };
  }
  return null;
}

/** Once a server has answered, the others have only a short time left. */
async function askAll(zone: Zone, name: string, type: number, ask: Ask): Promise<Replies> {
  const replies = new Map<NameServer, Reply | null>();
  const asking = zone.nameServers.map(async (server) => {
    const reply = await ask(server, name, type);
    replies.set(server, reply);
    if (authoritative(reply) === null && cutIn(reply, zone, name) === null) throw new Error("lame");
  });
  await Promise.any(asking).catch(() => {});
  await within(OTHERS_MS, Promise.allSettled(asking));
  return new Map(replies);
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

/** Addresses of a deeper zone's servers. Resolvers are not asked for names below the domain. */
function hostsIn(
  domain: string,
  cut: { parent: Zone; message: DnsMessage; search: Search; ask: Ask },
): LookUp {
  const { parent, message, search, ask } = cut;
  return async (host, type) => {
    const glue = hostsAt(message.additionals, host, type);
    if (glue.length > 0) return glue;
    if (!isAtOrBelow(host, domain)) return search.lookUp(domain, host, type);
    const replies = [...(await askAll(parent, host, type, ask)).values()];
    return replies.flatMap((reply) => hostsAt(authoritative(reply)?.answers ?? [], host, type));
  };
}

/** What each server of the zone says. If that is an alias, the servers of the target's zone are asked instead. */
async function readAnswers(
  { zone, replies }: Asked,
  look: { name: string; label: string; search: Search; ask: Ask; aliases: number },
): Promise<readonly Answer[]> {
  const { name, label, search, ask, aliases } = look;
  const targets = new Map<string, Answer[]>();
  const answers: Answer[] = [];
  for (const nameServer of zone.nameServers) {
    const { name: host, address, server } = nameServer;
    const who = { kind: "name_server", name: host, address } as const;
    const reply = replies.get(nameServer);
    if (server === null) answers.push({ who, outcome: "not_asked", values: [], ttl: null });
    // No question was sent, because a limit was reached or the server may not be asked.
    if (reply === null) continue;
    const alias = { target: "" };
    const query = async (asked: string): Promise<DnsAnswer> => {
      if (asked === name) return zoneAnswer(reply ?? { outcome: "timeout" }, zone);
      alias.target = asked;
      return { outcome: "failed", reason: "refused" };
    };
    const answer = await answerThrough({ query }, { who, name, label });
    if (alias.target === "") answers.push(answer);
    else targets.set(alias.target, aliases < MAX_ALIASES ? [] : [answer]);
  }
  const followed = [...targets].map(async ([target, given]) => {
    const asked = given.length === 0 ? await askZoneOf(target, search, ask) : null;
    return asked ? readAnswers(asked, { ...look, name: target, aliases: aliases + 1 }) : given;
  });
  return [...answers, ...(await Promise.all(followed)).flat()];
}

/** Ignores what a server says about other zones. */
function zoneAnswer(reply: Reply, { apex }: Zone): DnsAnswer {
  if (reply.outcome !== "message") return { outcome: "failed", reason: reply.outcome };
  const { message } = reply;
  if (!message.authoritative) return { outcome: "failed", reason: "refused" };
  const answers = message.answers.filter((record) => isAtOrBelow(record.name, apex));
  return answerOf({ outcome: "message", message: { ...message, answers } });
}

/** Asks one server that has answered for the names where the record may be by mistake. */
async function probe(
  { zone, replies }: Asked,
  places: ReturnType<typeof misplacedNames>,
  ask: Ask,
): Promise<readonly Misplaced[]> {
  const server = zone.nameServers.find((one) => authoritative(replies.get(one)) !== null);
  if (server === undefined) return [];
  const query = async (name: string, type: number) =>
    zoneAnswer((await ask(server, name, type)) ?? { outcome: "timeout" }, zone);
  return misplacedAt({ query }, places);
}
