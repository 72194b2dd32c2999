// Domains that were signed a while ago: what looks unsigned there now is believed only after a day.

import { isAtOrBelow, labelsOf } from "domain-signin-verify/dns/name";
import { classIn, recordType } from "domain-signin-verify/dns/records";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import type { SecureDomainStore } from "../store/secure-domains.ts";
import { SECURE_REMEMBERED_S } from "../store/shared-values.ts";
import { askUntil, type DnsServer } from "./exchange.ts";
import { findApex, nameServersOf, type Reach } from "./name-servers.ts";
import { answerOf, type DnsAnswer, type Resolver } from "./resolver.ts";
import { queryThrough } from "./view.ts";

export type SignedBefore = {
  /** A chain for the domain was verified just now. */
  note(domain: string): Promise<void>;
  /**
   * Whether an answer without signatures may be believed: the domain was not seen signed for 30 days,
   * or all resolvers and the servers of the zone above say twice, a day apart, that it no longer is.
   */
  mayBeUnsigned(domain: string): Promise<boolean>;
};

/** Seconds between the two times at which everybody must say so. */
const RELEASED_AFTER = 86_400;
/** Seconds after which a chain is noted again: a look needs no write. */
const NOTED_EVERY = 3600;
const maxNoted = 10_000;
/** Milliseconds for a server of the zone above. */
const serverMs = 1000;

export function createSignedBefore(setup: {
  store: SecureDomainStore;
  clock: Clock;
  resolvers: readonly Resolver[];
  reach: Reach;
}): SignedBefore {
  const { store, clock, resolvers, reach } = setup;
  const noted = createCache<true>({ clock, maxEntries: maxNoted });

  async function isUnsignedForAll(domain: string): Promise<boolean> {
    const [guide] = resolvers;
    const apexes = await Promise.all(
      resolvers.map((resolver) => findApex(queryThrough(resolver), domain)),
    );
    const [apex = null] = apexes;
    if (!guide || apex === null || apex === "" || !isAtOrBelow(domain, apex)) return false;
    // No DS stands where no zone begins: one resolver alone must not say where that is.
    if (apexes.some((other) => other !== apex)) return false;
    const answers = await Promise.all([
      ...resolvers.map((resolver) => resolver.query(apex, recordType.DS)),
      ...(await serversAbove(guide, apex)).map((server) => askDirectly(server, apex)),
    ]);
    // Without a server of the zone above there is one answer for each resolver, and one is missing.
    return (
      answers.length > resolvers.length && answers.every((answer) => isWithoutDs(answer, apex))
    );
  }

  async function serversAbove(guide: Resolver, apex: string): Promise<DnsServer[]> {
    const query = queryThrough(guide);
    const above = await findApex(query, labelsOf(apex).slice(1).join("."));
    if (above === null) return [];
    const servers = await nameServersOf(query, above, reach);
    return servers.flatMap(({ server }) => (server ? [server] : []));
  }

  return {
    async note(domain) {
      const now = clock.seconds();
      if (noted.get(domain)) return;
      await store.noteSecure(domain, now);
      noted.set(domain, true, NOTED_EVERY * 1000);
    },

    async mayBeUnsigned(domain) {
      const now = clock.seconds();
      const known = await store.findSecureDomain(domain);
      if (!known || known.secureAt <= now - SECURE_REMEMBERED_S) return true;
      // Until then a chain that is seen again might not be noted, and so would not begin it anew.
      if (known.secureAt > now - NOTED_EVERY) return false;
      if (!(await isUnsignedForAll(domain))) return false;
      await store.noteUnsigned(domain, now);
      return store.releaseSecureDomain(domain, now - RELEASED_AFTER);
    },
  };
}

async function askDirectly(server: DnsServer, apex: string): Promise<DnsAnswer> {
  const question = { name: apex, type: recordType.DS, class: classIn };
  const asked = { question, recursionDesired: false };
  const reply = await askUntil(server, asked, performance.now() + serverMs);
  // Whoever does not have the zone knows nothing of its delegations.
  const isStranger = reply.outcome === "message" && !reply.message.authoritative;
  return isStranger ? { outcome: "failed", reason: "refused" } : answerOf(reply);
}

function isWithoutDs(answer: DnsAnswer, apex: string): boolean {
  const isReply = answer.outcome === "answer" || answer.outcome === "nxdomain";
  return (
    isReply && !answer.records.some(({ name, type }) => name === apex && type === recordType.DS)
  );
}
