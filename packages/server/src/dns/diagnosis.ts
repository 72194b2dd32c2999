// Shows a person who waits for a record what each resolver and name server says, and what went wrong.

import { canonicalName, labelsOf } from "domain-signin-verify/dns/name";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { unlessBusy } from "../lib/errors.ts";
import type { Requester } from "../lib/fair-queue.ts";
import { ownedDomain, registrableDomain } from "../lib/registrable-domain.ts";
import { within } from "../lib/within.ts";
import { createTurnsByKey, type Turns } from "./bounded.ts";
import type { DnsServer } from "./exchange.ts";
import type { LookFor } from "./look-cache.ts";
import {
  findMistake,
  type Mistake,
  readWanted,
  showsWanted,
  type Wanted,
  type WantedRecord,
} from "./mistake.ts";
import type { Panel } from "./panels.ts";
import type { Resolver } from "./resolver.ts";
import {
  answerThrough,
  BUSY,
  hasAnswer,
  misplacedRecords,
  NO_EVIDENCE,
  type ServerEvidence,
  type ServerTexts,
  type Who,
} from "./server-answer.ts";

/** `checkedAt` (epoch seconds) is when the asking began; the resolvers come first in `asked`. */
export interface Diagnosis {
  readonly name: string;
  /** Null if not every character of it is known. */
  readonly wanted: string | null;
  readonly checkedAt: number;
  readonly asked: readonly ServerFinding[];
  readonly mistake: Mistake | null;
  readonly zone: ZoneState;
  /** Where the owner edits the zone; null if its name servers are not known, or are of no known provider. */
  readonly panel: Panel | null;
  /** The wildcard that no longer covers the domain because of the record (RFC 4592); null if there is none. */
  readonly wildcard: string | null;
}

/**
 * "seen": all of the zone's name servers that answer have the wanted record, or one has had it for 60 seconds.
 * "unreachable": none gave an authoritative answer, or they are not used. "busy": there was no turn for the questions.
 */
export type ZoneState = "seen" | "unseen" | "unreachable" | "busy";

/** "failed": the server answered with an error or does not know the zone. "not_asked": nothing may be sent to it. */
export interface ServerFinding extends Omit<ServerTexts, "outcome"> {
  readonly found: "wanted" | "other" | "absent" | "silent" | "failed" | "not_asked";
}

export type Diagnoses = ReturnType<typeof createDiagnoses>;

const SHARED_MS = 3000;
/** Otherwise, each page would wait for servers that do not answer. */
const UNREACHABLE_SHARED_MS = 60_000;
const MAX_SHARED = 500;
/** A diagnosis comes after a look that may have taken 1.7 seconds. */
const RESOLVERS_MS = 1000;
/** When one name server has had the record for this time, the others no longer count. */
const SEEN_BY_ONE_S = 60;
const SEEN_REMEMBERED_MS = 3_600_000;
const MAX_SEEN = 10_000;

interface Deps {
  readonly resolvers: readonly (Resolver & { readonly text: string; readonly server: DnsServer })[];
  /** Null if name servers are not used. Rejects with `BusyError`. */
  readonly zoneLook:
    | ((domain: string, name: string, from: Requester) => Promise<ServerEvidence>)
    | null;
  readonly clock: Clock;
  /** For the questions of diagnoses to name servers, and to resolvers. */
  readonly turns: { readonly zones: Turns; readonly resolvers: Turns };
}

/** Without `freshness`, everything is asked. */
export interface DiagnosisFor {
  readonly freshness?: LookFor["freshness"];
  readonly from: Requester;
  /** The accounts of set-ups of the domain that the browser began before. */
  readonly earlier?: readonly string[];
}

/** `checkedAt` in epoch seconds. */
type ZoneEvidence = ServerEvidence & { readonly checkedAt: number };

