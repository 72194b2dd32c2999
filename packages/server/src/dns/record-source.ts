// The answers of one resolver, as the source of the record sets of a proof.

import { recordType } from "domain-signin-verify/dns/records";
import { type Rrset, rrsetsOf } from "domain-signin-verify/dnssec/rrsets";
import type { RecordSource } from "domain-signin-verify/dnssec/run";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { within } from "../lib/within.ts";
import type { Bogus } from "./bogus.ts";
import type { DnsAnswer, DnsFailure, Query } from "./resolver.ts";

/** Why an answer cannot be used (RFC 4035 §4.3). */
export type Unusable =
  | ({ readonly security: "bogus" } & Bogus)
  | ({ readonly security: "indeterminate" } & DnsFailure);

export class UnusableError extends Error {
  override readonly name = "UnusableError";
  readonly unusable: Unusable;

  constructor(unusable: Unusable) {
    super(unusable.reason);
    this.unusable = unusable;
  }
}

const MAX_QUERIES = 32;
/** A resolver settles sooner; one that never does must not block later looks. */
const QUERY_TIMEOUT_MS = 3000;
const LOOK_TIMEOUT_MS = 10_000;
/** How long looks share keys and delegations, even if these turn out to be bogus or outdated. */
const SHARED_MS = 3000;
/** An older query may never be answered: a person who tries again needs a new one. */
const JOINED_MS = 400;
const MAX_SHARED = 200;

/** Creates the source for one look. Asks each question once, and none after `over` is aborted. */
export function createRecordSources(deps: {
  readonly query: Query;
  readonly clock: Clock;
}): (over?: AbortSignal) => RecordSource {
  const recent = createCache<Promise<readonly Rrset[]>>({ ...deps, maxEntries: MAX_SHARED });

  async function ask(name: string, type: number): Promise<readonly Rrset[]> {
    const answer = await within(QUERY_TIMEOUT_MS, deps.query(name, type));
    return setsIn(answer ?? { outcome: "failed", reason: "timeout" }, type);
  }

  function shared(key: string, name: string, type: number): Promise<readonly Rrset[]> {
    const known = recent.get(key);
    if (known !== undefined) return known;
    const asked = ask(name, type);
    recent.set(key, asked, JOINED_MS);
    const isOfZone = type === recordType.DS || type === recordType.DNSKEY;
    const forget = () => recent.delete(key);
    asked.then(isOfZone ? () => recent.set(key, asked, SHARED_MS) : forget, forget);
    return asked;
  }

  return (over) => {
    const endsAt = performance.now() + LOOK_TIMEOUT_MS;
    const asked = new Map<string, Promise<readonly Rrset[]>>();
    const answered = new Map<string, readonly Rrset[]>();
    return {
      async rrsets(name, type) {
        const key = `${type} ${name}`;
        const known = asked.get(key) ?? answered.get(key);
        if (known !== undefined) return known;
        if (asked.size === MAX_QUERIES) {
          const reason = `too_many_queries: more than ${MAX_QUERIES}`;
          throw new UnusableError({ security: "bogus", cause: "too_large", reason });
        }
        if (over?.aborted || performance.now() >= endsAt) {
          throw new UnusableError({ security: "indeterminate", reason: "timeout" });
        }
        const answer = shared(key, name, type);
        asked.set(key, answer);
        const sets = await answer;
        // An answer contains the aliases of the name, and what they lead to.
        const isOnTheWay = (set: Rrset) => set.type === type || set.type === recordType.CNAME;
        for (const set of sets.filter(isOnTheWay)) answered.set(`${type} ${set.name}`, sets);
        return sets;
      },
    };
  };
}

/** The sets that a proof about the type may need. Throws VerificationError for malformed records. */
function setsIn(answer: DnsAnswer, type: number): readonly Rrset[] {
  if (answer.outcome === "failed") {
    const { outcome: _, ...why } = answer;
    throw new UnusableError({ security: "indeterminate", ...why });
  }
  if (answer.outcome === "bogus") {
    const { outcome: security, ...why } = answer;
    throw new UnusableError({ security, cause: "validation_failed", ...why });
  }
  const { CNAME, DNAME, NSEC, NSEC3, RRSIG } = recordType;
  const inAnswer = [type, CNAME, DNAME, RRSIG];
  const inAuthority: number[] = [NSEC, NSEC3, RRSIG];
  return rrsetsOf([
    ...answer.records.filter((record) => inAnswer.includes(record.type)),
    ...answer.authorities.filter((record) => inAuthority.includes(record.type)),
  ]);
}
