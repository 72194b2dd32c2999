// Shows a person who waits for a record what each resolver and name server says, and what went wrong.

import { canonicalName, labelsOf } from "domain-signin-verify/dns/name";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { registrableDomain } from "../lib/registrable-domain.ts";
import { within } from "../lib/within.ts";
import type { Bounded } from "./bounded.ts";
import { type Answer, answerThrough, misplacedAt, misplacedNames, type Who } from "./evidence.ts";
import type { Freshness } from "./look-cache.ts";
import {
  findMistake,
  type Mistake,
  readWanted,
  showsWanted,
  type WantedRecord,
} from "./mistake.ts";
import type { Resolver } from "./resolver.ts";
import type { ConfiguredServer } from "./resolvers.ts";
import type { ZoneEvidence, ZoneLook } from "./zone-look.ts";

export type { Who } from "./evidence.ts";
export type { Mistake } from "./mistake.ts";

/** `checkedAt` (epoch seconds) is when the asking began; the resolvers come first in `asked`. */
export type Diagnosis = {
  readonly name: string;
  readonly checkedAt: number;
  readonly asked: readonly Asked[];
  readonly mistake: Mistake | null;
  readonly zone: ZoneState;
};

/**
 * Whether the zone's own name servers have the wanted record: all that answer, or one for 60 seconds.
 * "unreachable": none gave an authoritative answer, or they are not used. "busy": a limit was reached, and none was
 * asked or none of those asked answered.
 */
export type ZoneState = "seen" | "unseen" | "unreachable" | "busy";

/**
 * `found` is "failed" for a server that answered, but with an error or without knowing the zone, and
 * "not_asked" for one to whose address nothing may be sent. `ttl` is in seconds: how long a resolver
 * still says so, absence included.
 */
export type Asked = {
  readonly who: Who;
  readonly name: string;
  readonly found: "wanted" | "other" | "absent" | "silent" | "failed" | "not_asked";
  readonly values: readonly string[];
  readonly ttl: number | null;
};

export interface Diagnoses {
  /**
   * What is found at `name`, which is below `domain`. Never rejects. For three seconds, all who ask for
   * the same name share one set of questions; the freshness "now" asks the name servers again. With
   * "once seen", resolvers are asked only if the zone's name servers have the wanted record or cannot
   * be asked: they would remember the absence.
   */
  look(
    domain: string,
    name: string,
    wanted: WantedRecord,
    options?: { readonly resolvers?: "always" | "once seen"; readonly freshness?: Freshness },
  ): Promise<Diagnosis>;
  /** What the zone's name servers say about `name`. Rejects for what is no domain name. */
  lookInZone(
    domain: string,
    name: string,
    wanted: WantedRecord,
    freshness: Freshness,
  ): Promise<{
    readonly state: ZoneState;
    readonly apex: string | null;
    readonly values: readonly string[];
    readonly aliasTarget: string | null;
  }>;
}

type AskedResolver = ConfiguredServer & Pick<Resolver, "query">;
type Evidence = Omit<ZoneEvidence, "apex">;
type Shared<Found> = Found & { readonly checkedAt: number };

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
const NOTHING: ZoneEvidence = { apex: null, answers: [], misplaced: [] };
const BUSY: ZoneEvidence = { ...NOTHING, isBusy: true };

