// Creates everything that looks up DNS, for a service or for an operator's command.

import { rootTrustAnchors, type TrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import type { Clock } from "../lib/clock.ts";
import type { SecureDomainStore } from "../store/secure-domains.ts";
import type { Events } from "../telemetry/events.ts";
import type { Assurance } from "./assurance.ts";
import { createAssuredLook, type Source } from "./assured-look.ts";
import { createBounded } from "./bounded.ts";
import { createDiagnoses, type Diagnoses } from "./diagnosis.ts";
import { type Reach, reachPublic } from "./name-servers.ts";
import { createResolver } from "./resolver.ts";
import { createResolvers, type Resolvers } from "./resolvers.ts";
import { createSignedBefore } from "./signed-before.ts";
import { createSpRecords, type SpRecords } from "./sp-record.ts";
import { createValidator } from "./validator.ts";
import type { Accepted } from "./verdict.ts";
import { viewThrough } from "./view.ts";

/** Each look asks at most three resolvers at once. */
const LOOKS_AT_ONCE = { all: 128, each: 8 };
/** Each asks all resolvers and four name servers. */
const DIAGNOSES_AT_ONCE = { all: 32, each: 4 };

/** Packets go to the resolvers and to what `reach` returns. */
export function createLooks(
  config: {
    readonly issuer: string;
    readonly dnsServers: readonly string[];
    readonly minAssurance: Assurance;
    readonly trustAnchors?: readonly TrustAnchor[] | undefined;
  },
  deps: {
    readonly clock: Clock;
    /** Remembers which domains were signed; without it, nothing is remembered. */
    readonly store?: SecureDomainStore;
    readonly acceptedFor?: (domain: string) => Promise<Accepted | null>;
    readonly events?: Pick<Events, "lookedUp" | "bogus">;
    readonly reach?: Reach | undefined;
    /** Those of `dnsServers`; without them, they are made here. */
    readonly resolvers?: Resolvers;
  },
): { spRecords: SpRecords; diagnoses: Diagnoses } {
  const { issuer, dnsServers, minAssurance, trustAnchors = rootTrustAnchors } = config;
  const { clock, store, events, reach = reachPublic, acceptedFor = async () => null } = deps;
  const { resolvers = createResolvers(dnsServers) } = deps;
  const validators = resolvers.all.map(({ server }) => {
    const { query } = createResolver({ servers: [server] });
    return createValidator({ query, now: clock.seconds, trustAnchors });
  });
  const sources = validators.map((validator): Source => {
    return (name, label) => viewThrough(validator, name, label);
  });
  const signedBefore = store ? createSignedBefore({ store, clock, validators }) : null;
  const allowLoopbackIssuer = issuer.startsWith("http:");
  const { inOrder } = resolvers;
  const bounded = createBounded(LOOKS_AT_ONCE);
  const lookUp = createAssuredLook({
    ...{ sources, inOrder, bounded, minAssurance, signedBefore, events },
  });
  const decisions = { lookUp, minAssurance, acceptedFor };
  return {
    spRecords: createSpRecords({ ...decisions, issuer, clock, allowLoopbackIssuer }),
    diagnoses: createDiagnoses({
      ...{ servers: resolvers.all, reach, now: clock.milliseconds },
      bounded: createBounded(DIAGNOSES_AT_ONCE),
    }),
  };
}
