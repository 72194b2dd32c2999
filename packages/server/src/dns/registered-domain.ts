// Whether a domain is registered at all: an absence may have a misspelled domain as its cause.

import { recordType } from "domain-signin-verify/dns/records";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { registrableDomain } from "../lib/registrable-domain.ts";
import { within } from "../lib/within.ts";
import type { Resolver } from "./resolver.ts";

/** A user waits, after a look that may have taken 1.7 seconds. */
const TIMEOUT_MS = 800;
const DENIALS_NEEDED = 2;
const REMEMBERED_MS = 300_000;
const MAX_REMEMBERED = 10_000;

interface Deps {
  readonly resolvers: readonly Resolver[];
  readonly clock: Clock;
}

/**
 * Whether two resolvers (or the only one) say that the registrable domain does not exist, and none shows it. Asks for
 * nothing below it: resolvers might remember the absence of a name that is about to be published.
 */
export function createRegistration({ resolvers, clock }: Deps) {
  const needed = Math.min(DENIALS_NEEDED, resolvers.length);
  const registered = createCache<true>({ clock, maxEntries: MAX_REMEMBERED });

  return async (domain: string): Promise<boolean> => {
    const name = registrableDomain(domain) ?? domain;
    if (registered.get(name)) return false;
    const answers = resolvers.map(({ query }) => within(TIMEOUT_MS, query(name, recordType.NS)));
    // One resolver that shows the domain is enough, so the others are not awaited.
    const shown = answers.map(async (answer) => {
      if ((await answer)?.outcome !== "answer") throw new Error("not shown");
      registered.set(name, true, REMEMBERED_MS);
      return false;
    });
    const isDenied = async () => {
      const outcomes = (await Promise.all(answers)).map((answer) => answer?.outcome);
      return outcomes.filter((outcome) => outcome === "nxdomain").length >= needed;
    };
    return Promise.any(shown).catch(isDenied);
  };
}
