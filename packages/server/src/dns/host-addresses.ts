// All addresses of a host name, of both kinds, asked of our own resolvers.

import type { DnsRecord } from "domain-signin-verify/dns/message";
import { canonicalName } from "domain-signin-verify/dns/name";
import { decodeHostName, recordType } from "domain-signin-verify/dns/records";
import { UnavailableError } from "../lib/errors.ts";
import { ipaddr } from "../lib/lazy-libraries.ts";
import { createResolver } from "./resolver.ts";
import type { Resolvers } from "./resolvers.ts";
import { maxAliases, recordsAt } from "./txt.ts";

/**
 * The addresses are in canonical text, those of IPv4 first, none if the name has none. Rejects if one of
 * the two questions found no answer to believe.
 */
export function hostAddresses({
  all,
  inOrder,
}: Pick<Resolvers, "all" | "inOrder">): (host: string) => Promise<readonly string[]> {
  const resolver = createResolver({ servers: all.map(({ server }) => server), inOrder });

  async function addressesOfType(name: string, type: number): Promise<string[]> {
    const answer = await resolver.query(name, type);
    if (answer.outcome === "failed" || answer.outcome === "bogus") {
      throw new UnavailableError(`No address of ${name}: DNS says ${answer.reason}.`);
    }
    const end = endOfAliases(answer.records, name);
    return recordsAt(answer.records, end, type).map(({ rdata }) => addressOf(rdata, type));
  }

  return async (host) => {
    const name = canonicalName(host);
    const types = [recordType.A, recordType.AAAA];
    const found = await Promise.all(types.map((type) => addressesOfType(name, type)));
    return [...new Set(found.flat())];
  };
}

function endOfAliases(records: readonly DnsRecord[], start: string): string {
  let name = start;
  for (let aliases = 0; aliases <= maxAliases; aliases++) {
    const alias = recordsAt(records, name, recordType.CNAME)[0];
    if (!alias) return name;
    name = decodeHostName(alias.rdata);
  }
  throw new UnavailableError(`No address of ${start}: it has more than ${maxAliases} aliases.`);
}

function addressOf(rdata: Uint8Array, type: number): string {
  if (rdata.length !== (type === recordType.A ? 4 : 16)) {
    throw new UnavailableError("An address in DNS has the wrong length.");
  }
  return ipaddr()
    .fromByteArray([...rdata])
    .toString();
}