/** `zoneLook` is null if name servers are not used, and resolves to null if too many looks are in flight. */
export function createDiagnoses(deps: {
  readonly resolvers: readonly AskedResolver[];
  readonly zoneLook: ((...of: Parameters<ZoneLook>) => Promise<ZoneEvidence | null>) | null;
  readonly clock: Pick<Clock, "milliseconds" | "monotonic">;
  /** Runs a set of questions, or resolves to null if too many are in flight. */
  readonly bounded?: Bounded;
}): Diagnoses {
  const { zoneLook, clock, bounded = (_, task) => task(() => {}) } = deps;
  const seconds = () => clock.milliseconds() / 1000;
  const zones = createCache<Shared<ZoneEvidence>>({ clock, maxEntries: MAX_SHARED });
  const resolvers = createCache<Shared<Evidence>>({ clock, maxEntries: MAX_SHARED });
  const stateOf = createStates(clock);

  function inZone(
    domain: string,
    name: string,
    freshness: Freshness = "recent",
  ): Promise<Shared<ZoneEvidence>> {
    return zones.share(name, async () => {
      const known = zones.get(name);
      if (known !== undefined && (freshness !== "now" || !hasAnswer(known))) return known;
      const checkedAt = seconds();
      const evidence = zoneLook === null ? NOTHING : ((await zoneLook(domain, name)) ?? BUSY);
      const found = { ...evidence, checkedAt };
      // If no name server was asked, the next page may try at once.
      if (found.apex !== null && !found.isBusy) {
        zones.set(name, found, hasAnswer(found) ? SHARED_MS : UNREACHABLE_SHARED_MS);
      }
      return found;
    });
  }

  function throughResolvers(domain: string, name: string): Promise<Shared<Evidence>> {
    return resolvers.share(name, async () => {
      const known = resolvers.get(name);
      if (known !== undefined) return known;
      const asked = await bounded(domain, () =>
        askResolvers(deps.resolvers, { domain, name }, () => inZone(domain, name)),
      );
      const found = { ...(asked ?? NOTHING), checkedAt: seconds() };
      // If no resolver answers, the next page may try at once.
      if (hasAnswer(found)) resolvers.set(name, found, SHARED_MS);
      return found;
    });
  }

  return {
    async look(domain, name, wanted, { resolvers: use = "always", freshness } = {}) {
      try {
        const [below, at] = [canonicalName(domain), canonicalName(name)];
        const early = use === "always" ? throughResolvers(below, at) : null;
        const zone = await inZone(below, at, freshness);
        const state = stateOf(at, zone, wanted);
        const found = await (early ?? (state === "unseen" ? NOTHING : throughResolvers(below, at)));
        const answers = [...found.answers, ...zone.answers];
        const misplaced = [...zone.misplaced, ...found.misplaced];
        return {
          ...judge(at, { answers, misplaced, checkedAt: zone.checkedAt }, wanted),
          zone: state,
        };
      } catch {
        // A person is shown less, not an error: what decides is looked up elsewhere.
        const checkedAt = Math.floor(seconds());
        return { name, checkedAt, asked: [], mistake: null, zone: "unreachable" };
      }
    },

    async lookInZone(domain, name, wanted, freshness) {
      const at = canonicalName(name);
      const zone = await inZone(canonicalName(domain), at, freshness);
      const found = zone.answers.find((answer) => answer.values.length > 0);
      const { values = [], aliasTarget = null } = found ?? {};
      return { state: stateOf(at, zone, wanted), apex: zone.apex, values, aliasTarget };
    },
  };
}

/** Remembers since when each name server has had a record. */
function createStates(clock: Pick<Clock, "monotonic">) {
  const seenSince = createCache<number>({ clock, maxEntries: MAX_SEEN });

  return (name: string, { answers, isBusy }: ZoneEvidence, value: WantedRecord): ZoneState => {
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
  };
}

/** Also names where the record may be by mistake, unless the name servers were asked for them. */
async function askResolvers(
  resolvers: readonly AskedResolver[],
  { domain, name }: { readonly domain: string; readonly name: string },
  inZone: () => Promise<Evidence>,
): Promise<Evidence> {
  const [label = ""] = labelsOf(name);
  const answers = await Promise.all(
    resolvers.map(async ({ text, server, query }): Promise<Answer> => {
      const who: Who = { kind: "resolver", name: text, address: server.address };
      const asked = answerThrough({ query }, { who, name, label });
      const silent = { who, outcome: "silent", values: [], ttl: null } as const;
      return (await within(RESOLVERS_MS, asked)) ?? silent;
    }),
  );
  const guide = resolvers[answers.findIndex(({ outcome }) => outcome === "answered")];
  if (guide === undefined || hasAnswer(await inZone())) {
    return { answers, misplaced: [] };
  }
  const places = misplacedNames(domain, name, registrableDomain(domain) ?? domain);
  return { answers, misplaced: await misplacedAt(guide, places) };
}

function hasAnswer({ answers }: Evidence): boolean {
  return answers.some(({ outcome }) => outcome === "answered");
}

function judge(
  name: string,
  evidence: Shared<Evidence>,
  value: WantedRecord,
): Omit<Diagnosis, "zone"> {
  const wanted = readWanted(value);
  const asked = evidence.answers.map(({ who, outcome, values, ttl }): Asked => {
    if (outcome !== "answered") return { who, name, found: outcome, values, ttl };
    const found = showsWanted(values, wanted) ? "wanted" : "other";
    return { who, name, found: values.length === 0 ? "absent" : found, values, ttl };
  });
  const answered = (kind: Who["kind"]) =>
    asked
      .filter(
        ({ who, found }) => who.kind === kind && ["wanted", "other", "absent"].includes(found),
      )
      .map(({ found, values, ttl }) => ({ isWanted: found === "wanted", values, ttl }));
  const mistake = findMistake(
    {
      nameServers: answered("name_server"),
      resolvers: answered("resolver"),
      misplaced: evidence.misplaced,
    },
    wanted,
  );
  return { name, checkedAt: Math.floor(evidence.checkedAt), asked, mistake };
}
