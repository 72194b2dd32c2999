// Shows a person who waits for a record what each resolver and name server says, and what went wrong.

import { canonicalName } from "domain-signin-verify/dns/name";
import type { Bounded } from "./bounded.ts";
import { createGather, type Evidence, type Who } from "./evidence.ts";
import { createLookCache, type KeptLook } from "./look-cache.ts";
import {
  findMistake,
  type Mistake,
  readWanted,
  showsWanted,
  type WantedRecord,
} from "./mistake.ts";
import type { Reach } from "./name-servers.ts";
import type { ConfiguredServer } from "./resolvers.ts";

export type { Who } from "./evidence.ts";
export type { Mistake } from "./mistake.ts";

/** `checkedAt` (epoch seconds) is when the asking began; the resolvers come first in `asked`. */
export type Diagnosis = {
  readonly name: string;
  readonly checkedAt: number;
  readonly asked: readonly Asked[];
  readonly mistake: Mistake | null;
};

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

export type Diagnoses = {
  /**
   * What is found at `name`, which lies below `domain`. Settles in about two seconds, never throws.
   * Within five seconds all who ask for the same name share one set of queries.
   */
  look(domain: string, name: string, wanted: WantedRecord): Promise<Diagnosis>;
};

type Kept = Evidence & { readonly checkedAt: number };

const keepSeconds = 5;
const maxEntries = 500;

/**
 * `servers` are the resolvers; `now` is in epoch milliseconds; `totalMs` is for a whole set of queries.
 * Packets go to `servers` and to what `reach` returns, nowhere else. `bounded` runs a set of queries, or
 * resolves to null if too many are in flight.
 */
export function createDiagnoses(setup: {
  servers: readonly ConfiguredServer[];
  reach: Reach;
  now: () => number;
  totalMs?: number;
  bounded?: Bounded;
}): Diagnoses {
  const { servers, reach, now, totalMs = 2000, bounded = (_, task) => task(() => {}) } = setup;
  const seconds = () => now() / 1000;
  const gather = createGather({ servers, reach, totalMs });
  const cache = createLookCache<Kept>({ now: seconds, maxEntries });

  async function ask(domain: string, name: string): Promise<KeptLook<Kept>> {
    const checkedAt = seconds();
    const evidence = await bounded(domain, () => gather(domain, name));
    if (evidence === null)
      return { look: { answers: [], misplaced: [], checkedAt }, keepSeconds: null };
    // Failures are kept too: servers that never asked for our questions are spared. If no resolver
    // answered, none of them got a question, and the next look may try at once.
    const isTold = evidence.answers.some(({ outcome }) => outcome === "answered");
    return { look: { ...evidence, checkedAt }, keepSeconds: isTold ? keepSeconds : null };
  }

  return {
    async look(domain, name, wanted) {
      try {
        const [zone, at] = [canonicalName(domain), canonicalName(name)];
        const evidence = await cache.look(at, "cached", () => ask(zone, at));
        return judge(at, evidence, wanted);
      } catch {
        // A person would be shown less, not an error: what counts is looked up elsewhere.
        return { name, checkedAt: Math.floor(seconds()), asked: [], mistake: null };
      }
    },
  };
}

function judge(name: string, evidence: Kept, value: WantedRecord): Diagnosis {
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
