// Addresses that the resolvers name: of the name servers of a registrable domain, and of any host.

import { networkInterfaces } from "node:os";
import type { DnsRecord } from "domain-signin-verify/dns/message";
import { canonicalName } from "domain-signin-verify/dns/name";
import { decodeHostName, recordType } from "domain-signin-verify/dns/records";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { BusyError, UnavailableError } from "../lib/errors.ts";
import type { Requester, ReservedQueue } from "../lib/fair-queue.ts";
import { ipaddr } from "../lib/lazy-libraries.ts";
import { isPublicUnicast } from "../outgoing/public-address.ts";
import { RESOLVERS_FOR_A_MAJORITY } from "./assurance.ts";
import { TURN_WAIT_MS } from "./bounded.ts";
import type { DnsServer } from "./exchange.ts";
import { createPanelOf, type Panel, type PanelOf } from "./panels.ts";
import { createResolver, MAX_ALIASES, type Resolver, recordsAt } from "./resolver.ts";
import type { Resolvers } from "./resolvers.ts";

/** Where packets for an address go; null if none may be sent there. */
export type Reach = (address: string) => DnsServer | null;

/** `address` is canonical text. `server` is null if nothing may be sent there. */
export interface NameServer {
  readonly name: string;
  readonly address: string;
  readonly server: DnsServer | null;
}

/** `apex` is canonical. At most four name servers, in the order of their names. */
export interface Zone {
  readonly apex: string;
  /** By the names of all name servers. */
  readonly panel: Panel | null;
  readonly nameServers: readonly NameServer[];
}

/** The canonical texts of the records of `type` at a name, sorted; none for a failure. Rejects with `BusyError`. */
export type LookUp = (name: string, type: number) => Promise<readonly string[]>;

export type NameServers = ReturnType<typeof createNameServers>;

const MAX_NAME_SERVERS = 4;
const AGREEING_RESOLVERS = 2;
/** A search for name servers asks nothing new after this time. */
const SEARCH_MS = 5000;
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 1000;
const OWN_REMEMBERED_MS = 300_000;

/** Owners of zones choose these addresses: packets go only to the DNS port of public addresses, none of this machine. */
export function reachPublic(address: string): DnsServer | null {
  const isOwn = Object.values(networkInterfaces()).some((interfaces) =>
    interfaces?.some((one) => one.address === address),
  );
  if (isOwn || !isPublicUnicast(address)) return null;
  return { address, port: 53, isV6: address.includes(":") };
}

