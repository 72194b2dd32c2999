// The answers of one resolver, as the source of the record sets of a proof.

import { recordType } from "domain-signin-verify/dns/records";
import { type Rrset, rrsetsOf } from "domain-signin-verify/dnssec/rrsets";
import type { RecordSource } from "domain-signin-verify/dnssec/zones";
import { within } from "../lib/within.ts";
import type { DnsAnswer, DnsFailureReason } from "./resolver.ts";

/** A resolver gave no answer that can be judged (RFC 4035 §4.3: indeterminate). */
export class IndeterminateError extends Error {
  override readonly name = "IndeterminateError";
  readonly reason: DnsFailureReason;

  constructor(reason: DnsFailureReason) {
    super(`no answer: ${reason}`);
    this.reason = reason;
  }
}

/** A resolver says that an answer is bogus, or needs more than a look may cost. */
export class BogusError extends Error {
  override readonly name = "BogusError";
}

const MAX_QUERIES = 32;
/** A resolver settles sooner; one that never does must not block later looks. */
const QUERY_TIMEOUT_MS = 3000;
const LOOK_TIMEOUT_MS = 10_000;

/** Creates the source for one look, which asks each question once. Looks at the same time share questions. */
export function createRecordSources(
  query: (name: string, type: number) => Promise<DnsAnswer>,
): () => RecordSource {
  const pending = new Map<string, Promise<DnsAnswer>>();

  function shared(key: string, name: string, type: number): Promise<DnsAnswer> {
    const known = pending.get(key);
    if (known !== undefined) return known;
    const answer = within(QUERY_TIMEOUT_MS, query(name, type))
      .then((found): DnsAnswer => found ?? { outcome: "failed", reason: "timeout" })
      .finally(() => pending.delete(key));
    pending.set(key, answer);
    return answer;
  }

  return () => {
    const endsAt = performance.now() + LOOK_TIMEOUT_MS;
    const asked = new Map<string, Promise<readonly Rrset[]>>();
    const answered = new Map<string, readonly Rrset[]>();
    return {
      async rrsets(name, type) {
        const key = `${type} ${name}`;
        const known = asked.get(key) ?? answered.get(key);
        if (known !== undefined) return known;
        if (asked.size === MAX_QUERIES) {
          throw new BogusError(`too_many_queries: more than ${MAX_QUERIES}`);
        }
        if (performance.now() >= endsAt) throw new IndeterminateError("timeout");
        const answer = shared(key, name, type).then((found) => setsIn(found, type));
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
  if (answer.outcome === "failed") throw new IndeterminateError(answer.reason);
  if (answer.outcome === "bogus") throw new BogusError(answer.reason);
  const { CNAME, DNAME, NSEC, NSEC3, RRSIG } = recordType;
  const inAnswer = [type, CNAME, DNAME, RRSIG];
  const inAuthority: number[] = [NSEC, NSEC3, RRSIG];
  return rrsetsOf([
    ...answer.records.filter((record) => inAnswer.includes(record.type)),
    ...answer.authorities.filter((record) => inAuthority.includes(record.type)),
  ]);
}
