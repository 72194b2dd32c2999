// A source of record sets that answers like a resolver, and notes the questions.

import { recordType } from "../../src/dns/records.ts";
import { type Rrset, readRrsets } from "../../src/dnssec/rrsets.ts";
import type { RecordSource } from "../../src/dnssec/run.ts";
import { join, type Octets } from "./signer.ts";

const TYPE_NAMES = new Map<number, string>(
  Object.entries(recordType).map(([name, type]) => [type, name]),
);

/** Answers with the records or the alias of a name; else with all NSEC and NSEC3 records that it has. */
export function makeSource(...parts: readonly Octets[]) {
  const sets = readRrsets(join(...parts));
  const asked: string[] = [];
  const source: RecordSource = {
    async rrsets(name, type) {
      asked.push(`${TYPE_NAMES.get(type)} ${name}.`);
      const answer = sets.filter(
        (set) => set.name === name && (set.type === type || set.type === recordType.CNAME),
      );
      return answer.length > 0 ? answer : sets.filter(isDenial);
    },
  };
  return { asked, source };
}

function isDenial({ type }: Rrset): boolean {
  return type === recordType.NSEC || type === recordType.NSEC3;
}
