// Puts together everything that looks at DNS for a service, or for an operator.

import type { TrustAnchor } from "domain-signin-verify";
import type { Clock } from "../lib/clock.ts";
import type { SecureDomainStore } from "../store/secure-domains.ts";
import type { Events } from "../telemetry/events.ts";
import type { Assurance } from "./assurance.ts";
import { createAssuredLook, resolversForAQuorum } from "./assured-txt.ts";
import { createChains } from "./chain.ts";
import { createDiagnoses, type Diagnoses } from "./diagnosis.ts";
import { type Reach, reachPublic } from "./name-servers.ts";
import { createResolver } from "./resolver.ts";
import { createSignedBefore } from "./signed-before.ts";
import { createSpRecords, type SpRecords } from "./sp-record.ts";
import { isUnsigned } from "./view.ts";

/** `dnsServers` are "ip:port" or "[v6]:port"; packets go there and to what `reach` returns. */
export function createLooks(
  config: {
    readonly issuer: string;
    readonly dnsServers: readonly string[];
    readonly minAssurance: Assurance;
    readonly trustAnchors?: readonly TrustAnchor[] | undefined;
  },
  parts: {
    clock: Clock;
    /** Remembers what was signed; without it nothing is remembered. */
    store?: SecureDomainStore;
    events?: Pick<Events, "lookedUp" | "bogus">;
    reach?: Reach | undefined;
  },
): { spRecords: SpRecords; diagnoses: Diagnoses } {
  const { issuer, dnsServers, minAssurance: least, trustAnchors } = config;
  const { clock, store, events, reach = reachPublic } = parts;
  const resolvers = dnsServers.map((server) => createResolver({ servers: [server] }));
  // Each has chains of its own: one that hides a delegation must not do it for the others.
  const sources = resolvers.map((resolver) => {
    const { query } = resolver;
    const chains = createChains({
      ...{ query, now: clock.seconds },
      ...(trustAnchors && { trustAnchors }),
    });
    return { resolver, chains };
  });
  return {
    spRecords: createSpRecords({
      lookAt: createAssuredLook({ sources, least }),
      least,
      signedOnly:
        least === "secure" || (least === "corroborated" && resolvers.length < resolversForAQuorum),
      isUnsigned: (domain) => isUnsigned(domain, sources[0]),
      signedBefore: store ? createSignedBefore({ store, clock, resolvers, reach }) : null,
      issuer,
      now: clock.seconds,
      allowLoopbackIssuer: issuer.startsWith("http:"),
      ...(events && { events }),
    }),
    diagnoses: createDiagnoses({ dnsServers, reach, now: clock.milliseconds }),
  };
}