/** `ownAddresses` are those of this service, as far as they are known. */
export function createNameServers(deps: {
  readonly resolvers: readonly Resolver[];
  readonly reach: Reach;
  readonly ownAddresses: () => Promise<readonly string[]>;
  readonly clock: Clock;
  /** Turns for the questions to resolvers. */
  readonly questions: ReservedQueue;
  /** Default: by the data file of the package. */
  readonly panelOf?: PanelOf | undefined;
}) {
  const { resolvers, reach, clock, questions, panelOf = createPanelOf() } = deps;
  const needed = resolvers.length >= RESOLVERS_FOR_A_MAJORITY ? AGREEING_RESOLVERS : 1;
  const zones = createCache<Zone | null>({ clock, maxEntries: MAX_REMEMBERED });
  const own = createCache<readonly string[]>({ clock, maxEntries: 1 });
  /** A look that fails does not change what is known. */
  let lastOwn: readonly string[] = [];

  const ownAddresses = () =>
    own.share("", async () => {
      const known = own.get("");
      if (known) return known;
      lastOwn = await deps.ownAddresses().catch(() => lastOwn);
      own.set("", lastOwn, OWN_REMEMBERED_MS);
      return lastOwn;
    });

  /** What enough resolvers agree on. Asks nothing after `deadline`. */
  const lookUpFor =
    (from: Requester, deadline: number): LookUp =>
    async (name, type) => {
      if (performance.now() >= deadline) return [];
      const end = await questions.enter(from, { waitMs: TURN_WAIT_MS });
      if (end === null) throw new BusyError();
      return new Promise((resolve, reject) => {
        const counts = new Map<string, number>();
        const asking = async ({ query }: Resolver) => {
          const answer = await query(name, type);
          const hosts = answer.outcome === "answer" ? hostsAt(answer.records, name, type) : [];
          const count = (counts.get(hosts.join(" ")) ?? 0) + 1;
          counts.set(hosts.join(" "), count);
          if (count >= needed) resolve(hosts);
        };
        Promise.allSettled(resolvers.map(asking))
          .finally(end)
          .then(() => resolve([]), reject);
      });
    };

  /** One address for each of up to four `names`; if possible, one to which packets may be sent. */
  async function zoneAt(apex: string, names: readonly string[], hosts: LookUp): Promise<Zone> {
    const own = await ownAddresses();
    const serverAt = async (name: string) => {
      let first: NameServer | null = null;
      // One after the other: the absence of AAAA records could plant that of the SP record (NSEC).
      for (const type of [recordType.A, recordType.AAAA]) {
        for (const address of await hosts(name, type)) {
          const server = own.includes(address) ? null : reach(address);
          if (server !== null) return { name, address, server };
          first ??= { name, address, server };
        }
      }
      return first;
    };
    const chosen = [...new Set(names)].sort().slice(0, MAX_NAME_SERVERS);
    const servers = await Promise.all(chosen.map(serverAt));
    const nameServers = servers.filter((server) => server !== null);
    return { apex, panel: panelOf(names), nameServers };
  }

  return {
    lookUpFor,
    zoneAt,
    /** How many questions `find` asks at most: for the name servers, and for two types of addresses of each. */
    findCost: 1 + 2 * MAX_NAME_SERVERS,

    /** The zone of a registrable domain; null if resolvers do not agree on a delegation. Rejects with `BusyError`. */
    find: (domain: string, from: Requester): Promise<Zone | null> =>
      zones.share(domain, async () => {
        const known = zones.get(domain);
        if (known) return known;
        // Looks share a search, so the search must not depend on the time that one look has left.
        const lookUp = lookUpFor(from, performance.now() + SEARCH_MS);
        const zone = await zoneAt(domain, await lookUp(domain, recordType.NS), lookUp);
        if (zone.nameServers.length === 0) return null;
        zones.set(domain, zone, REMEMBERED_MS);
        return zone;
      }),
  };
}

/** Host names (NS) or addresses (A, AAAA), sorted. Name servers may have no aliases. */
export function hostsAt(records: readonly DnsRecord[], name: string, type: number): string[] {
  return recordsAt(records, name, type)
    .map(({ rdata }) => (type === recordType.NS ? decodeHostName(rdata) : addressOf(rdata, type)))
    .filter((host) => host !== "")
    .sort();
}

/** Empty if the octets are no address. */
function addressOf(rdata: Uint8Array, type: number): string {
  if (rdata.length !== (type === recordType.A ? 4 : 16)) return "";
  return ipaddr()
    .fromByteArray([...rdata])
    .toString();
}

/** Looks up all addresses of a host, as canonical text, IPv4 first. Both look-ups must succeed. */
export function hostAddresses({ all, inOrder }: Resolvers) {
  const resolver = createResolver({ servers: all.map(({ server }) => server), inOrder });

  async function addressesOfType(name: string, type: number) {
    const answer = await resolver.query(name, type);
    if (answer.outcome === "failed" || answer.outcome === "bogus") {
      throw new UnavailableError(`No address of ${name}: DNS says ${answer.reason}.`);
    }
    const records = recordsAt(answer.records, endOfAliases(answer.records, name), type);
    return records.map(({ rdata }) => {
      const address = addressOf(rdata, type);
      if (address === "") throw new UnavailableError("An address in DNS has the wrong length.");
      return address;
    });
  }

  return async (host: string): Promise<readonly string[]> => {
    const name = canonicalName(host);
    const types = [recordType.A, recordType.AAAA];
    const addresses = await Promise.all(types.map((type) => addressesOfType(name, type)));
    return [...new Set(addresses.flat())];
  };
}

function endOfAliases(records: readonly DnsRecord[], start: string): string {
  let name = start;
  for (let aliases = 0; aliases <= MAX_ALIASES; aliases++) {
    const alias = recordsAt(records, name, recordType.CNAME)[0];
    if (!alias) return name;
    name = decodeHostName(alias.rdata);
  }
  throw new UnavailableError(`No address of ${start}: it has more than ${MAX_ALIASES} aliases.`);
}