export function createDiagnoses(deps: Deps) {
  const { zoneLook, clock, turns } = deps;
  const seconds = () => clock.milliseconds() / 1000;
  const zones = createCache<ZoneEvidence>({ clock, maxEntries: MAX_SHARED });
  const resolvers = createCache<ServerEvidence>({ clock, maxEntries: MAX_SHARED });
  /** Since when each name server has had a record. */
  const seenSince = createCache<number>({ clock, maxEntries: MAX_SEEN });
  /** Names below a domain cost nothing: strangers share one look at a time at those of a registrable domain. */
  const oneForStrangers = createTurnsByKey(clock);

  async function inZone(
    domain: string,
    name: string,
    { freshness, from }: DiagnosisFor,
  ): Promise<ZoneEvidence> {
    const known = zones.get(name);
    if (known !== undefined && (freshness !== "now" || !hasAnswer(known))) return known;
    const read = () => askZone(domain, name, from);
    const look = () => turns.zones.share(zones, { key: name, from }, read);
    const isFree = from.isReserved || zones.begun(name) !== undefined;
    const inTurn = () => oneForStrangers(ownedDomain(domain), from, look);
    const made = await unlessBusy(isFree ? look() : zones.share(`for strangers: ${name}`, inTurn));
    return made?.value ?? { ...BUSY, checkedAt: seconds() };
  }

  async function askZone(domain: string, name: string, from: Requester): Promise<ZoneEvidence> {
    const checkedAt = seconds();
    if (zoneLook === null) return { ...NO_EVIDENCE, checkedAt };
    const zone = { ...(await zoneLook(domain, name, from)), checkedAt };
    // If no name server was found, the next page may try at once.
    if (zone.apex !== null) {
      zones.set(name, zone, hasAnswer(zone) ? SHARED_MS : UNREACHABLE_SHARED_MS);
    }
    return zone;
  }

  async function throughResolvers(
    domain: string,
    name: string,
    from: Requester,
  ): Promise<ServerEvidence> {
    const known = resolvers.get(name);
    if (known !== undefined) return known;
    const read = () => askResolvers(domain, name, from);
    const made = await unlessBusy(turns.resolvers.share(resolvers, { key: name, from }, read));
    return made?.value ?? NO_EVIDENCE;
  }

  /** Also names where the record may be by mistake, unless the name servers were asked for them. */
  async function askResolvers(
    domain: string,
    name: string,
    from: Requester,
  ): Promise<ServerEvidence> {
    const [label = ""] = labelsOf(name);
    const answers = await Promise.all(
      deps.resolvers.map(async ({ text, server, query }): Promise<ServerTexts> => {
        const who: Who = { kind: "resolver", name: text, address: server.address };
        const silent = { who, outcome: "silent", values: [], ttl: null } as const;
        return (await within(RESOLVERS_MS, answerThrough(query, { who, name, label }))) ?? silent;
      }),
    );
    const guide = deps.resolvers[answers.findIndex(({ outcome }) => outcome === "answered")];
    if (guide === undefined) return { ...NO_EVIDENCE, answers };
    const apex = registrableDomain(domain) ?? domain;
    const isAsked = hasAnswer(await inZone(domain, name, { from }));
    const misplaced = isAsked ? [] : await misplacedRecords(guide.query, { domain, name, apex });
    const evidence = { ...NO_EVIDENCE, answers, misplaced };
    resolvers.set(name, evidence, SHARED_MS);
    return evidence;
  }

  function stateOf(
    name: string,
    { answers, isBusy }: ServerEvidence,
    value: WantedRecord,
  ): ZoneState {
    const wanted = readWanted(value);
    const now = clock.monotonic() / 1000;
    const servers = answers.filter(({ outcome }) => outcome === "answered");
    const seen = servers.map(({ who, values }) => {
      const key = JSON.stringify([name, value, who.address]);
      const since = showsWanted(values, wanted) ? (seenSince.get(key) ?? now) : null;
      if (since === null) seenSince.delete(key);
      else seenSince.set(key, since, SEEN_REMEMBERED_MS);
      return since;
    });
    if (servers.length === 0) return isBusy ? "busy" : "unreachable";
    const isLongSeen = seen.some((since) => since !== null && now - since >= SEEN_BY_ONE_S);
    return isLongSeen || !seen.includes(null) ? "seen" : "unseen";
  }

  return {
    /**
     * What is found at `name`, which is below `domain`. Never rejects. For three seconds, all who ask for the name share
     * one set of questions; "now" asks the name servers again. With `freshness`, resolvers are asked only if the zone's
     * name servers have the wanted record or cannot be asked: resolvers would remember the absence.
     */
    async look(
      domain: string,
      name: string,
      record: WantedRecord,
      wanted: DiagnosisFor,
    ): Promise<Diagnosis> {
      try {
        const [below, at] = [canonicalName(domain), canonicalName(name)];
        const { freshness, from } = wanted;
        const early = freshness === undefined ? throughResolvers(below, at, from) : null;
        const inOwn = await inZone(below, at, wanted);
        const zone = stateOf(at, inOwn, record);
        const later = () => (zone === "unseen" ? NO_EVIDENCE : throughResolvers(below, at, from));
        const others = await (early ?? later());
        const read = readWanted(record);
        const answers = [...others.answers, ...inOwn.answers];
        const misplaced = [...inOwn.misplaced, ...others.misplaced];
        const mistake = findMistake(answeredBy(answers, read), misplaced, read, wanted.earlier);
        const asked = answers.map((answer) => findingOf(answer, read));
        const { panel, wildcard } = inOwn;
        const checkedAt = Math.floor(inOwn.checkedAt);
        const facts = { name: at, wanted: read.value, checkedAt };
        return { ...facts, asked, mistake, zone, panel, wildcard };
      } catch {
        // A person is shown less, not an error: what decides is looked up elsewhere.
        const checkedAt = Math.floor(seconds());
        const none = { wanted: null, asked: [], mistake: null, panel: null, wildcard: null };
        return { name, checkedAt, ...none, zone: "unreachable" };
      }
    },

    /** What the zone's name servers say about `name`. Rejects for what is no domain name. */
    async lookInZone(domain: string, name: string, wanted: WantedRecord, looked: LookFor) {
      const at = canonicalName(name);
      const zone = await inZone(canonicalName(domain), at, looked);
      const answer = zone.answers.find(({ values }) => values.length > 0);
      const { values = [], aliasTarget = null } = answer ?? {};
      return { state: stateOf(at, zone, wanted), apex: zone.apex, values, aliasTarget };
    },
  };
}

function findingOf({ outcome, ...texts }: ServerTexts, wanted: Wanted): ServerFinding {
  if (outcome !== "answered") return { ...texts, found: outcome };
  if (texts.values.length === 0) return { ...texts, found: "absent" };
  return { ...texts, found: showsWanted(texts.values, wanted) ? "wanted" : "other" };
}

/** What each server that answered said, and whether that is the wanted value. */
function answeredBy(answers: readonly ServerTexts[], wanted: Wanted) {
  const answered = (kind: Who["kind"]) =>
    answers
      .filter(({ who, outcome }) => who.kind === kind && outcome === "answered")
      .map(({ values, ttl }) => ({ isWanted: showsWanted(values, wanted), values, ttl }));
  return { nameServers: answered("name_server"), resolvers: answered("resolver") };
}
